"""A suite is checked before any code is written: what a trivial body passes is no suite yet."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import cycle

import pytest

from tdgen.events import Noted
from tdgen.types import Suite

RIGHT = "def is_even(number: int) -> bool:\n    return number % 2 == 0"


@pytest.fixture(autouse=True)
def no_mutants(change_policy):
    """Of how strong a suite is once there is code, others tell."""
    change_policy("standard", makes_mutants=False)


@pytest.fixture
def is_even(write):
    """Cases that `return True` passes, and what the author adds when told so."""

    def make(*more):
        weak = [write.returns(f"is_even({number})", "True") for number in (0, 2, -4)]
        function = write.function("is_even(number: int) -> bool", cases=weak, tries=[RIGHT])
        return replace(function, cases=[weak, weak, list(more)])

    return make


def names(suite: Suite) -> list[str]:
    return [case.name for case in suite.cases]


def test_a_suite_that_a_constant_passes_asks_for_more_cases(solver, write, is_even):
    """The author is told what passes; its new cases join the old ones, of which none is dropped."""
    solved = solver.solve(is_even(write.returns("is_even(3)", "False")), settings={"trust": "standard"})
    assert solved.solution.all_tests_passed
    assert names(solved["is_even"].suite) == ["is_even_0", "is_even_2", "is_even_4", "is_even_3"]
    _, told = solved.prompts("cases")
    assert "do not tell a right implementation from one that always returns True" in told
    assert "- is_even_0, _2, _4:" in told
    assert solved.solution.notes == ()


def test_what_stays_trivial_is_said_and_accepted(solver, is_even):
    """An author who knows no case against it may be right: the solution says so."""
    solved = solver.solve(is_even(), settings={"trust": "standard"})
    assert solved.solution.all_tests_passed
    (note,) = solved.solution.notes
    assert note.startswith("is_even: an implementation that always returns True passes all cases")
    assert note in [event.text for event in solved.happened(Noted)]
    assert solved.solution.to_dict()["notes"] == [note]


def test_an_answer_that_is_none_changes_nothing(solver, write, is_even):
    """The suite stays as it was, and the weakness is said."""
    function = is_even()
    function = replace(function, cases=[*function.cases[:2], write.said("I can't."), write.said("No.")])
    solved = solver.solve(function, settings={"trust": "standard"})
    assert solved.solution.all_tests_passed
    assert len(names(solved["is_even"].suite)) == 3
    assert len(solved.solution.notes) == 1


def test_a_suite_that_tells_right_from_trivial_is_left_alone(solver, double):
    """No call is made for it."""
    solved = solver.solve(double(), settings={"trust": "standard"})
    assert [request.purpose for request in solved.model.asked] == ["plan", "cases", "implement"]


def test_at_trust_level_quick_nothing_is_weighed(solver, is_even):
    """It is the one level that takes the author's word."""
    solved = solver.solve(is_even())
    assert [request.purpose for request in solved.model.asked] == ["plan", "cases", "implement"]


STANDARD = {"trust": "standard"}


class TestPassages:
    """What the instruction says of a function, sentence by sentence, is shown by a case."""

    TEXT = "Write sign(number). It is 1, -1 or 0. Ties go to 0."
    RIGHT = "def sign(number: int) -> int:\n    return (number > 0) - (number < 0)"

    @pytest.fixture
    def solve(self, solver, write):
        """Cases that name the passages that they show, and what the author adds when told what is missing."""

        def run(*shown, more=(), trust="standard", text=self.TEXT, **told):
            calls = [("sign(3)", "1"), ("sign(4)", "1"), ("sign(-3)", "-1"), ("sign(-4)", "-1")]
            cases = [
                write.returns(*call, name=f"case_{number}", passages=list(numbers))
                for number, (call, numbers) in enumerate(zip(calls, cycle(shown), strict=False))
            ]
            said = write.said(json.dumps({"cases": cases} | told))
            function = write.function("sign(number: int) -> int", cases=said, tries=[self.RIGHT])
            function = replace(function, cases=[said, said, write.said(json.dumps({"cases": list(more)}))])
            function = replace(function, spec=function.spec | {"sentences": [1, 2, 3]})
            return solver.solve(function, text=text, settings={"trust": trust})

        return run

    def asked(self, solved):
        return [request.purpose for request in solved.model.asked].count("cases")

    def test_one_that_no_case_shows_is_asked_about_once(self, solve, write):
        """With its words; the case that comes joins the suite."""
        solved = solve([1, 2], [2], more=[write.returns("sign(0)", "0", passages=[3])])
        assert self.asked(solved) == 2
        assert "one that disregards \u201cTies go to 0\u201d" in solved.prompts("cases")[1]
        assert names(solved["sign"].suite)[4:] == ["sign_0"]
        assert solved.solution.notes == ()

    def test_one_that_stays_without_a_case_is_said(self, solve):
        """The user may know better."""
        solved = solve([1, 2], [2])
        assert solved.solution.notes == ("sign: no case shows \u201cTies go to 0.\u201d",)

    @pytest.mark.parametrize(
        "heading",
        [
            "# Rules",
            "Examples:",
            "Examples::",
            "The function `sign`:",
            '```python\n@deprecated("2.1")\ndef sign(\n    number,\n) -> int: ...\n```',
        ],
    )
    def test_one_that_only_heads_others_needs_no_case(self, solve, heading):
        """What stands below it is what binds."""
        solved = solve([1, 2], [2], text=f"Write sign(number). It is 1, -1 or 0.\n\n{heading}\n")
        assert self.asked(solved) == 1
        assert solved.solution.notes == ()

    def test_an_example_of_another_function_needs_no_case(self, solver, write, double):
        """It is a case of that one, and does not name this."""
        signs = {"sign(3)": "1", "sign(4)": "1", "sign(-3)": "-1", "sign(-4)": "-1"}
        cases = [write.returns(*call, passages=[1]) for call in signs.items()]
        function = write.function("sign(number: int) -> int", cases=cases, tries=[self.RIGHT])
        function = replace(function, spec=function.spec | {"sentences": [1, 2]})
        solved = solver.solve(function, double(), text="Write sign(number).\n\ndouble(7) == 14", settings=STANDARD)
        assert self.asked(solved) == 2
        assert solved.solution.notes == ()

    def test_what_only_begins_like_a_heading_needs_one(self, solve):
        """A number, say."""
        solved = solve([1, 2], [2], text="Write sign(number). It is 1, -1 or 0.\n\n#1 of all: nan gives 0\n")
        assert solved.solution.notes == ("sign: no case shows “#1 of all: nan gives 0”",)

    def test_one_that_no_case_can_show_is_left_alone(self, solve):
        """By its author's word."""
        solved = solve([2, 3], [2], no_case=[1])
        assert self.asked(solved) == 1
        assert solved["sign"].suite.without_case == ("Write sign(number).",)

    def test_an_author_that_names_none_is_not_asked(self, solve):
        """It may not know how."""
        assert self.asked(solve([], [])) == 1

    def test_at_quick_nobody_is_asked(self, solve):
        """Its word is taken."""
        assert self.asked(solve([1], [2], trust="quick")) == 1
