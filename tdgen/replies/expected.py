"""What a call must give, out of the words in which models say it."""

from __future__ import annotations

from tdgen.types import Check, Expectation, ExpectedException, Tolerance, Value


def expected(expect: str, value: str, *, match: str = "", relative: float = 0.0) -> Expectation:
    """The expectation of an answer's fields; whatever is neither `raises` nor `check` is a value.

    `value` is the source of a value, an exception's name or a predicate; `match` the pattern of a message, and
    `relative` how far off a float may be (0 or less: as tdgen has it).
    """
    source = value.strip()
    if expect == "raises":
        return ExpectedException(type=source, match=match)
    if expect == "check":
        return Check(source=source)
    return Value(source=source, tolerance=Tolerance(rel=relative) if relative > 0 else Tolerance())
