import copy
from datetime import date, timedelta

import pytest

import solution

TODAY = date(2024, 3, 31)


def item(number, kind="Umbrella", colour="black", found=date(2024, 3, 10)):
    return {"id": number, "kind": kind, "colour": colour, "found": found}


def claim(name, kind="Umbrella", lost=date(2024, 3, 1), **more):
    return {"name": name, "kind": kind, "lost": lost, **more}


def test_match():
    assert solution.match_claims([item(1)], [claim("Ann", colour="black")], TODAY) == [("Ann", 1)]


def test_nothing():
    assert solution.match_claims([], [], TODAY) == []
    assert solution.match_claims([item(1)], [], TODAY) == []
    assert solution.match_claims([], [claim("Ann")], TODAY) == []


def test_other_kind_or_colour():
    assert solution.match_claims([item(1)], [claim("Ann", kind="Hat")], TODAY) == []
    assert solution.match_claims([item(1)], [claim("Ann", colour="red")], TODAY) == []


@pytest.mark.parametrize("more", [{}, {"colour": None}])
def test_colour_not_remembered(more):
    assert solution.match_claims([item(1, colour="red")], [claim("Ann", **more)], TODAY) == [("Ann", 1)]


def test_case_and_spaces():
    items = [item(1, kind=" umbrella", colour="BLACK ")]
    assert solution.match_claims(items, [claim("Ann", kind="Umbrella  ", colour=" Black")], TODAY) == [("Ann", 1)]


@pytest.mark.parametrize(("days", "fits"), [(-1, False), (0, True), (30, True), (31, False)])
def test_days_after_the_loss(days, fits):
    lost = date(2024, 2, 1)
    items = [item(1, found=lost + timedelta(days=days))]
    assert solution.match_claims(items, [claim("Ann", lost=lost)], TODAY) == ([("Ann", 1)] if fits else [])


@pytest.mark.parametrize(("days", "fits"), [(0, True), (90, True), (91, False)])
def test_days_with_us(days, fits):
    found = TODAY - timedelta(days=days)
    assert solution.match_claims([item(1, found=found)], [claim("Ann", lost=found)], TODAY) == ([("Ann", 1)] if fits else [])


def test_earlier_loss_first():
    claims = [claim("Bob", lost=date(2024, 3, 5)), claim("Ann", lost=date(2024, 3, 2))]
    assert solution.match_claims([item(1)], claims, TODAY) == [("Ann", 1)]


def test_found_first():
    items = [item(1, found=date(2024, 3, 9)), item(2, found=date(2024, 3, 8))]
    claims = [claim("Bob", lost=date(2024, 3, 5)), claim("Ann", lost=date(2024, 3, 2))]
    assert solution.match_claims(items, claims, TODAY) == [("Ann", 2), ("Bob", 1)]


def test_smallest_id():
    assert solution.match_claims([item(10), item(9), item(11)], [claim("Ann")], TODAY) == [("Ann", 9)]


def test_one_each():
    claims = [claim("Ann", lost=date(2024, 3, 2)), claim("Bob", lost=date(2024, 3, 3)), claim("Cem", lost=date(2024, 3, 4))]
    assert solution.match_claims([item(1), item(2)], claims, TODAY) == [("Ann", 1), ("Bob", 2)]


def test_no_thinking_ahead():
    # Ann takes the black one found first, although she would be content with the red one
    items = [item(1), item(2, colour="red", found=date(2024, 3, 11))]
    claims = [claim("Ann", lost=date(2024, 3, 2)), claim("Bob", lost=date(2024, 3, 3), colour="black")]
    assert solution.match_claims(items, claims, TODAY) == [("Ann", 1)]


def test_a_claim_without_luck_between():
    claims = [claim("Ann", lost=date(2024, 3, 2)), claim("Bob", kind="Hat", lost=date(2024, 3, 3)), claim("Cem", lost=date(2024, 3, 4))]
    assert solution.match_claims([item(1), item(2)], claims, TODAY) == [("Ann", 1), ("Cem", 2)]


def test_same_name_twice():
    claims = [claim("Ann", lost=date(2024, 3, 2)), claim("Ann", kind="hat", lost=date(2024, 3, 3))]
    assert solution.match_claims([item(1), item(2, kind="Hat")], claims, TODAY) == [("Ann", 1), ("Ann", 2)]


def test_nothing_is_changed():
    items = [item(2), item(1, kind=" Umbrella ")]
    claims = [claim("Bob", lost=date(2024, 3, 5)), claim("Ann", lost=date(2024, 3, 2), colour=" BLACK")]
    before = copy.deepcopy((items, claims))
    solution.match_claims(items, claims, TODAY)
    assert (items, claims) == before
