"""What is owed stays owed, and the rest is divided by weight."""

import pytest

from tdgen.models.quota import Quotas, divided


@pytest.mark.parametrize(
    ("whole", "weights", "parts"),
    [
        (12, {"a": 1, "b": 2, "c": 3}, {"a": 2, "b": 4, "c": 6}),
        (5, {"a": 1, "b": 1, "c": 1}, {"a": 2, "b": 2, "c": 1}),
        (1, {"a": 1, "b": 3}, {"a": 0, "b": 1}),
        (0, {"a": 1}, {"a": 0}),
        (7, {}, {}),
    ],
)
def test_a_whole_is_divided_into_wholes(whole, weights, parts):
    """The largest claims get what is left over; of equal ones the first."""
    assert divided(whole, weights) == parts


@pytest.fixture
def shares():
    """Three functions, ten calls left: three are owed to code, one to cases, six divided 1 : 2 : 3."""
    shares = Quotas()
    shares.plan({"simple": 1, "medium": 2, "complex": 3}, ["simple"], 10)
    return shares


def test_what_is_owed(shares):
    """A first implementation each, and cases where they are missing."""
    assert shares.owed == 4
    assert shares.debt("implement", "simple") == ("implement", "simple")
    assert shares.debt("cases", "medium") is None


@pytest.mark.parametrize(("name", "part"), [("simple", 1), ("medium", 2), ("complex", 3)])
def test_each_has_its_own_part(shares, name, part):
    """By its complexity, beyond what is owed."""
    assert shares.spare(name, 10) == part


def test_a_first_call_pays_a_debt_and_the_next_does_not(shares):
    """It takes from the function's own part then."""
    assert shares.begin("implement", "complex") == ("implement", "complex")
    assert shares.spare("complex", 9) == 3
    assert shares.begin("repair", "complex") is None
    assert shares.spare("complex", 8) == 2
    assert shares.spare("simple", 8) == 1


def test_a_repair_of_kept_code_needs_no_first_implementation(shares):
    """What is repaired has code already."""
    assert shares.begin("repair", "medium") == ("implement", "medium")


def test_a_call_that_failed_is_owed_again(shares):
    """What it cost all the same is taken from the function's own part."""
    debt = shares.begin("implement", "complex")
    shares.fail("complex", debt, calls=1)
    assert shares.debt("implement", "complex") is not None
    assert shares.spare("complex", 9) == 2


def test_a_failed_call_that_cost_nothing_leaves_everything_as_it_was(shares):
    """Whether it was owed or not."""
    shares.fail("complex", shares.begin("implement", "complex"), calls=0)
    shares.begin("implement", "complex")
    shares.fail("complex", shares.begin("repair", "complex"), calls=0)
    assert shares.spare("complex", 9) == 3


def test_an_answer_that_was_there_pays(shares):
    """Without a call."""
    shares.pay("implement", "complex")
    assert shares.owed == 3
    assert shares.spare("complex", 10) == 4


def test_what_an_ended_function_leaves_is_for_the_others(shares):
    """Its part and what it was owed."""
    shares.end("complex")
    assert shares.owed == 3
    assert shares.spare("medium", 10) == 6
    shares.end("simple")
    assert shares.spare("medium", 10) == 9


def test_whoever_takes_more_than_its_part_takes_from_those_that_come(shares):
    """Others' own parts are kept from them as long as there is something."""
    for _ in range(4):
        shares.begin("repair", "complex")
    assert shares.spare("complex", 6) == 0
    assert shares.spare("simple", 6) == 1


def test_helpers_are_taken_in(shares):
    """They are owed their own code and cases, and what is left is divided anew."""
    shares.end("simple")
    shares.plan({"helper": 1}, ["helper"], 10)
    assert shares.owed == 4
    assert [shares.spare(name, 10) for name in ("helper", "medium", "complex")] == [1, 2, 3]


def test_a_function_that_was_never_planned_has_what_nobody_else_needs(shares):
    """Nothing of the others' parts."""
    assert shares.spare("stranger", 10) == 0
    assert shares.spare("stranger", 12) == 2


def test_without_a_limit_only_debts_are_kept():
    """There is nothing to divide."""
    shares = Quotas()
    shares.plan({"f": 1}, ["f"], None)
    assert shares.owed == 2
    assert shares.spare("f", 5) == 3
