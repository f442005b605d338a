"""Mechanical repair: single edits tried in the sandbox, no model asked, and held-out cases left for the last."""

from __future__ import annotations

from functools import partial

import pytest

from tdgen.build import patch_search
from tdgen.build.patch_search import described
from tdgen.events import AttemptJudged
from tdgen.types import Mutant

SEARCHING = {"search_seconds": 30}
RIGHT = "def total(numbers: list[int]) -> int:\n    return sum(numbers)"


@pytest.fixture
def total(write):
    """`total(numbers)`, the sum; the tries are given as bodies."""

    def make(*tries: str, **more):
        rows = ([], [4], [1, 2], [5, -3, 9], [10, 20, 30, 40])
        cases = [write.returns(f"total({row})", str(sum(row)), name=f"row_{len(row)}") for row in rows]
        bodies = [f"def total(numbers: list[int]) -> int:\n{body}" for body in tries]
        return write.function("total(numbers: list[int]) -> int", "The sum.", cases=cases, tries=bodies, **more)

    return make


OFF_BY_ONE = """\
    found = 0
    for place in range(1, len(numbers)):
        found += numbers[place]
    return found
"""
OTHER_WAY = """\
    return "".join(str(number) for number in numbers)
"""
HELD_OUT = """\
    found = 1
    for number in numbers:
        found += number
    return found
"""


@pytest.mark.usefixtures("patient")
class TestPatches:
    """The edit of a small fault is found without the model; it is a guess until an author confirms it."""

    @pytest.mark.parametrize("body", [OFF_BY_ONE, HELD_OUT], ids=["a loop's bound", "a constant"])
    def test_a_patch_is_shown_to_the_developer_whose_code_counts(self, solver, total, body):
        """The repair is asked for with the edit as evidence, beside the code that it edits; the patch is not green."""
        solved = solver.solve(total(body, "", "    return sum(numbers)"), settings=SEARCHING)
        assert solved.solution.all_tests_passed
        assert [attempt.rung for attempt in solved["total"].history] == ["first", "mechanical", "repair"]
        patch = solved["total"].history[1]
        assert patch.passes
        assert not patch.green
        (prompt,) = solved.prompts("repair")
        assert patch.mended[0] in prompt
        assert body.strip() in prompt
        assert [event.attempt for event in solved.happened(AttemptJudged)] == list(solved["total"].history)

    def test_a_developer_may_confirm_a_patch_by_writing_it(self, solver, total):
        """The same code counts when its author is the developer."""
        mended = OFF_BY_ONE.replace("range(1,", "range(0,")
        solved = solver.solve(total(OFF_BY_ONE, "", mended), settings=SEARCHING)
        assert solved.solution.all_tests_passed
        assert solved["total"].best.rung == "repair"

    def test_where_the_model_may_not_be_asked_a_patch_ends_undecided(self, solver, total):
        """All cases pass, the edit is told, and nothing is called green."""
        solved = solver.solve(total(OFF_BY_ONE), settings=SEARCHING | {"budget": "iterations=1"})
        assert solved["total"].outcome == "undecided"
        assert solved["total"].best.mended[0] in solved["total"].reason
        assert solved["total"].best.passed == 5

    def test_a_patch_that_the_developer_does_not_confirm_never_becomes_green(self, solver, total):
        """What it writes instead is judged; where that fails, the patch is the best there is, and undecided."""
        tries = (OFF_BY_ONE, "", OTHER_WAY, OTHER_WAY)
        solved = solver.solve(total(*tries), settings=SEARCHING | {"budget": "iterations=2"})
        assert solved["total"].best.rung == "mechanical"
        assert solved["total"].outcome == "undecided"

    def test_it_is_off_at_zero_seconds(self, solver, total):
        """The repair is asked for at once."""
        solved = solver.solve(total(OFF_BY_ONE, "    return sum(numbers)"), settings={"search_seconds": 0})
        assert [attempt.rung for attempt in solved["total"].history] == ["first", "repair"]

    def test_what_no_edit_heals_goes_to_the_model(self, solver, total):
        """And the same source is not searched twice."""
        tries = (OTHER_WAY, OTHER_WAY, "    return sum(numbers)")
        solved = solver.solve(total(*tries), settings=SEARCHING)
        assert solved.solution.all_tests_passed
        assert [attempt.rung for attempt in solved["total"].history] == ["first", "repair", "trace"]

    def test_what_was_not_run_is_not_searched(self, solver, total, write):
        """An attempt that can't be read, or must not run, is for its author to mend."""
        solved = solver.solve(total("    return eval('sum(numbers)')", "    return sum(numbers)"), settings=SEARCHING)
        assert [attempt.rung for attempt in solved["total"].history] == ["first", "repair"]

    def test_edits_count_as_no_attempt_of_the_model(self, solver, total):
        """Its attempts are bounded by the budget, an edit costs nothing of it."""
        tries = (OFF_BY_ONE, "", "    return sum(numbers)")
        solved = solver.solve(total(*tries), settings=SEARCHING | {"budget": "iterations=2"})
        assert solved.solution.all_tests_passed
        assert [attempt.rung for attempt in solved["total"].history] == ["first", "mechanical", "repair"]


@pytest.mark.usefixtures("patient")
def test_held_out_cases_are_left_for_the_final_candidate(solver, total, recorder):
    """A search that saw them would fit the code to them: no job of it holds one."""
    generator = solver.generator(solver.model(total(OFF_BY_ONE)), **SEARCHING, budget="iterations=1")
    vars(generator._runtime).update(sandbox=recorder)
    solution = generator.solve("Write what is needed.")
    (result,) = solution.results
    assert [attempt.rung for attempt in result.history] == ["first", "mechanical"]
    (name,) = result.suite.held_out
    held = next(case for case in result.suite.cases if case.name == name)
    many = [job for job in recorder.jobs if len(job.probes) > len(result.suite.cases)]
    assert many
    assert not any(
        held.expression in (probe.call, f"total({', '.join(probe.arguments)})") for job in many for probe in job.probes
    )


@pytest.mark.usefixtures("patient")
def test_an_edit_that_only_fits_what_is_shown_is_found_out(solver, write):
    """It fails a held-out case, which is promoted, and the model is asked."""
    cases = [write.returns(f"square({n})", str(n * n)) for n in (1, 2, 3, 5)]
    shown = write.function("square(x: int) -> int", cases=cases)
    (held,) = shown.held_out
    number = held["arguments"][0]
    wrong = f"def square(x: int) -> int:\n    if x == {number}:\n        return 99\n    return x * x + 1"
    right = "def square(x: int) -> int:\n    return x * x"
    function = write.function("square(x: int) -> int", "x times x.", cases=cases, tries=[wrong, right, right])
    solved = solver.solve(function, settings=SEARCHING)
    assert solved.solution.all_tests_passed
    rungs = [attempt.rung for attempt in solved["square"].history]
    assert rungs[:2] == ["first", "mechanical"]
    assert not solved["square"].history[1].green
    assert solved.solution.promotions == 1


def test_a_search_is_bounded_in_time(solver, total, monkeypatch):
    """Where every candidate hangs, it ends, and the ladder goes on. Watching what hangs is none of its time."""
    steps = []

    def noted(name, step, *given, **more):
        steps.append(name)
        return step(*given, **more)

    for name in ("_suspicion", "search_limit"):
        monkeypatch.setattr(patch_search, name, partial(noted, name, getattr(patch_search, name)))
    waits = "        time.sleep(0.01)\n        if not numbers + [1]:\n            break\n"
    hangs = f"    import time\n    while True:\n{waits}    return 0\n"
    solved = solver.solve(
        total(hangs, "    return sum(numbers)"), settings={"search_seconds": 0.3, "limits": {"wall_s": 0.3}}
    )
    assert solved.solution.all_tests_passed
    assert "repair" in [attempt.rung for attempt in solved["total"].history]
    assert steps[:2] == ["_suspicion", "search_limit"]


def test_an_edit_is_told_as_what_it_does():
    """One that moves a line has the same words before and after, one that deletes or adds one has none there."""
    moved = Mutant(source="", operator="moved", line=3, before="x = 1", after="x = 1")
    changed = moved._replace(after="x = 2")
    edits = (moved, changed, moved._replace(after=""), moved._replace(before=""))
    assert [described(edit) for edit in edits] == [
        "line 3: `x = 1` moved",
        "line 3: `x = 1` became `x = 2`",
        "line 3: `x = 1` was deleted",
        "at line 3 `x = 1` was added",
    ]


@pytest.mark.usefixtures("patient")
def test_edits_that_pass_alike_are_told_apart_by_the_contract(known, write):
    """Of calls on which they part the author is asked, shown no code; what it says joins the suite, shown to all."""
    pairs = ((1, 1), (4, 5), (9, 9), (2, 3))
    cases = [write.returns(f"near({a}, {b})", "True", name=f"near_{a}_{b}") for a, b in pairs]
    bodies = ("abs(a - b) < 1", "abs(a - b) <= 1", "abs(a - b) <= 1")
    tries = [f"def near(a: int, b: int) -> bool:\n    return {body}" for body in bodies]
    purpose = "Whether two numbers are at most 1 apart."
    function = write.function("near(a: int, b: int) -> bool", purpose, cases=cases, tries=tries)
    solved = known(function, lambda a, b: abs(a - b) <= 1, **SEARCHING, trust="quick")
    assert solved.solution.all_tests_passed
    assert [attempt.rung for attempt in solved["near"].history] == ["first", "mechanical", "repair"]
    (prompt, *_) = solved.prompts("settle")
    assert "abs(" not in prompt
    told = [case for case in solved["near"].suite.cases if case.provenance == "survivor"]
    assert "False" in [case.expectation.source for case in told]
    assert not {case.name for case in told} & solved["near"].suite.held_out
