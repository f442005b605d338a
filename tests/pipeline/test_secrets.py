"""What must not be seen: held-out cases by the developer, and what is expected by the code that is judged."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from tdgen.types import FileJob, FileReport, Job, Report

WRONG = "def word(n: int) -> str:\n    return 'none'"
NEARLY = "def word(n: int) -> str:\n    return {1: 'alpha', 2: 'bravo', 3: 'charlie', 4: 'delta'}.get(n, 'none')"
FORGETFUL = """
_WORDS = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot']
_SEEN = []


def word(n: int) -> str:
    _SEEN.append(n)
    return _WORDS[n - 1] if len(_SEEN) < 2 else 'none'
"""
RIGHT = "def word(n: int) -> str:\n    return 'alpha bravo charlie delta echo foxtrot'.split()[n - 1]"
WORDS = ("alpha", "bravo", "charlie", "delta", "echo", "foxtrot")


@pytest.fixture
def word(write):
    """A function whose arguments and results are told apart at a glance; of its six cases two are held out."""

    def make(*tries, value=repr):
        cases = [write.returns(f"word({n})", value(text), name=f"case of {text}") for n, text in enumerate(WORDS, 1)]
        return write.function("word(n: int) -> str", "The n-th word.", cases=cases, tries=tries)

    return make


@dataclass
class Recorder:
    """A sandbox that keeps all that it is given, in order."""

    inner: object
    given: list[Job | FileJob] = field(default_factory=list)

    def run(self, job: Job) -> Report:
        self.given.append(job)
        return self.inner.run(job)

    def run_files(self, job: FileJob) -> FileReport:
        self.given.append(job)
        return self.inner.run_files(job)

    def describe(self) -> str:
        return self.inner.describe()


def secrets_of(function) -> list[str]:
    """All that could give a held-out case away."""
    assert len(function.held_out) == 2
    held_out = [(case["name"].replace(" ", "_"), case["value"], case["arguments"][0]) for case in function.held_out]
    return [
        text for name, value, argument in held_out for text in (name, value, f"word({argument})", f"param({argument}")
    ]


@pytest.mark.parametrize("wrong", [WRONG, "```", FORGETFUL], ids=["wrong", "unusable", "forgetful"])
def test_no_prompt_to_the_developer_shows_a_held_out_case(solver, word, wrong):
    """Neither its name nor its arguments nor what it expects, also when pytest printed the whole table."""
    function = word(wrong, wrong, RIGHT)
    solved = solver.solve(function)
    assert solved.solution.all_tests_passed
    prompts = solved.prompts("implement") + solved.prompts("repair")
    assert len(prompts) == 3
    assert solved.solution.promotions == 0
    told = "\n".join(map(_without_code, prompts))
    assert not [text for text in secrets_of(function) if text in told]


def _without_code(prompt: str) -> str:
    """The prompt without the developer's own code, which may say anything."""
    before, _, rest = prompt.partition("<your_code>")
    return before + rest.partition("</your_code>")[2]


def test_a_file_that_fails_on_held_out_cases_alone_is_told_without_them(solver, word):
    """That something is left behind by a call is all that is said."""
    held_out = {case["arguments"][0] for case in word().held_out}
    first = min(held_out)
    leaking = f"""
_SEEN = []


def word(n: int) -> str:
    words = 'alpha bravo charlie delta echo foxtrot'.split()
    if n == {first}:
        return words[n - 1] if not _SEEN else 'stale'
    _SEEN.append(n)
    return words[n - 1]
"""
    function = word(leaking, RIGHT)
    solved = solver.solve(function, settings={"trust": "standard"})
    assert solved.solution.all_tests_passed
    vetoed = solved["word"].history[0]
    assert vetoed.passed == len(vetoed.verdicts)
    assert vetoed.vetoes
    told = _without_code(solved.prompts("repair")[0])
    assert "what one call leaves behind" in told
    assert not [text for text in secrets_of(function) if text in told]


def test_what_is_expected_never_reaches_the_sandbox_that_candidates_run_in(solver, word):
    """Until the judge's verdicts stand; the rendered file, run afterwards, can only take the green away."""
    solver.sandbox = recorder = Recorder(solver.sandbox)
    solved = solver.solve(word(WRONG, RIGHT), settings={"trust": "standard"})
    assert [attempt.passed for attempt in solved["word"].history] == [0, 6]
    first_file = next(place for place, job in enumerate(recorder.given) if isinstance(job, FileJob))
    judged = recorder.given[:first_file]
    assert judged
    sources = [RIGHT, WRONG]
    for job in judged:
        text = job.model_dump_json()
        for source in sources:
            text = text.replace(source.replace("\n", "\\n"), "")
        assert not [expected for expected in WORDS if f"'{expected}'" in text]
        assert {name for probe in job.probes for name in probe.given} <= {"name", "source"}  # of a module to import


def test_the_oracle_never_gets_a_candidate(solver, word):
    """Where expected values are evaluated there is only the shared types' source; literals are read."""
    solver.oracle = recorder = Recorder(solver.oracle)
    solver.solve(word(WRONG, RIGHT, value="'{}'.lower()".format))
    assert recorder.given
    assert all(isinstance(job, Job) and "def word" not in job.source for job in recorder.given)


def test_checks_are_settled_where_no_candidate_is(solver, write):
    """The predicate gets the result as data, in the other sandbox."""
    solver.sandbox, solver.oracle = candidates, oracle = Recorder(solver.sandbox), Recorder(solver.oracle)
    function = write.function(
        "some(n: int) -> int",
        cases=[write.holds("some(7)", "result > n + 1234")],
        tries=["def some(n: int) -> int:\n    return n + 9999"],
    )
    assert solver.solve(function).solution.all_tests_passed
    assert not [job for job in candidates.given if isinstance(job, Job) and "1234" in job.model_dump_json()]
    assert [job for job in oracle.given if "1234" in job.model_dump_json()]
