"""Opening hours."""

import re
from datetime import datetime, time, timedelta

DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
TIMES = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])-(?:([01][0-9]|2[0-3]):([0-5][0-9])|24:00)")


def _days(text):
    """The numbers of the days."""
    days = []
    for part in text.split(","):
        ends = part.split("-")
        if len(ends) > 2 or any(end not in DAYS for end in ends):
            raise ValueError(f"not days: {part!r}")
        first, last = DAYS.index(ends[0]), DAYS.index(ends[-1])
        days += [(first + n) % 7 for n in range((last - first) % 7 + 1)]
    return days


def _times(text):
    """The spans in minutes from midnight; one past midnight ends after 1440."""
    if text == "closed":
        return []
    spans = []
    for part in text.split(","):
        match = TIMES.fullmatch(part)
        if match is None:
            raise ValueError(f"not a span of time: {part!r}")
        start = int(match[1]) * 60 + int(match[2])
        end = 1440 if match[3] is None else int(match[3]) * 60 + int(match[4])
        if start == end:
            raise ValueError(f"an empty span of time: {part!r}")
        spans.append((start, end if end > start else end + 1440))
    return spans


def _week(text):
    """The spans of each day."""
    week = [[] for _ in DAYS]
    for rule in text.split(";"):
        if not rule.strip():
            continue
        days, *rest = rule.strip().split(None, 1)
        spans = _times(rest[0] if rest else "")
        for day in _days(days):
            week[day] = week[day] + spans if spans else []
    return week


def _spans(text, when, days):
    """The spans that start on the day before and so many days from then on."""
    week = _week(text)
    for n in range(-1, days):
        day = datetime.combine(when.date(), time()) + timedelta(days=n)
        for start, end in week[day.weekday()]:
            yield day + timedelta(minutes=start), day + timedelta(minutes=end)


def is_open(text, when):
    """Whether it is open then."""
    return any(start <= when < end for start, end in _spans(text, when, 1))


def next_opening(text, when):
    """The earliest time from then on at which it is open."""
    return min((max(start, when) for start, end in _spans(text, when, 8) if when < end), default=None)
