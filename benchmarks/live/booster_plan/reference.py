"""Vaccination cards."""

import re
from calendar import monthrange
from datetime import timedelta
from typing import NamedTuple

EARLY = timedelta(days=4)


class PlanError(ValueError):
    """A text that is no plan."""


class Interval(NamedTuple):
    number: int
    unit: str


def parse_plan(text):
    if not text.strip():
        return []
    intervals = []
    for part in text.split(","):
        match = re.fullmatch(r"([0-9]+)([dwm])", part.strip())
        if match is None or int(match[1]) < 1:
            raise PlanError(f"not an interval: {part!r}")
        intervals.append(Interval(int(match[1]), match[2]))
    return intervals


def add_interval(day, interval):
    if interval.unit == "d":
        return day + timedelta(days=interval.number)
    if interval.unit == "w":
        return day + timedelta(weeks=interval.number)
    years, month = divmod(day.month - 1 + interval.number, 12)
    last = monthrange(day.year + years, month + 1)[1]
    return day.replace(year=day.year + years, month=month + 1, day=min(day.day, last))


def valid_doses(plan, given):
    intervals = parse_plan(plan)
    counted = []
    for day in sorted(given):
        if len(counted) > len(intervals):
            break
        if not counted or day >= add_interval(counted[-1], intervals[len(counted) - 1]) - EARLY:
            counted.append(day)
    return counted


def next_due(plan, given):
    intervals = parse_plan(plan)
    counted = valid_doses(plan, given)
    if not counted or len(counted) > len(intervals):
        return None
    return add_interval(counted[-1], intervals[len(counted) - 1])


def status(plan, given, today):
    past = [day for day in given if day <= today]
    counted = valid_doses(plan, past)
    if not counted:
        return "not started"
    due = next_due(plan, past)
    if due is None:
        told = "complete"
    elif due >= today:
        told = f"due on {due.isoformat()}"
    else:
        late = (today - due).days
        told = f"overdue by {late} day" + ("" if late == 1 else "s")
    return f"{told} ({len(counted)}/{len(parse_plan(plan)) + 1})"
