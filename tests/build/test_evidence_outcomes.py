"""What a case expects and what was seen, in the same words: nothing but the values tells one from the other."""

from __future__ import annotations

from typing import Any

import pytest

from tdgen.build.evidence import JudgedCall, expected_outcome, lines_together, observed_outcome, outcome_lines
from tdgen.judge import Expected
from tdgen.types import (
    After,
    Case,
    Check,
    Exits,
    ExpectedException,
    Logged,
    Observation,
    Pattern,
    Raised,
    Value,
    Verdict,
)
from tdgen.values.encode import encode


def case(**more: Any) -> Case:
    return Case(**{"name": "it", "function": "f", "arguments": ("4",), "expectation": Value(source="1 + 1")} | more)


def returned(value: object = 2, **more: Any) -> Observation:
    return Observation(name="it", status="returned", value=encode(value), **more)


def raised(kind: str, message: str = "", exit_code: int | None = None) -> Observation:
    what = Raised(types=(kind,), message=message, exit_code=exit_code)
    return Observation(name="it", status="raised", raised=what)


LOGGED = (Logged(logger="app", level="INFO", message="done"),)
EXPECTED = {
    "a value, as it is evaluated": (case(), Expected(value=encode(2)), "returns `2`"),
    "what can't be evaluated, as its source": (case(), Expected(problem="no"), "returns `1 + 1`"),
    "an exception": (case(expectation=ExpectedException(type="errors.Late")), Expected(), "raises Late"),
    "a message": (
        case(expectation=ExpectedException(type="ValueError", match="odd")),
        Expected(),
        "raises ValueError with a message in which 'odd' is found",
    ),
    "a check": (
        case(expectation=Check(source="result > 1")),
        Expected(),
        "returns a result for which `result > 1` holds",
    ),
    "an exit code": (case(expectation=Exits(code=2)), Expected(), "ends with exit code 2"),
    "all that it looks at": (
        case(
            stdout="a\n",
            stderr=Pattern(match="b"),
            files={"x": "1", "y": None},
            logs=LOGGED,
            after=(After(expression="n", source="3"),),
        ),
        Expected(value=encode(2), after=(encode(3),)),
        "returns `2`; prints to stdout 'a\\n'; prints to stderr a text in which 'b' is found; "
        "afterwards the file 'x' holds '1'; afterwards there is no file 'y'; logs INFO 'done' by 'app'; "
        "afterwards `n` gives `3`",
    ),
}
SEEN = {
    "a value": (case(), returned([1]), "returns `[1]`"),
    "an exception": (case(), raised("builtins.KeyError", "'x'"), "raises KeyError"),
    "an exception of a class": (case(), raised("kit.crew.Roster.Error", "'x'"), "raises Roster.Error"),
    "a message, where one is looked at": (
        case(expectation=ExpectedException(type="ValueError", match="odd")),
        raised("builtins.ValueError", "even"),
        "raises ValueError with the message 'even'",
    ),
    "an exit code": (
        case(expectation=Exits(code=2)),
        raised("builtins.SystemExit", exit_code=1),
        "ends with exit code 1",
    ),
    "a script that goes to its end": (case(expectation=Exits(code=2)), returned(None), "ends with exit code 0"),
    "an exit where none is expected": (
        case(),
        raised("builtins.SystemExit", exit_code=1),
        "raises SystemExit, which ends with exit code 1",
    ),
    "all that the case looks at, and nothing else": (
        case(stdout="a", files={"x": "1", "y": None}, logs=LOGGED, after=(After(expression="n", source="3"),)),
        returned(stdout="", stderr="unasked", files={"y": "2", "z": "3"}, after=(encode(4),)),
        "returns `2`; prints nothing to stdout; afterwards there is no file 'x'; afterwards the file 'y' holds '2'; "
        "logs nothing; afterwards `n` gives `4`",
    ),
    "what was not evaluated": (
        case(after=(After(expression="n", source="3"),)),
        returned(),
        "returns `2`; afterwards `n` was not evaluated",
    ),
}


@pytest.mark.parametrize(("case", "expected", "text"), EXPECTED.values(), ids=EXPECTED)
def test_what_a_case_expects(case, expected, text):
    """Its parts in one order, values by their repr."""
    assert lines_together([expected_outcome(case, expected)]) == [text]


@pytest.mark.parametrize(("case", "seen", "text"), SEEN.values(), ids=SEEN)
def test_what_was_seen(case, seen, text):
    """The same parts in the same order."""
    assert lines_together([observed_outcome(case, seen)]) == [text]


def verdict(*, passed: bool) -> Verdict:
    return Verdict(function="f", case="it", passed=passed, status="returned")


def test_calls_are_told_after_what_is_expected():
    """One that passes came to just that, one that came to no end has no line."""
    calls = [
        JudgedCall(verdict(passed=True), returned(2.0)),
        JudgedCall(verdict(passed=False), Observation(name="it", status="timeout")),
        JudgedCall(verdict(passed=False), returned(3)),
    ]
    assert outcome_lines(case(), Expected(value=encode(2)), calls) == ["returns `2`", "returns `2`", "", "returns `3`"]


def test_long_parts_are_cut_around_what_differs():
    """All at the same place; what is alike before and after it is left out."""
    text = "x" * 5_000
    one, other = lines_together(
        [observed_outcome(case(stdout=""), returned(stdout=f"{text}{letter}{text}")) for letter in "ab"]
    )
    assert one.replace("a", "b") == other != one
    assert one.startswith("returns `2`; prints to stdout …xxx")
    assert one.endswith("…")
    assert len(one) < 2_000
