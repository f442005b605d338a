"""A budget is written in a few words, and each word that can't be meant is said."""

from typing import Any

import pytest
from pydantic import ValidationError

from tdgen.errors import InputError
from tdgen.settings import Budget, parse_budget


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        (
            "calls=40,tokens=100k,seconds=300,iterations=3",
            {"calls": 40, "tokens": 100_000, "seconds": 300, "iterations": 3},
        ),
        ("40", {"calls": 40}),
        (" calls = 40 , tokens = 2M ", {"calls": 40, "tokens": 2_000_000}),
        ("tokens=1.5k", {"tokens": 1500}),
        ("tokens=1_000_000", {"tokens": 1_000_000}),
        ("seconds=90s", {"seconds": 90}),
        ("seconds=10m", {"seconds": 600}),
        ("seconds=1.5h", {"seconds": 5400}),
        ("seconds=0.25", {"seconds": 0.25}),
        ("calls=0", {"calls": 0}),
        ("calls=none", {"calls": None}),
        ("seconds=None,calls=3", {"seconds": None, "calls": 3}),
        ("money=0.50", {"money": 0.5}),
        ("money=$2,calls=9", {"money": 2.0, "calls": 9}),
        ("money=0", {"money": 0.0}),
        ("none", {"calls": None, "tokens": None, "money": None, "seconds": None}),
    ],
)
def test_what_a_budget_says(text: str, limits: dict[str, Any]):
    """Only the limits that are named come back: the others keep what they were."""
    assert parse_budget(text) == limits


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "write it like calls=40"),
        ("calls=40,", "write it like calls=40"),
        ("calls=", "write it like calls=40"),
        ("tokens=1,000", "write it like calls=40"),
        ("cals=40", r"no limit 'cals' \(did you mean calls\?\)"),
        ("calls=3,calls=4", "calls is given twice"),
        ("many", "calls: 'many' is no number"),
        ("calls=-1", "calls: '-1' is no number"),
        ("calls=3s", "calls: '3s' is no number"),
        ("tokens=1e999", "tokens: '1e999' is no number"),
        ("tokens=" + "9" * 400, "tokens: '999"),
        ("seconds=5k", "seconds: '5k' is no number"),
        ("seconds=nan", "seconds: 'nan' is no number"),
        ("money=50c", "money: '50c' is no number"),
        ("money=$", "money: '' is no number"),
        ("money=-1", "money: '-1' is no number"),
        ("money=inf", "money: 'inf' is no number"),
        ("calls=1.5", "calls: 1.5 is refused: it should be a valid integer"),
        ("iterations=0", "iterations: 0 is refused: it should be greater than or equal to 1"),
        ("iterations=none", "iterations: None is refused"),
    ],
)
def test_what_is_no_budget(text: str, said: str):
    """One line says which limit, and what is wrong with it."""
    with pytest.raises(InputError, match=said) as caught:
        parse_budget(text)
    assert "\n" not in str(caught.value)


def test_a_budget_reads_the_same_words():
    """A limit may be text wherever a budget is made of data."""
    assert Budget.model_validate({"tokens": "100k", "seconds": "5m", "calls": "none"}) == Budget(
        tokens=100_000, seconds=300, calls=None
    )


@pytest.mark.parametrize(
    "limits",
    [{"calls": -1}, {"seconds": float("nan")}, {"seconds": float("inf")}, {"money": float("nan")}, {"cents": 3}],
)
def test_a_budget_is_strict(limits: dict[str, Any]):
    """No negative, no endless and no unknown limits."""
    with pytest.raises(ValidationError):
        Budget.model_validate(limits)
