"""Changes of planes."""

import re
from datetime import datetime, timedelta, timezone
from itertools import pairwise

_END = r"([A-Z]{3}) ([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}) ([+-])([0-9]{2}):([0-5][0-9])"
_LEG = re.compile(f"{_END} > {_END}")
_MINUTE = timedelta(minutes=1)
WEST, EAST = timedelta(hours=-12), timedelta(hours=14)


def layovers(legs, minimum):
    changes = []
    for (_, _, airport, arrival), (start, departure, _, _) in pairwise(map(_leg, legs)):
        if airport != start:
            raise ValueError(f"arrives at {airport} but departs from {start}")
        minutes = (departure - arrival) // _MINUTE
        if minutes <= 0:
            verdict = "missed"
        elif minutes < minimum:
            verdict = "tight"
        elif departure.date() > arrival.date():
            verdict = "overnight"
        else:
            verdict = "ok"
        changes.append((airport, minutes, verdict))
    if len(legs) == 1:
        _leg(legs[0])
    return changes


def _leg(text):
    match = _LEG.fullmatch(text)
    if match is None:
        raise ValueError(f"not a leg: {text!r}")
    start, *departure = match.groups()[:5]
    goal, *arrival = match.groups()[5:]
    leaves, arrives = _moment(*departure), _moment(*arrival)
    if arrives <= leaves:
        raise ValueError(f"arrives before it departs: {text!r}")
    return start, leaves, goal, arrives


def _moment(local, sign, hours, minutes):
    offset = timedelta(hours=int(hours), minutes=int(minutes))
    if sign == "-":
        offset = -offset
    if not WEST <= offset <= EAST:
        raise ValueError(f"no such offset: {offset}")
    return datetime.strptime(local, "%Y-%m-%d %H:%M").replace(tzinfo=timezone(offset))
