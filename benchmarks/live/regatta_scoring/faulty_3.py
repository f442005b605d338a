"""Score a sailing series."""

from typing import NamedTuple


class UnknownBoat(KeyError):
    """A boat finished that is not an entrant."""


class Standing(NamedTuple):
    rank: int
    boat: str
    net: float


def race_points(race, entrants):
    points = {boat: float(len(entrants) + 1) for boat in entrants}
    place = 1
    for group in race:
        shared = place + (len(group) - 1) / 2
        for boat in group:
            if boat not in points:
                raise UnknownBoat(boat)
            points[boat] = float(shared)
        place += len(group)
    return points


def discard_count(races):
    if races < 4:
        return 0
    return 1 if races < 8 else 2


def net_points(points):
    kept = sorted(points)[: len(points) - discard_count(len(points))]
    return float(sum(kept))


def standings(races, entrants):
    scored = [race_points(race, entrants) for race in races]
    series = {boat: [points[boat] for points in scored] for boat in entrants}
    keys = {boat: (net_points(points), points[::-1]) for boat, points in series.items()}
    table = []
    previous = None
    rank = 0
    for place, boat in enumerate(sorted(entrants, key=lambda boat: (keys[boat], boat)), 1):
        if keys[boat] != previous:
            rank += 1
        previous = keys[boat]
        table.append(Standing(rank, boat, keys[boat][0]))
    return table
