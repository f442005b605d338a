"""What was green once is run again: luck is no merit, and what may differ each time is said."""

from __future__ import annotations

import pytest

from tdgen.build.evaluator import NOT_DETERMINISTIC
from tdgen.types import Job, Report
from tdgen.values.encode import encode

STANDARD = {"trust": "standard"}
BY_CHANCE = "import random\n\n\ndef token(limit: int) -> int:\n    return random.randrange(limit)"
BY_THE_SYSTEM = "import secrets\n\n\ndef token(limit: int) -> int:\n    return secrets.randbelow(limit)"
BY_TIME = "import time\n\n\ndef token(limit: int) -> int:\n    return time.perf_counter_ns() % limit"
ALWAYS = "def token(limit: int) -> int:\n    return limit - 1"


@pytest.fixture
def token(write):
    """Some number below a limit: which, the contract does not say."""

    def make(source: str, **more):
        cases = [write.holds(f"token({n})", f"0 <= result < {n}", **more) for n in (10**12, 10**13, 10**14)]
        return write.function(
            "token(limit: int) -> int", "Any number from 0 to below limit.", cases=cases, tries=[source]
        )

    return make


class TestAFunctionThatIsNotDeterministic:
    """It may be free not to be."""

    @pytest.mark.parametrize("source", [BY_CHANCE, BY_THE_SYSTEM, BY_TIME], ids=["random", "secrets", "time"])
    def test_is_said_to_be_so_where_it_is_right_each_time(self, solver, token, source):
        """It stays green, and a note beside it tells of which call."""
        solved = solver.solve(token(source), settings=STANDARD)
        assert solved["token"].outcome == "green"
        (note,) = solved.solution.notes
        assert note.startswith(f"token: {NOT_DETERMINISTIC}: `token(")

    def test_one_that_is_deterministic_is_not(self, solver, token):
        """Nothing is said."""
        assert solver.solve(token(ALWAYS), settings=STANDARD).solution.notes == ()

    def test_a_case_that_seeds_it_makes_it_so(self, solver, token):
        """The world of a case holds the seed."""
        solved = solver.solve(token(BY_CHANCE, world={"seed": 7}), settings=STANDARD)
        assert solved["token"].outcome == "green"
        assert solved.solution.notes == ()

    def test_at_quick_nobody_looks(self, solver, token):
        """There is one run."""
        assert solver.solve(token(BY_CHANCE)).solution.notes == ()


class Moody:
    """A sandbox in which what has been run before gives something else."""

    def __init__(self, inner) -> None:
        self.inner = inner
        self.done: set[tuple] = set()

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def run(self, job: Job) -> Report:
        report = self.inner.run(job)
        deed = (job.source, tuple(probe.name for probe in job.probes), job.watch)
        if deed not in self.done:
            self.done.add(deed)
            return report
        changed = [seen.model_copy(update={"value": encode(99)}) for seen in report.observations]
        return report.model_copy(update={"observations": tuple(changed)})


def test_one_that_is_right_by_luck_is_not_right(solver, double):
    """The second run takes the green away, and says what it gave then."""
    generator = solver.generator(solver.model(double()), **STANDARD, budget="iterations=1")
    vars(generator._runtime).update(sandbox=Moody(solver.sandbox))
    (result,) = generator.solve("Write double.").results
    assert result.outcome == "red"
    (veto,) = result.best.vetoes
    assert veto.startswith("run a second time, the case double_0 does not pass: 99, expected 0")
