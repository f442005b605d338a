"""Weeks of the payroll year."""

import re
from datetime import date, timedelta

SATURDAY = 5


def week_label(day):
    year = day.year if day >= date(day.year, 4, 1) else day.year - 1
    return f"PY{year:04}-W{(day - _start(year)).days // 7 + 1:02}"


def week_days(label):
    match = re.fullmatch(r"PY([0-9]{4})-W([0-9]{2})", label)
    if match is None:
        raise ValueError(f"not a payroll week: {label!r}")
    year, week = int(match[1]), int(match[2])
    first = _start(year) + timedelta(weeks=week - 1)
    if week < 1 or first >= _start(year + 1):
        raise ValueError(f"no such week: {label!r}")
    return first, first + timedelta(days=6)


def _start(year):
    """The Saturday with which a payroll year starts."""
    april = date(year, 4, 1)
    return april - timedelta(days=(april.weekday() - SATURDAY) % 7)
