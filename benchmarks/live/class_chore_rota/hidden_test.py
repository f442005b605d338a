import dataclasses
from datetime import date

import pytest

import solution
from solution import Chore


def may(day):
    return date(2024, 5, day)


def names(chores):
    return [chore.name for chore in chores]


def test_chore_is_a_dataclass():
    chore = Chore("bins", 7, 10)
    assert dataclasses.is_dataclass(chore)
    assert (chore.name, chore.every, chore.minutes, chore.last) == ("bins", 7, 10, None)
    assert chore == Chore("bins", 7, 10, None)


def test_due_on():
    assert Chore("bins", 7, 10, may(28)).due_on == date(2024, 6, 4)
    assert Chore("bins", 7, 10).due_on is None


def test_is_due():
    chore = Chore("bins", 7, 10, may(3))
    assert [chore.is_due(may(day)) for day in (3, 9, 10, 11)] == [False, False, True, True]
    assert Chore("bins", 7, 10).is_due(may(1)) is True


def test_days_late():
    chore = Chore("bins", 7, 10, may(3))
    assert [chore.days_late(may(day)) for day in (4, 9, 10, 11, 20)] == [0, 0, 0, 1, 10]
    assert Chore("bins", 7, 10).days_late(may(20)) == 0


def test_done():
    chore = Chore("bins", 7, 10)
    chore.done(may(3))
    assert (chore.last, chore.is_due(may(4))) == (may(3), False)
    chore.done(may(3))
    with pytest.raises(ValueError) as caught:
        chore.done(may(2))
    assert str(caught.value) == "bins: done on 2024-05-03 already"
    assert chore.last == may(3)
    chore.done(may(5))
    assert chore.due_on == may(12)


def test_due_list():
    chores = [
        Chore("floor", 7, 30, may(10)),
        Chore("bins", 2, 5, may(10)),
        Chore("oven", 30, 60),
        Chore("bath", 6, 40, may(10)),
        Chore("fridge", 7, 20, may(11)),
    ]
    before = names(chores)
    found = solution.due_list(chores, may(17))
    assert names(found) == ["bins", "bath", "oven", "floor"]
    assert found[0] is chores[1]
    assert names(chores) == before


def test_due_list_of_equals():
    chores = [Chore("c", 1, 5), Chore("a", 1, 5), Chore("d", 1, 9), Chore("b", 1, 5)]
    assert names(solution.due_list(chores, may(1))) == ["d", "a", "b", "c"]


def test_share_out_by_minutes():
    chores = [Chore("oven", 1, 60), Chore("bath", 1, 25), Chore("floor", 1, 20), Chore("bins", 1, 10)]
    assert solution.share_out(chores, ["Ida", "Jo"], may(1)) == {"Ida": ["oven"], "Jo": ["bath", "floor", "bins"]}


def test_share_out_ties():
    chores = [Chore(name, 1, 10) for name in "abcde"]
    found = solution.share_out(chores, ["Zoe", "Ida", "Moe"], may(1))
    assert found == {"Zoe": ["a", "d"], "Ida": ["b", "e"], "Moe": ["c"]}
    assert list(found) == ["Zoe", "Ida", "Moe"]


def test_share_out_changes_no_chore():
    chores = [Chore("bins", 7, 10, may(1)), Chore("oven", 30, 60, may(1))]
    assert solution.share_out(chores, ["Ida", "Jo"], may(9)) == {"Ida": ["bins"], "Jo": []}
    assert solution.share_out(chores, ["Ida", "Jo"], may(9)) == {"Ida": ["bins"], "Jo": []}
    assert [chore.last for chore in chores] == [may(1), may(1)]


def test_nobody_there():
    with pytest.raises(ValueError) as caught:
        solution.share_out([Chore("bins", 7, 10)], [], may(1))
    assert str(caught.value) == "nobody there"
    assert solution.share_out([Chore("bins", 7, 10, may(1))], [], may(1)) == {}


def test_tick_off():
    chores = [Chore("bins", 7, 10), Chore("oven", 30, 60), Chore("bath", 5, 20, may(1))]
    assert solution.tick_off(chores, ["bath", "bins", "bath"], may(6)) == 2
    assert [chore.last for chore in chores] == [may(6), None, may(6)]
    assert names(solution.due_list(chores, may(11))) == ["oven", "bath"]
    assert solution.tick_off(chores, [], may(6)) == 0


def test_tick_off_unknown():
    chores = [Chore("bins", 7, 10), Chore("oven", 30, 60)]
    with pytest.raises(solution.UnknownChore) as caught:
        solution.tick_off(chores, ["bins", "moat", "pool"], may(6))
    assert isinstance(caught.value, LookupError)
    assert caught.value.name == "moat"
    assert [chore.last for chore in chores] == [None, None]


def test_tick_off_too_early():
    chores = [Chore("bins", 7, 10), Chore("oven", 30, 60, may(9))]
    with pytest.raises(ValueError) as caught:
        solution.tick_off(chores, ["bins", "oven", "moat"], may(6))
    assert str(caught.value) == "oven: done on 2024-05-09 already"
    assert [chore.last for chore in chores] == [None, may(9)]
    with pytest.raises(solution.UnknownChore):
        solution.tick_off(chores, ["bins", "moat", "oven"], may(6))
    assert chores[0].last is None
