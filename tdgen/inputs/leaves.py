"""One step from a value that holds no others: numbers, times, bytes."""

from __future__ import annotations

import calendar
import datetime as dt
import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any

LARGE = 10**9 + 7


def ints(value: int) -> Iterator[int]:
    """Neighbours, the other sign, nothing, double and half, and large ones."""
    yield from (value + 1, value - 1, 0, 1, -value, value * 2, value // 2, 2, -1, value + 10, value * 10)
    digits = str(abs(value)) if abs(value) < 10**100 else ""
    if len(digits) > 1:
        yield from (int(digits[::-1]), int(digits[1:]), int(digits[:-1]), int(digits[0] * len(digits)))
    yield from (value * 100 + 1, -value - 1, LARGE)


def floats(value: float) -> Iterator[float]:
    """Neighbours, whole numbers, halves, tiny and large ones."""
    if not math.isfinite(value):
        yield from (0.0, 1.5, -value)
        return
    yield from (value + 1, value - 1, 0.0, -value, value * 2, value / 2, value + 0.5, round(value, 1) + 0.1)
    yield from (float(math.floor(value)), float(math.ceil(value)), value * 1.01, 1.0, 0.5, value * 1e6, value * 1e-6)
    yield from (float("inf"), float("nan"))


def decimals(value: Decimal) -> Iterator[Decimal]:
    """Neighbours by one and by the last place, the other sign, nothing, double."""
    one = Decimal(1)
    yield from (value + one, value - one, Decimal(0), -value, value * 2)
    if value.is_finite():
        last = Decimal((0, (1,), int(value.as_tuple().exponent)))
        yield from (value + last, value - last, value + Decimal("0.005"))


def fractions(value: Fraction) -> Iterator[Fraction]:
    """Neighbours, the other sign, nothing, the inverse."""
    yield from (value + 1, value - 1, Fraction(0), -value, value * 2, value / 3)
    if value:
        yield 1 / value


def blobs(value: bytes) -> Iterator[bytes]:
    """Bytes dropped, doubled, turned round, and the awkward ones."""
    yield from (value[1:], value[:-1], value + value[-1:], value[::-1], b"", value[:1], value * 2)
    yield from (value + b"\x00", b"\xff" + value, value.upper(), value.swapcase(), value + b"\n")


def dates(value: dt.date) -> Iterator[dt.date]:
    """The days around it, the month's ends, other months and years, leap days."""
    days = (1, -1, 7, -7, 30, -30, 365, -365)
    for step in days:
        if moved := _moved(value, dt.timedelta(days=step)):
            yield moved
    last = calendar.monthrange(value.year, value.month)[1]
    yield from (value.replace(day=1), value.replace(day=last), value.replace(month=12, day=31))
    yield from (value.replace(month=1, day=1), value.replace(year=2024, month=2, day=29))
    yield value.replace(year=1900, month=2, day=28)
    if isinstance(value, dt.datetime):
        for seconds in (1, -1, 60, 3600, -3600, 86_399):
            if moved := _moved(value, dt.timedelta(seconds=seconds)):
                yield moved
        yield value.replace(hour=0, minute=0, second=0, microsecond=0)
        yield value.replace(hour=23, minute=59, second=59)


def durations(value: dt.timedelta) -> Iterator[dt.timedelta]:
    """Longer, shorter, none, backwards."""
    for step in (1, -1, 60, 3600, 86_400):
        yield value + dt.timedelta(seconds=step)
    yield from (dt.timedelta(0), -value, value * 2, value / 2)


def paths(value: PurePosixPath) -> Iterator[PurePosixPath]:
    """Above it, below it, and under another ending."""
    yield from (value.parent, value / "a", PurePosixPath(value.name), value.parent / "a.b.c", PurePosixPath("."))
    if value.suffix:
        yield value.with_suffix("")


def clocks(value: str) -> Iterator[str]:
    """An ISO 8601 time moved as a datetime is."""
    try:
        moment = dt.datetime.fromisoformat(value)
    except ValueError:
        return
    for moved in dates(moment):
        yield moved.isoformat()


def _moved(value: Any, step: dt.timedelta) -> Any:
    try:
        return value + step
    except OverflowError:
        return None
