"""Moments and spans of time as numpy and pandas count them, as one number that compares, and as text."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from tdgen.values.kinds import Scalar, Stamp

_UNITS = {"W": 604_800 * 10**9, "D": 86_400 * 10**9, "h": 3_600 * 10**9, "m": 60 * 10**9, "s": 10**9}
_NANOSECONDS = {**_UNITS, "ms": 10**6, "us": 10**3, "ns": 1}
_DTYPE = re.compile(r"[<>]?(?:datetime64|timedelta64|[mM]8)\[(\d*)(\w+)\]")
_LONGEST = 1_000  # bits; Python writes no int of more than 4300 digits
_EPOCH = dt.datetime(1970, 1, 1)
_MICROSECOND = dt.timedelta(microseconds=1)


def moment_of(value: Any) -> tuple[str, int] | None:
    """A Timestamp, datetime, Timedelta or timedelta as its kind and its nanoseconds; None for anything else.

    A moment with a zone counts from 1970 in UTC, one without from 1970 where it is, and the two are not of one kind.
    """
    if type(value) is Stamp and value.kind in ("Timestamp", "Timedelta"):
        count = nanoseconds(value.parts[0])
        if value.kind == "Timedelta":
            return None if count is None else ("span", count)
        return None if count is None else ("moment" if value.parts[1] is None else "moment of a zone", count)
    if type(value) is dt.datetime:
        offset = value.utcoffset()
        naive = value.replace(tzinfo=None)
        if offset is None:
            return "moment", (naive - _EPOCH) // _MICROSECOND * 1_000
        return "moment of a zone", (naive - _EPOCH - offset) // _MICROSECOND * 1_000
    return ("span", value // _MICROSECOND * 1_000) if type(value) is dt.timedelta else None


def nanoseconds(scalar: Scalar) -> int | None:
    """What a scalar of datetime64 or timedelta64 counts, in nanoseconds; None in a unit of no fixed length."""
    match = _DTYPE.fullmatch(scalar.dtype)
    if match is None or match[2] not in _NANOSECONDS or type(scalar.value) is not int or len(match[1]) > 9:
        return None
    return scalar.value * int(match[1] or 1) * _NANOSECONDS[match[2]]


def moment_text(count: int) -> str:
    """Nanoseconds since 1970 as a date, with its time where it has one; as their number beyond the year 9999."""
    whole, rest = divmod(count, 10**9)
    try:
        moment = _EPOCH + dt.timedelta(seconds=whole)
    except OverflowError:
        return f"{_decimals(count)} ns since 1970"
    if not rest:
        return moment.date().isoformat() if moment.time() == dt.time() else moment.isoformat()
    return f"{moment.isoformat()}.{rest:09}".rstrip("0")


def span_text(count: int) -> str:
    """Nanoseconds in the largest unit that has a whole number of them."""
    units = ("D", "h", "m", "s", "ms", "us", "ns")
    unit = next(unit for unit in units if count % _NANOSECONDS[unit] == 0)
    return f"{_decimals(count // _NANOSECONDS[unit])} {unit}"


def _decimals(count: int) -> str:
    """A count in decimals, one that is too long for them in hex."""
    return str(count) if count.bit_length() <= _LONGEST else hex(count)
