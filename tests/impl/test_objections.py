"""An expected exception counts where the code checks for it, or the input is rejected in the usual way."""

from __future__ import annotations

import pytest

from tdgen.impl.objections import ACCIDENT, accidents
from tdgen.types import Case, ExpectedException, Frame, Raised, Value, Verdict

REJECTED = {
    "a raise of the code": ("builtins.ValueError", "no such reviewer", "raise ValueError('no such reviewer')"),
    "a number that can't be read": (
        "builtins.ValueError",
        "invalid literal for int() with base 10: 'x'",
        "n = int(text)",
    ),
    "a key that is not there": ("builtins.KeyError", "'x'", "return stock[name]"),
    "an index out of range": ("builtins.IndexError", "list index out of range", "return rows[at]"),
    "a date that does not exist": ("builtins.ValueError", "day is out of range for month", "date(year, month, day)"),
    "a class of the module's own": ("kit.StockError", "x not in list", "check(name)"),
}
ACCIDENTS = {
    "a list that lacks an item": (
        "builtins.ValueError",
        "list.remove(x): x not in list",
        "open_authors.remove(author)",
    ),
    "a row of another length": ("builtins.ValueError", "not enough values to unpack (expected 2, got 1)", "a, b = row"),
    "an attribute of None": ("builtins.AttributeError", "'NoneType' object has no attribute 'group'", "m.group(1)"),
    "a variable never set": ("builtins.UnboundLocalError", "cannot access local variable 'best'", "return best"),
    "a generator at its end": ("builtins.StopIteration", "", "return next(matches)"),
}


def passing(kind: str, message: str, line: str) -> tuple[Case, Verdict]:
    raised = Raised(
        types=(kind, "builtins.Exception"), message=message, frames=(Frame(function="f", line=3, text=line),)
    )
    expectation = ExpectedException(type=kind.rpartition(".")[2])
    case = Case(name="rejected", function="f", arguments=("1",), expectation=expectation)
    return case, Verdict(function="f", case="rejected", passed=True, status="raised", raised=raised)


@pytest.mark.parametrize("how", REJECTED.values(), ids=REJECTED)
def test_what_rejects_an_input_is_no_accident(how):
    """The code's own check, and what Python says of an input."""
    case, verdict = passing(*how)
    assert accidents([case], [verdict]) == ()


@pytest.mark.parametrize("how", ACCIDENTS.values(), ids=ACCIDENTS)
def test_what_speaks_of_the_codes_own_data_is_one(how):
    """It names the line and what Python said, so that the author can tell whether it is meant."""
    case, verdict = passing(*how)
    (told,) = accidents([case], [verdict])
    assert ACCIDENT in told
    assert how[2] in told
    assert "f(1)" in told


def test_what_fails_or_expects_a_value_is_not_asked_about():
    """A failing case says enough by itself."""
    case, verdict = passing(*ACCIDENTS["a list that lacks an item"])
    assert accidents([case], [verdict.model_copy(update={"passed": False})]) == ()
    assert accidents([case.model_copy(update={"expectation": Value(source="1")})], [verdict]) == ()


def test_what_the_case_itself_raises_is_none():
    """A function that it passes in; the code lets its exception through."""
    case, verdict = passing("builtins.StopIteration", "", "results.append(work(item))")
    setup = "def work(item):\n    raise StopIteration"
    assert accidents([case.model_copy(update={"setup": setup})], [verdict]) == ()
    assert accidents([case.model_copy(update={"setup": "items = ["})], [verdict]) != ()
