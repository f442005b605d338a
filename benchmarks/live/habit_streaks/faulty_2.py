"""Streaks of ticked days."""

from datetime import timedelta

ONE = timedelta(days=1)


def _streak(ticked, last):
    """The longest streak that ends on that ticked day: its length and its first day."""
    weeks = set()
    length, first = 1, last
    while True:
        if first - ONE in ticked:
            first -= ONE
        elif first - 2 * ONE in ticked and (first - ONE).isocalendar()[:2] not in weeks:
            weeks.add((first - ONE).isocalendar()[:2])
            first -= 2 * ONE
            length += 1
        else:
            return length, first
        length += 1


def longest_streak(days):
    """The length, the first and the last day of the longest streak."""
    ticked = set(days)
    best = None
    for last in sorted(ticked):
        length, first = _streak(ticked, last)
        if best is None or length >= best[0]:
            best = length, first, last
    return best


def current_streak(days, today):
    """The length of the streak that ends today or yesterday."""
    ticked = {day for day in days if day <= today}
    for last in (today, today - ONE):
        if last in ticked:
            return _streak(ticked, last)[0]
    return 0
