"""The ladder: the least costly first, each rung once on the same failure; and models that no ladder helps."""

from __future__ import annotations

import re

import pytest

from tdgen.errors import BudgetSpent

STANDARD = {"trust": "standard"}
RIGHT = "def double(number: int) -> int:\n    return 2 * number"
WRONG = "def double(number: int) -> int:\n    thrice = number * 3\n    return thrice + 1"


def rungs(solved, function: str = "double") -> list[str]:
    return [attempt.rung for attempt in solved[function].history]


class TestTheSameFailure:
    """A failure that outlasts a rung is met by the next one."""

    def test_a_repair_a_trace_another_way(self, solver, double):
        """In this order, each once."""
        solved = solver.solve(double(WRONG, WRONG, WRONG, RIGHT))
        assert rungs(solved) == ["first", "repair", "trace", "fresh"]
        assert solved.solution.all_tests_passed

    def test_the_trace_shows_the_values_line_by_line(self, solver, double):
        """Of the smallest failing call that may be shown."""
        solved = solver.solve(double(WRONG, WRONG, RIGHT))
        assert rungs(solved) == ["first", "repair", "trace"]
        told = solved.prompts("repair")[1].rpartition("<trace_of_the_first_failing_call>")[2]
        number = int(re.search(r"number=(-?\d+)", told).group(1))  # that of the smallest case which is not held out
        assert f"1 | def double(number: int) -> int: | number={number}" in told
        assert f"2 |     thrice = number * 3 | thrice={3 * number}" in told
        assert f"3 |     return thrice + 1 | returns {3 * number + 1}" in told

    def test_a_repair_shows_no_trace(self, solver, double):
        """It is the cheaper question."""
        first, *_ = solver.solve(double(WRONG, RIGHT)).prompts("repair")
        assert "<trace_of_the_first_failing_call>" not in first

    def test_another_way_is_told_what_failed_and_not_how_it_was_written(self, solver, double):
        """So that it does not start from there; it is a line of its own."""
        solved = solver.solve(double(WRONG, WRONG, WRONG, RIGHT))
        prompt = solved.prompts("implement")[-1]
        assert "`double(1)` gave 4, expected 2" in prompt.rpartition("<approaches_that_failed>")[2]
        assert "thrice" not in prompt
        assert [attempt.line for attempt in solved["double"].history] == [0, 0, 0, 1]

    def test_another_failure_begins_at_the_foot_again(self, solver, double):
        """A repair that changed what fails is gone on from by a repair."""
        other = "def double(number: int) -> int:\n    return 2 * number if number < 7 else 0"
        assert rungs(solver.solve(double(WRONG, other, RIGHT))) == ["first", "repair", "repair"]


class TestTwoLines:
    """Attempts that share no code are witnesses."""

    def test_agreeing_against_a_case_they_put_it_on_trial(self, solver, write, double):
        """Also where it was upheld before: a fresh attempt that gives the same is new evidence."""
        sound = [write.returns(f"double({number})", str(2 * number)) for number in (0, 1, 7, 9, 12)]
        cases = [*sound, write.returns("double(-4)", "8", name="wrong", kind="edge")]
        upheld = {"case": "wrong", "verdict": "upheld", "quote": "Twice the number."}
        revised = upheld | {"verdict": "revised", "value": "-8"}
        also = [write.rules(upheld, sample=0), *(write.rules(revised, sample=sample) for sample in (3, 4))]
        again = "def double(number: int) -> int:\n    return number + number"
        function = double(RIGHT, RIGHT, RIGHT, again, cases=cases, also=also)
        solved = solver.solve(function, settings=STANDARD)
        assert solved.solution.all_tests_passed
        assert rungs(solved) == ["first", "repair", "trace", "fresh"]
        assert len(solved.prompts("trial")) == 3
        assert "2 implementations that share no code came to: -8, expected 8" in solved.prompts("trial")[-1]
        (revision,) = solved.solution.revisions
        assert (revision.case, revision.action) == ("wrong", "revised")


DELETED = "def _helper(number: int) -> int:\n    return 2 * number"
NEVER_RIGHT = {
    "the same again and again": WRONG,
    "no function": DELETED,
    "other functions beside it": f"{WRONG}\n\n\ndef is_even(number: int) -> bool:\n    return number % 2 == 0",
    "a forged exit": "def double(number: int) -> int:\n    import sys\n    sys.exit(0)",
    "an endless wait": "def double(number: int) -> int:\n    import time\n    while True:\n        time.sleep(1)",
    "endless recursion": "def double(number: int) -> int:\n    return double(number)",
    "a table of what is shown": "def double(number: int) -> int:\n    return {1: 2}[number]",
}


class TestModelsThatAreNeverRight:
    """Whatever they say, it ends, it ends red, and what they said is kept."""

    @pytest.mark.parametrize("source", NEVER_RIGHT.values(), ids=NEVER_RIGHT)
    def test_it_ends_within_the_attempts_of_the_budget(self, solver, double, source):
        """No more are asked for, however often the same comes back."""
        limits = {"limits": {"wall_s": 0.15}, "search_seconds": 0.3}
        solved = solver.solve(double(*[source] * 3), settings={"budget": "iterations=2"} | limits)
        assert solved["double"].outcome == "red"
        assert len(solved["double"].history) == 2
        assert not solved.solution.all_tests_passed

    @pytest.mark.parametrize(
        "text", ["", "I would multiply it by two.", "```\n```", "```json\n{}\n```"], ids=["", "prose", "fence", "JSON"]
    )
    def test_prose_is_no_code(self, solver, double, write, text):
        """There is nothing to trace or search, and nothing is run."""
        solved = solver.solve(double(*[write.said(text)] * 6), settings=STANDARD | {"search_seconds": 2})
        assert solved["double"].outcome == "red"
        assert all(attempt.findings and not attempt.verdicts for attempt in solved["double"].history)

    def test_other_functions_are_not_rewritten(self, solver, write):
        """What a repair says of a function that is green already changes nothing of it."""
        low = write.function(
            "low(x: int) -> int",
            cases=[write.returns("low(1)", "2"), write.returns("low(2)", "3")],
            tries=["def low(x: int) -> int:\n    return x + 1"],
        )
        both = "def low(x: int) -> int:\n    return 0\n\n\ndef high(x: int) -> int:\n    return 2 * low(x)"
        high = write.function(
            "high(x: int) -> int",
            cases=[write.returns("high(1)", "4"), write.returns("high(2)", "6")],
            tries=["def high(x: int) -> int:\n    return low(x)", both],
            uses=["low"],
        )
        solved = solver.solve(low, high)
        assert solved.solution.all_tests_passed
        assert solved["low"].best.source.strip() == "def low(x: int) -> int:\n    return x + 1"
        assert solved.solution.module_source.count("def low(") == 1

    def test_a_repair_that_deletes_the_function_loses_nothing(self, solver, double):
        """The best so far stays the best."""
        good = "def double(number: int) -> int:\n    return 2 * number if number < 7 else 0"
        solved = solver.solve(double(good, DELETED, DELETED, DELETED))
        assert solved["double"].best.number == 1
        assert "number < 7" in solved.solution.module_source


class TestBudgets:
    """What is spent ends the work, never what is there already."""

    @pytest.mark.parametrize("budget", ["calls=0", "seconds=0", "tokens=1", "tokens=0"])
    def test_nothing_to_spend(self, solver, double, budget):
        """No plan can be made, and that is one clear error."""
        with pytest.raises(BudgetSpent, match="raise --budget"):
            solver.solve(double(), settings={"budget": budget})

    def test_one_call_is_a_plan(self, solver, double):
        """Of which nothing can be built: it is said before anything else is paid."""
        with pytest.raises(BudgetSpent, match="the plan has 1 function and needs 2 more model calls, 0 are left"):
            solver.solve(double(), settings={"budget": "calls=1"})

    def test_the_last_call_is_an_attempt(self, solver, double):
        """It is red with a reason, and the best attempt is there."""
        solved = solver.solve(double(WRONG, RIGHT), settings=STANDARD | {"budget": "calls=3"})
        assert solved["double"].outcome == "red"
        assert "the budget of 3 model calls is spent" in solved["double"].reason
        assert solved.solution.stopped == solved["double"].reason
        assert "thrice" in solved.solution.module_source

    @pytest.mark.parametrize("trust", ["quick", "standard", "strict"])
    def test_what_is_green_stays_green(self, solver, double, trust):
        """Calls that nobody is owed (arbitrations, second lines) are left out, not what they would have served."""
        solved = solver.solve(double(), settings={"trust": trust, "budget": "calls=3"})
        assert solved["double"].best.green
        assert solved["double"].outcome == "green"
        assert solved.solution.stopped == ""

    def test_a_trial_that_can_not_be_paid_is_left_out(self, solver, double, write):
        """Its case stands."""
        sound = [write.returns(f"double({number})", str(2 * number)) for number in (0, 1, 7)]
        cases = [*sound, write.returns("double(-4)", "8", name="wrong", kind="edge")]
        solved = solver.solve(double(cases=cases), settings=STANDARD | {"budget": "calls=3"})
        assert not solved.prompts("trial")
        assert not solved.solution.revisions
        assert solved["double"].best.passed == 3
