"""Attempt after attempt: what the developer is told, which attempt is the best, and when it is given up."""

from __future__ import annotations

import pytest

from tdgen.events import AttemptJudged, AttemptStarted, CaseRevised

RIGHT = "def double(number: int) -> int:\n    return 2 * number"
NEVER = "def double(number: int) -> int:\n    return 1"


def test_a_wrong_attempt_is_repaired_from_what_was_observed(solver, double):
    """The next prompt holds the code, the failing case, and what it gave instead."""
    solved = solver.solve(double("def double(number: int) -> int:\n    return number + 1", RIGHT))
    assert solved.solution.all_tests_passed
    (prompt,) = solved.prompts("repair")
    assert "return number + 1" in prompt
    assert "`double(0)` returns `0`" in prompt or "`double(1)` returns `2`" in prompt
    assert "expected" in prompt
    assert [attempt.number for attempt in solved["double"].history] == [1, 2]


def test_attempts_are_bounded_by_the_budget(solver, double):
    """Then the function is red, and the best attempt is what there is."""
    solved = solver.solve(double(NEVER, NEVER, NEVER, NEVER), settings={"budget": "iterations=3"})
    assert solved["double"].outcome == "red"
    assert solved["double"].reason == "not right after 3 attempts"
    assert len(solved["double"].history) == 3
    assert [event.number for event in solved.happened(AttemptStarted)] == [1, 2, 3]
    assert not solved.solution.all_tests_passed


UNUSABLE = {
    "no code": ("I would rather talk about it.", "stop", "the answer holds no fenced Python block"),
    "nothing": ("", "stop", "the answer is empty"),
    "a syntax error": (
        "```python\ndef double(number: int) -> int\n    return 2\n```",
        "stop",
        "the code does not parse",
    ),
    "another function": ("```python\ndef triple(x, y):\n    return 3 * x\n```", "stop", "does not define 'double'"),
    "cut off": ("```python\ndef double(number: int) -> int:\n    retu", "length", "the answer was cut off"),
    "an import that is not allowed": (
        "```python\nimport subprocess\n\n\ndef double(number: int) -> int:\n    return 2 * number\n```",
        "stop",
        "importing subprocess is not allowed",
    ),
    "a dangerous call": (
        "```python\ndef double(number: int) -> int:\n    return eval('2 * number')\n```",
        "stop",
        "eval is not allowed",
    ),
    "a name that is nowhere": (
        "```python\ndef double(number: int) -> int:\n    return twice(number)\n```",
        "stop",
        "Undefined name `twice`",
    ),
}


@pytest.mark.parametrize(("text", "finish_reason", "told"), UNUSABLE.values(), ids=UNUSABLE)
def test_an_unusable_answer_is_an_attempt_and_is_told(solver, double, write, text, finish_reason, told):
    """It is never run, and the next prompt says what was wrong with it."""
    solved = solver.solve(double(write.said(text, finish_reason), RIGHT))
    first, second = solved["double"].history
    assert not first.verdicts
    assert told in " ".join(first.findings)
    assert told in solved.prompts("repair")[0]
    assert second.green


class TestRunningText:
    """An attempt that calls eval is turned down; from an author who insists it is let through, and that is said."""

    BY_EVAL = "def double(number: int) -> int:\n    return eval('2 * number', {'number': number})"

    def test_is_let_through_where_the_author_insists(self, solver, double):
        """The cases decide then, and the user is told what to look at."""
        solved = solver.solve(double(self.BY_EVAL, self.BY_EVAL))
        first, second = solved["double"].history
        assert not first.verdicts
        assert second.green
        (note,) = solved.solution.notes
        assert note.startswith("double: it calls eval, and did so again when told not to")

    def test_is_not_right_for_being_insisted_on(self, solver, double):
        """What is wrong stays wrong."""
        wrong = self.BY_EVAL.replace("2 *", "3 *")
        solved = solver.solve(double(wrong, wrong, RIGHT))
        assert [attempt.green for attempt in solved["double"].history] == [False, False, True]
        assert solved["double"].history[1].verdicts
        assert solved.solution.notes == ()

    def test_is_let_through_again_where_it_is_kept(self, solver, double):
        """Another instruction that needs the same function takes it as it was verified."""
        solver.solve(double(self.BY_EVAL, self.BY_EVAL))
        again = solver.solve(double(), text="Write what is needed, please.")
        (attempt,) = again["double"].history
        assert (attempt.rung, attempt.green) == ("kept", True)


class TestAccidentalExceptions:
    """A case that expects ValueError passes by `list.remove`; its author is asked whether that is meant."""

    ACCIDENT = "def take(names: list[str], name: str) -> list[str]:\n    names.remove(name)\n    return names"
    CHECKED = """\
        def take(names: list[str], name: str) -> list[str]:
            if name not in names:
                raise ValueError(f"{name} is not among the names")
            return [other for other in names if other != name]
    """

    @pytest.fixture
    def take(self, write):
        def make(*tries):
            cases = [
                write.returns("take(['a', 'b'], 'a')", "['b']"),
                write.raises("take(['a'], 'c')", "ValueError"),
            ]
            told = "The names without one; ValueError where it is not among them."
            signature = "take(names: list[str], name: str) -> list[str]"
            return write.function(signature, told, cases=cases, tries=tries, raises=["ValueError"])

        return make

    def test_are_objected_to(self, solver, take):
        """The next prompt names the line, and the code that checks counts."""
        solved = solver.solve(take(self.ACCIDENT, self.CHECKED))
        assert [attempt.green for attempt in solved["take"].history] == [False, True]
        assert "names.remove(name)" in solved.prompts("repair")[0].rpartition("<observed>")[2]

    def test_are_let_through_where_the_author_means_them(self, solver, take):
        """And the user is told."""
        solved = solver.solve(take(self.ACCIDENT, self.ACCIDENT))
        assert solved["take"].outcome == "green"
        (note,) = solved.solution.notes
        assert "its author was asked" in note

    def test_leave_a_function_undecided_where_nobody_can_be_asked(self, solver, take):
        """All cases pass, and what is in doubt is the reason."""
        solved = solver.solve(take(self.ACCIDENT), settings={"budget": "iterations=1"})
        assert solved["take"].outcome == "undecided"
        assert "by accident" in solved["take"].reason


def test_unusable_answers_alone_end_red_without_code(solver, double, write):
    """The module has a stub then, which says that nothing is written."""
    said = write.said("No.")
    solved = solver.solve(double(said, said), settings={"budget": "iterations=2"})
    assert solved["double"].outcome == "red"
    assert 'NotImplementedError("double is not written yet")' in solved.solution.module_source


def test_a_held_out_case_that_fails_is_shown_in_the_next_prompt(solver, double):
    """It is promoted: counted, told as a revision, and no longer held out."""
    (case,) = double().held_out
    (argument,) = case["arguments"]
    special = f"def double(number: int) -> int:\n    return 2 * number if number != {argument} else 99"
    solved = solver.solve(double(special, RIGHT))
    assert solved.solution.all_tests_passed
    assert f"double({argument})" not in solved.prompts("implement")[0]
    assert f"`double({argument})` returns `{case['value']}`" in solved.prompts("repair")[0]
    assert solved.solution.promotions == 1
    (revision,) = solved.solution.revisions
    assert (revision.case, revision.action) == (case["name"], "promoted")
    assert [event.revision for event in solved.happened(CaseRevised)] == [revision]
    assert not solved["double"].suite.held_out


def test_a_held_out_case_is_not_shown_as_long_as_shown_ones_fail(solver, double):
    """What is shown suffices to go on."""
    solved = solver.solve(double(NEVER, RIGHT))
    assert solved.solution.promotions == 0
    assert len(solved["double"].suite.held_out) == 1


def test_the_best_attempt_is_what_ends_in_the_solution(solver, double):
    """Not the last one."""
    good = "def double(number: int) -> int:\n    return 2 * number if number < 7 else 0"
    solved = solver.solve(double(NEVER, good, NEVER), settings={"budget": "iterations=3"})
    result = solved["double"]
    assert result.best.number == 2
    assert [attempt.passed for attempt in result.history] == [0, 3, 0]
    assert "number < 7" in solved.solution.module_source


def test_a_repair_starts_from_the_best_attempt(solver, double):
    """A step back is not gone on from."""
    good = "def double(number: int) -> int:\n    return 2 * number if number < 7 else 0"
    solved = solver.solve(double(good, NEVER, RIGHT))
    assert "number < 7" in solved.prompts("repair")[1]
    assert solved.solution.all_tests_passed


def test_a_fix_that_breaks_an_earlier_pass_for_another_is_no_better(solver, write):
    """With as many passed as before, it must have broken none of them."""
    cases = [write.returns("sign(5)", "1"), write.returns("sign(-5)", "-1")]
    plus = "def sign(x: int) -> int:\n    return 1"
    minus = "def sign(x: int) -> int:\n    return -1"
    function = write.function("sign(x: int) -> int", cases=cases, tries=[plus, minus])
    result = solver.solve(function, settings={"budget": "iterations=2"})["sign"]
    assert [attempt.passed for attempt in result.history] == [1, 1]
    assert result.best.number == 1


def test_of_two_that_pass_the_same_the_later_is_gone_on_from(solver, write):
    """A developer who is told twice of the same code learns nothing new."""
    cases = [write.returns("sign(5)", "1"), write.returns("sign(-5)", "-1")]
    first = "def sign(x: int) -> int:\n    return 1"
    second = "def sign(x: int) -> int:\n    return 1 if x else 2"
    function = write.function("sign(x: int) -> int", cases=cases, tries=[first, second])
    assert solver.solve(function, settings={"budget": "iterations=2"})["sign"].best.number == 2


def test_every_attempt_is_told(solver, double):
    """Begun, then judged, one after the other."""
    solved = solver.solve(double(NEVER, RIGHT))
    judged = [event.attempt for event in solved.happened(AttemptJudged)]
    assert tuple(judged) == solved["double"].history


@pytest.fixture
def two_floors(write):
    """`low`, and `high` which calls it; their tries are given."""

    def make(low_tries, high_tries):
        low = write.function(
            "low(x: int) -> int", cases=[write.returns("low(1)", "2"), write.returns("low(2)", "3")], tries=low_tries
        )
        high = write.function(
            "high(x: int) -> int", cases=[write.returns("high(1)", "4")], tries=high_tries, uses=["low"]
        )
        return low, high

    return make


HIGH = "def high(x: int) -> int:\n    return 2 * low(x)"


def test_what_stands_on_a_red_function_is_tried_on_its_best_and_blocked(solver, two_floors):
    """It may pass, but nobody can rely on it."""
    low = "def low(x: int) -> int:\n    return 2"
    solved = solver.solve(*two_floors([low], [HIGH]), settings={"budget": "iterations=1"})
    assert {r.function: r.outcome for r in solved.solution.results} == {"low": "red", "high": "blocked"}
    assert solved["high"].best.green
    assert solved["high"].reason == "it passes, but stands on what is not green: low"


def test_what_fails_on_a_red_function_is_blocked_too(solver, two_floors):
    """Whose fault that is can't be told."""
    low = "def low(x: int) -> int:\n    return 0"
    solved = solver.solve(*two_floors([low], [HIGH]), settings={"budget": "iterations=1"})
    assert {r.function: r.outcome for r in solved.solution.results} == {"low": "red", "high": "blocked"}
    assert solved["high"].reason == "it does not pass, but stands on what is not green: low"


def test_what_stands_on_a_function_that_was_never_written_is_tried_all_the_same(solver, two_floors, write):
    """In its place is one that says that it could not be written."""
    said = write.said("No.")
    solved = solver.solve(*two_floors([said], [HIGH]), settings={"budget": "iterations=1"})
    assert solved["high"].outcome == "blocked"
    assert "low could not be written" in solved["high"].best.verdicts[0].actual


def test_functions_that_call_each_other_are_mended_one_by_one(solver, write):
    """Only the one that fails is asked for again, and the other's cases are run anew on what comes."""
    is_even = write.function(
        "is_even(n: int) -> bool",
        cases=[write.returns("is_even(4)", "True"), write.returns("is_even(0)", "True")],
        tries=["def is_even(n: int) -> bool:\n    return True if n == 0 else is_odd(n - 1)"],
        uses=["is_odd"],
    )
    is_odd = write.function(
        "is_odd(n: int) -> bool",
        cases=[write.returns("is_odd(0)", "False"), write.returns("is_odd(3)", "True")],
        tries=[
            "def is_odd(n: int) -> bool:\n    return True if n == 0 else is_even(n - 1)",
            "def is_odd(n: int) -> bool:\n    return False if n == 0 else is_even(n - 1)",
        ],
        uses=["is_even"],
    )
    solved = solver.solve(is_even, is_odd)
    assert solved.solution.all_tests_passed
    assert len(solved.prompts("repair", "is_odd")) == 1
    assert not solved.prompts("repair", "is_even")


def test_one_of_a_group_that_stays_red_blocks_the_others(solver, write):
    """They stand on each other."""
    first = write.function(
        "ping(n: int) -> int",
        cases=[write.returns("ping(0)", "0")],
        tries=["def ping(n: int) -> int:\n    return 0 if n == 0 else pong(n - 1)"],
        uses=["pong"],
    )
    second = write.function(
        "pong(n: int) -> int",
        cases=[write.returns("pong(0)", "1")],
        tries=["def pong(n: int) -> int:\n    return 0 if n == 0 else ping(n - 1)"],
        uses=["ping"],
    )
    solved = solver.solve(first, second, settings={"budget": "iterations=1"})
    assert {r.function: r.outcome for r in solved.solution.results} == {"ping": "blocked", "pong": "red"}
