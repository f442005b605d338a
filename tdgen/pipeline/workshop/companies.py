"""Which of many versions do the same, and which calls tell the others apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tdgen.pipeline.workshop.screening import Screen, Trial
from tdgen.types import Call, Observation


class Company(NamedTuple):
    """Versions, by their places, that do the same on some calls, and what they were seen to do on each of these."""

    places: list[int]
    seen: Sequence[Observation]


def companies(screen: Screen, versions: Sequence[str], calls: Sequence[Call]) -> list[Company]:
    """The versions by what they do on `calls`, the largest company first; one company where there is no call."""
    seen = screen.observed([Trial(version, call) for version in versions for call in calls])
    found: list[Company] = []
    for place in range(len(versions)):
        row = seen[place * len(calls) : (place + 1) * len(calls)]
        for company in found:
            if all(map(screen.same, company.seen, row, calls)):
                company.places.append(place)
                break
        else:
            found.append(Company([place], row))
    return sorted(found, key=lambda company: -len(company.places))


def parting(screen: Screen, found: Sequence[Company], calls: Sequence[Call]) -> list[int]:
    """The places of the `calls` on which companies part, and some company returns.

    First few that tell all apart, as far as any do, then the others: each says more of those that pass it.
    """
    together = [list(found)]
    telling: list[int] = []
    others: list[int] = []
    for place, call in enumerate(calls):
        if not any(company.seen[place].status == "returned" for company in found):
            continue
        parted = [part for group in together for part in _parted(screen, group, place, call)]
        if len(parted) > len(together):
            together = parted
            telling.append(place)
        elif len(_parted(screen, found, place, call)) > 1:
            others.append(place)
    return telling + others


def _parted(screen: Screen, group: Sequence[Company], place: int, call: Call) -> list[list[Company]]:
    """A group by what its companies did on one call."""
    parts: list[list[Company]] = []
    for company in group:
        for part in parts:
            if screen.same(part[0].seen[place], company.seen[place], call):
                part.append(company)
                break
        else:
            parts.append([company])
    return parts
