import re
from datetime import date, timedelta

_DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


def _parse_when(word):
    kind, _, rest = word.partition(":")
    items = set(rest.split(","))
    if kind == "week":
        if not items <= set(_DAYS):
            raise ValueError("malformed week days: " + word)
        return kind, {_DAYS.index(item) for item in items}
    if kind != "month":
        raise ValueError("malformed rule: " + word)
    days = set()
    for item in items:
        if item == "last":
            days.add(31)
        elif re.fullmatch(r"[1-9]|[12][0-9]|3[01]", item):
            days.add(int(item))
        else:
            raise ValueError("malformed days: " + word)
    return kind, days


def _parse_date(text):
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        raise ValueError("malformed date: " + text)
    return date.fromisoformat(text)


def _is_due(day, kind, wanted):
    if kind == "week":
        return day.weekday() in wanted
    if day.day in wanted:
        return True
    is_last = (day + timedelta(days=1)).month != day.month
    return False


def due_dates(rule, first, last):
    words = rule.split()
    if not words:
        raise ValueError("empty rule")
    kind, wanted = _parse_when(words[0])
    move = None
    dates_out = set()
    months_out = set()
    result = set()
    for word in words[1:]:
        if word in ("prev", "next"):
            if move is not None:
                raise ValueError("only one of prev and next")
            move = word
        elif word.startswith("+"):
            result.add(_parse_date(word[1:]))
        elif re.fullmatch(r"-[0-9]{4}-[0-9]{2}", word):
            month = date.fromisoformat(word[1:] + "-01")
            months_out.add((month.year, month.month))
        elif word.startswith("-"):
            dates_out.add(_parse_date(word[1:]))
        else:
            raise ValueError("unknown word: " + word)
    day = first - timedelta(days=2)
    while day <= last + timedelta(days=2):
        left_out = day in dates_out or (day.year, day.month) in months_out
        if _is_due(day, kind, wanted) and not left_out:
            final = day
            weekday = day.weekday()
            if move == "prev" and weekday >= 5:
                final = day - timedelta(days=weekday - 4)
            if move == "next" and weekday >= 5:
                final = day + timedelta(days=7 - weekday)
            result.add(final)
        day += timedelta(days=1)
    return sorted(day for day in result if first <= day <= last)
