import re

_DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
_SPAN = re.compile(r"([0-9]{2}):([0-9]{2})-([0-9]{2}):([0-9]{2})")


class HoursError(ValueError):
    pass


def _parse_days(text):
    days = []
    for item in text.split(","):
        ends = item.split("-")
        if len(ends) > 2 or any(end not in _DAYS for end in ends):
            raise HoursError("bad days: " + text)
        first = _DAYS.index(ends[0])
        last = _DAYS.index(ends[-1])
        for step in range((last - first) % 7 + 1):
            days.append(_DAYS[(first + step) % 7])
    return days


def _parse_times(text):
    if text == "closed":
        return []
    spans = []
    for item in text.split(","):
        match = _SPAN.fullmatch(item)
        if match is None:
            raise HoursError("bad times: " + text)
        h1, m1, h2, m2 = (int(group) for group in match.groups())
        start, end = h1 * 60 + m1, h2 * 60 + m2
        if m1 > 59 or m2 > 59 or end > 1440 or end <= start:
            raise HoursError("bad times: " + text)
        spans.append((start, end))
    merged = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            raise HoursError("times overlap: " + text)
        if merged and start == merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def parse_hours(text):
    result = {day: [] for day in _DAYS}
    for rule in text.split(";"):
        words = rule.split()
        if not words:
            continue
        if len(words) != 2:
            raise HoursError("bad rule: " + rule)
        days = _parse_days(words[0])
        spans = _parse_times(words[1])
        for day in days:
            result[day] = list(spans)
    return result
