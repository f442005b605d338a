"""Edits that pass alike and part elsewhere: what the contract says of a call on which they part tells the right one."""

from __future__ import annotations

import pytest

SEARCHING = {"search_seconds": 30, "trust": "quick"}


@pytest.fixture
def near(write):
    """`near(a, b)`, whether two numbers are at most 1 apart, with cases that many edits of a wrong body pass."""

    def make(*tries: str, **more):
        pairs = ((1, 1), (4, 5), (9, 9), (2, 3))
        cases = [write.returns(f"near({a}, {b})", "True", name=f"near_{a}_{b}") for a, b in pairs]
        return write.function(
            "near(a: int, b: int) -> bool",
            "Whether two numbers are at most 1 apart.",
            cases=cases,
            tries=[f"def near(a: int, b: int) -> bool:\n    {body}" for body in tries],
            **more,
        )

    return make


def truth(a: int, b: int) -> bool:
    return abs(a - b) <= 1


ONE_OFF = "return abs(a - b) < 1"
RIGHT = "return abs(a - b) <= 1"


@pytest.mark.usefixtures("patient")
class TestEditsThatPart:
    """`<= 1`, `< 2` and a body that always says yes pass the same cases."""

    def test_are_told_apart_by_what_the_contract_says(self, known, near):
        """The author sees calls alone; what it says joins the suite, and the developer sees the edit that is left."""
        solved = known(near(ONE_OFF, RIGHT, RIGHT), truth, **SEARCHING)
        assert solved.solution.all_tests_passed
        assert [attempt.rung for attempt in solved["near"].history] == ["first", "mechanical", "repair"]
        (prompt, *_) = solved.prompts("settle")
        assert "abs(" not in prompt
        told = [case for case in solved["near"].suite.cases if case.provenance == "survivor"]
        assert "False" in [case.expectation.source for case in told]
        assert not {case.name for case in told} & solved["near"].suite.held_out

    def test_go_to_the_model_where_none_is_right(self, known, near):
        """What was settled stays in the suite that the repair is judged by."""
        odd = "return a % 2 == b % 2"
        solved = known(near(odd, "return abs(a - b) <= 1"), truth, **SEARCHING)
        assert solved.solution.all_tests_passed
        assert "abs(a - b) <= 1" in solved["near"].best.source

    def test_are_chosen_by_their_number_where_the_contract_leaves_it_open(self, known, near):
        """The suite stays as it was, and the author is asked once."""
        solved = known(near(ONE_OFF, RIGHT, RIGHT), lambda a, b: None, **SEARCHING)
        assert [attempt.rung for attempt in solved["near"].history] == ["first", "mechanical", "repair"]
        assert len(solved["near"].suite.cases) == 4

    def test_are_chosen_by_their_number_where_no_call_is_to_spare(self, known, near):
        """The search itself costs nothing; that nobody could be asked to confirm_cases its edit leaves it undecided."""
        solved = known(near(ONE_OFF), truth, **SEARCHING, budget="calls=3")
        assert [attempt.rung for attempt in solved["near"].history] == ["first", "mechanical"]
        assert solved["near"].outcome == "undecided"
        assert not solved.prompts("settle")
