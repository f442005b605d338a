"""Bills of a water cooperative."""

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from itertools import pairwise

_READING = re.compile(r"([0-9]{4})-([0-9]{2}) ([0-9]+)(e?)")
_CENT = Decimal("0.01")


class ReadingError(ValueError):
    """A reading that can't be."""


@dataclass(frozen=True)
class Reading:
    year: int
    month: int
    value: int
    estimated: bool


def parse_reading(line):
    match = _READING.fullmatch(line.strip())
    if match is None or not 1 <= int(match[2]) <= 12:
        raise ReadingError(f"not a reading: {line!r}")
    return Reading(int(match[1]), int(match[2]), int(match[3]), bool(match[4]))


def months_between(previous, current):
    months = (current.year - previous.year) * 12 + current.month - previous.month
    if months < 1:
        raise ReadingError(f"{current} does not come after {previous}")
    return months


def used(previous, current, digits):
    size = 10**digits
    for reading in (previous, current):
        if reading.value >= size:
            raise ReadingError(f"{reading.value} has more than {digits} digits")
    return (current.value - previous.value) % size


def price(units, months, tiers):
    amount = Decimal(0)
    below = 0
    for limit, rate in tiers:
        top = units if limit is None else min(units, limit * months)
        if top > below:
            amount += (top - below) * rate
            below = top
    return amount


def bill(text, digits, tiers):
    readings = [parse_reading(line) for line in text.splitlines() if line.strip()]
    actual = [reading for reading in readings if not reading.estimated]
    lines = []
    total = Decimal("0.00")
    for previous, current in pairwise(actual):
        units = used(previous, current, digits)
        amount = price(units, months_between(previous, current), tiers).quantize(_CENT, ROUND_HALF_UP)
        total += price(units, months_between(previous, current), tiers)
        span = f"{previous.year:04}-{previous.month:02} to {current.year:04}-{current.month:02}"
        lines.append(f"{span}: {units} units, {amount}")
    return "\n".join([*lines, f"total: {total.quantize(_CENT, ROUND_HALF_UP)}"])
