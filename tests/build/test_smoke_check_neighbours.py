"""A repair that mends only what was shown of a fault goes back with a neighbour of it."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.usefixtures("patient")

WRONG = "return sorted(stamps)"
ONLY_TWO = "return sorted(stamps)[1:] if len(stamps) == 2 and stamps[0] == stamps[1] else sorted(stamps)"
RIGHT = "return sorted(set(stamps))"


def truth(stamps: list[int]) -> list[int]:
    return sorted(set(stamps))


@pytest.fixture
def unique(write):
    """`unique(stamps)`, each stamp once, with one case of two equal stamps; the tries are given."""

    def make(*tries: str):
        shown = ([3, 1, 2], [5, 5], [9, 4], [7], [1, 2], [8, 6, 7], [2, 3])
        return write.function(
            "unique(stamps: list[int]) -> list[int]",
            "The stamps in order, each once.",
            cases=[write.returns(f"unique({list(stamps)})", repr(truth(list(stamps)))) for stamps in shown],
            tries=[f"def unique(stamps: list[int]) -> list[int]:\n    {body}" for body in tries],
        )

    return make


def test_a_repair_that_serves_only_what_was_shown_goes_back_with_the_neighbour(known, unique):
    """Three equal stamps, where two were shown: they become a case of the author's, and the next repair sees it."""
    solved = known(unique(WRONG, ONLY_TWO, RIGHT), truth, search_seconds=0)
    assert solved.solution.all_tests_passed
    assert "set(stamps)" in solved["unique"].best.source
    asked = [call for call in solved.model.calls if call == "unique([5, 5, 5])"]
    assert len(asked) == 1
    assert "`unique([5, 5, 5])` returns `[5]`" in solved.prompts("repair")[1]


def test_nothing_is_asked_about_a_first_answer(known, unique):
    """It was bent to no case."""
    solved = known(unique(RIGHT), truth, search_seconds=0)
    assert solved.solution.all_tests_passed
    assert len(solved["unique"].history) == 1
    assert not any(request.sample == 6 for request in solved.model.asked if request.purpose == "settle")
