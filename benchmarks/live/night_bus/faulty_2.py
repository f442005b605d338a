"""The departures of a service day."""

import re
from dataclasses import dataclass

_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})")
SOON = 30


class ClockError(ValueError):
    """A text that is no time of a service day, or a line that can't run."""


@dataclass(frozen=True)
class Line:
    name: str
    first: str
    last: str
    every: int


def parse_clock(text):
    match = _CLOCK.fullmatch(text)
    if match is None or int(match[1]) > 29 or int(match[2]) > 59:
        raise ClockError(f"not a time: {text!r}")
    return int(match[1]) * 60 + int(match[2])


def format_clock(minutes):
    hour, minute = divmod(minutes, 60)
    return f"{hour % 24:02}:{minute:02}" + ("+1" if hour >= 24 else "")


def departures(line):
    first, last = parse_clock(line.first), parse_clock(line.last)
    if last < first or line.every < 1:
        raise ClockError(f"can't run: {line}")
    return [*range(first, last, line.every), last]


def next_departures(lines, now, count):
    coming = [(time, line.name) for line in lines for time in departures(line) if time >= now]
    return sorted(coming)[:count]


def board(lines, now, count):
    minute = parse_clock(now)
    shown = []
    for time, name in next_departures(lines, minute, count):
        wait = time - minute
        if wait == 0:
            shown.append(f"{name} now")
        elif wait < SOON:
            shown.append(f"{name} in {wait} min")
        else:
            shown.append(f"{name} {format_clock(time)}")
    return shown or ["no service"]
