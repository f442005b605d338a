"""The page's means: the graph's layout, HTML as values, and the words in which a run is told.

Boxes stand in columns from left to right, and no edge lies behind a box, by the layered method of Sugiyama: each
function stands right of all it needs; an edge that passes a column has a lane of its own there; the order within a
column follows the neighbours' mean, and so do the heights. Page and story draw it.

Of HTML, whatever is no `Markup` is text, and stays text. Instructions, names, values and exceptions come from users,
models and generated code. They reach a page by `tag` and `text` alone, which escape them; characters that a page would
not show, or that reorder what it shows, are spelt out.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from tdgen.text import safe
from tdgen.types.base import Frozen

WIDTH: Final = 200
HEIGHT: Final = 38
_ACROSS: Final = 72
_BELOW: Final = 14
_LANE: Final = 12
_SWEEPS: Final = 12
"""Sweeps over the columns; on graphs of 200 functions the order no longer changes much after ten."""
_FEWEST_COLUMNS: Final = 4
"""Functions without any edge are listed in rows of at least so many."""

Needs = Mapping[str, Sequence[str]]


class Spot(NamedTuple):
    """The upper left corner of a function's box."""

    x: int
    y: int


class Edge(NamedTuple):
    """The line from a function to one that needs it, as the `d` of an SVG path."""

    needed: str
    user: str
    path: str


class Layout(Frozen):
    """A drawing's size, and where its boxes and edges are."""

    width: int
    height: int
    boxes: dict[str, Spot]
    edges: tuple[Edge, ...]


class Stop(NamedTuple):
    """What stands in a column: a function's box, or the lane of the edges that leave `name` for further columns."""

    name: str
    column: int
    is_box: bool


def lay_out(needs: Needs) -> Layout:
    """Lay out the functions that need one another, and below them those that stand alone."""
    needs = {name: [d for d in dict.fromkeys(given) if d in needs and d != name] for name, given in needs.items()}
    joined = {name for name, given in needs.items() if given} | {d for given in needs.values() for d in given}
    graph = _Graph({name: given for name, given in needs.items() if name in joined})
    boxes, edges = graph.boxes(), tuple(graph.edges())
    alone = [name for name in needs if name not in joined]
    below = max((spot.y + HEIGHT + 2 * _BELOW for spot in boxes.values()), default=1)
    across = max(len(graph.columns), _FEWEST_COLUMNS)
    for place, name in enumerate(alone):
        boxes[name] = Spot(_left(place % across), below + place // across * (HEIGHT + _BELOW))
    width = max((spot.x for spot in boxes.values()), default=0) + WIDTH + 1
    lowest = max((spot.y + HEIGHT for spot in boxes.values()), default=HEIGHT)
    lanes = max((round(y) for y in graph.middle.values()), default=0) + _LANE
    return Layout(width=width, height=max(lowest, lanes) + 1, boxes={n: boxes[n] for n in needs}, edges=edges)


def layers(needs: Needs) -> list[list[str]]:
    """Names in columns: each to the right of all it needs, and as near as can be to what needs it.

    What needs itself, by whatever way, shares a column or stands where its first part can.
    """
    placed = _earliest(needs)
    users: dict[str, list[str]] = {}
    for user, given in needs.items():
        for needed in given:
            users.setdefault(needed, []).append(user)
    for name in sorted(needs, key=placed.__getitem__, reverse=True):
        right = [placed[user] for user in users.get(name, ()) if placed[user] > placed[name]]
        if right:
            placed[name] = min(right) - 1
    columns: list[list[str]] = [[] for _ in range(max(placed.values(), default=-1) + 1)]
    for name in needs:
        columns[placed[name]].append(name)
    return columns


def _earliest(needs: Needs) -> dict[str, int]:
    """The first column in which each name can stand."""
    placed: dict[str, int] = {}
    waiting, column = list(needs), 0
    while waiting:
        ready = [n for n in waiting if all(d in placed or d == n or d not in needs for d in needs[n])] or waiting[:1]
        placed |= dict.fromkeys(ready, column)
        waiting = [name for name in waiting if name not in placed]
        column += 1
    return placed


class _Graph:
    """Columns of stops, ordered and given heights; `middle` is the height of each stop's middle."""

    def __init__(self, needs: Needs) -> None:
        self._needs = needs
        names = layers(needs)
        self._column = {name: place for place, column in enumerate(names) for name in column}
        self.columns = [[Stop(name, place, is_box=True) for name in column] for place, column in enumerate(names)]
        self._lanes()
        self._near: dict[Stop, list[Stop]] = {stop: [] for column in self.columns for stop in column}
        ways = (pairwise(self._way(left, right)) for left, right in self._pairs())
        for left, right in dict.fromkeys(pair for way in ways for pair in way):
            self._near[left].append(right)
            self._near[right].append(left)
        self.middle: dict[Stop, float] = {}
        self._order()
        self._heighten()

    def boxes(self) -> dict[str, Spot]:
        """Where the functions' boxes stand."""
        return {
            stop.name: Spot(_left(stop.column), round(self.middle[stop]) - HEIGHT // 2)
            for column in self.columns
            for stop in column
            if stop.is_box
        }

    def edges(self) -> Iterator[Edge]:
        """The lines: curves between columns, straight through the lanes."""
        for user, given in self._needs.items():
            for needed in given:
                left, right = sorted((needed, user), key=self._column.__getitem__)
                if self._column[left] == self._column[right]:
                    # between two of one column: in the gap beside it
                    column = self._column[left]
                    x, bend = _left(column) + WIDTH, _ACROSS // 2
                    y1, y2 = (round(self.middle[Stop(name, column, is_box=True)]) for name in (left, right))
                    yield Edge(needed, user, f"M{x} {y1}C{x + bend} {y1} {x + bend} {y2} {x} {y2}")
                else:
                    yield Edge(needed, user, self._path(self._way(left, right)))

    def _pairs(self) -> Iterator[tuple[str, str]]:
        """What is joined, the left one first; functions of a circle may need what stands right of them."""
        for user, given in self._needs.items():
            for needed in given:
                left, right = sorted((needed, user), key=self._column.__getitem__)
                if self._column[left] < self._column[right]:
                    yield left, right

    def _lanes(self) -> None:
        """Add a lane for a function's edges to each column that they pass."""
        furthest: dict[str, int] = {}
        for left, right in self._pairs():
            furthest[left] = max(furthest.get(left, 0), self._column[right])
        for name, last in furthest.items():
            for place in range(self._column[name] + 1, last):
                self.columns[place].append(Stop(name, place, is_box=False))

    def _way(self, left: str, right: str) -> list[Stop]:
        first, last = self._column[left], self._column[right]
        lanes = [Stop(left, place, is_box=False) for place in range(first + 1, last)]
        return [Stop(left, first, is_box=True), *lanes, Stop(right, last, is_box=True)]

    def _order(self) -> None:
        """Order each column by the mean place of its neighbours on one side, to and fro."""
        place = {stop: number / len(column) for column in self.columns for number, stop in enumerate(column)}
        for sweep in range(_SWEEPS):
            step = 1 if sweep % 2 == 0 else -1
            for column in self.columns[::step]:
                before = {s: [place[n] for n in self._near[s] if (n.column - s.column) * step < 0] for s in column}
                column.sort(key=lambda s: sum(before[s]) / len(before[s]) if before[s] else place[s])
                place |= {stop: number / len(column) for number, stop in enumerate(column)}

    def _heighten(self) -> None:
        """Give each stop the mean height of its neighbours, as far as order and distance within its column allow."""
        for column in self.columns:
            tops = _distances(column)
            self.middle |= {stop: top - tops[-1] / 2 for stop, top in zip(column, tops, strict=True)}
        for sweep in range(_SWEEPS):
            for column in self.columns[:: 1 if sweep % 2 == 0 else -1]:
                near = [[self.middle[n] for n in self._near[s]] or [self.middle[s]] for s in column]
                tops = _distances(column)
                wanted = [sum(heights) / len(heights) - top for heights, top in zip(near, tops, strict=True)]
                fitted = zip(column, _rising(wanted), tops, strict=True)
                self.middle |= {stop: height + top for stop, height, top in fitted}
        highest = min((y - (HEIGHT // 2 if stop.is_box else 0) for stop, y in self.middle.items()), default=0.0)
        self.middle = {stop: y - highest + 1 for stop, y in self.middle.items()}

    def _path(self, way: Sequence[Stop]) -> str:
        parts = [f"M{_left(way[0].column) + WIDTH} {round(self.middle[way[0]])}"]
        for left, right in pairwise(way):
            start, end = _left(left.column) + WIDTH, _left(right.column)
            y1, y2, bend = round(self.middle[left]), round(self.middle[right]), (end - start) // 2
            parts.append(f"C{start + bend} {y1} {end - bend} {y2} {end} {y2}")
            if not right.is_box:
                parts.append(f"H{end + WIDTH}")
        return "".join(parts)


def _left(column: int) -> int:
    return column * (WIDTH + _ACROSS) + 1


def _distances(column: Sequence[Stop]) -> list[float]:
    """How far each stop's middle lies at least below the first one's."""
    sizes = [HEIGHT + _BELOW if stop.is_box else _LANE for stop in column]
    distances = [0.0]
    for upper, lower in pairwise(sizes):
        distances.append(distances[-1] + (upper + lower) / 2)
    return distances


def _rising(wanted: Sequence[float]) -> list[float]:
    """The rising numbers nearest to those wanted, by least squares: neighbours that fall are pooled."""
    pools: list[tuple[float, int]] = []
    for value in wanted:
        pool = (value, 1)
        while pools and pools[-1][0] > pool[0]:
            mean, size = pools.pop()
            pool = ((mean * size + pool[0] * pool[1]) / (size + pool[1]), size + pool[1])
        pools.append(pool)
    return [mean for mean, size in pools for _ in range(size)]


_VOID: Final = frozenset({"meta", "link", "br", "hr", "wbr", "path", "rect", "line", "input"})


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def text(value: object) -> Markup:
    """A value's text as HTML that shows it; markup is given back as it is."""
    if isinstance(value, Markup):
        return value
    return Markup(html.escape(safe(str(value), keep="\n\t"), quote=True))


def tag(name: str, /, *children: object, **attributes: object) -> Markup:
    """An element; `class_` and `data_x` are the attributes `class` and `data-x`, None and False leave one out."""
    written = ""
    for key, value in attributes.items():
        if value not in (None, False):
            written += " " + key.rstrip("_").replace("_", "-")
            written += "" if value is True else f'="{text(value)}"'
    if name in _VOID:
        return Markup(
            f"<{name}{written}>" if name in ("meta", "link", "br", "hr", "wbr", "input") else f"<{name}{written}/>"
        )
    return Markup(f"<{name}{written}>{join(children)}</{name}>")


def join(parts: Iterable[object], between: str = "") -> Markup:
    """Parts as one piece of HTML; None is nothing."""
    return Markup(text(between).join(text(part) for part in parts if part is not None))


def breakable(name: str) -> Markup:
    """A long name that may go on in the next line behind each of its underscores."""
    return join(name.replace("_", "_\0").split("\0"), tag("wbr"))


RUNGS: Final = {
    "first": "written from the contract",
    "rival": "written a second time, independently",
    "reading": "taken from the second reading of the instruction",
    "kept": "kept from an earlier solution",
    "mechanical": "found by patch search, without a model",
    "repair": "repaired from what failed",
    "trace": "repaired from a trace of the run",
    "fresh": "begun anew",
    "helpers": "divided into helpers",
    "existing": "there before",
}

ORIGINS: Final = {
    "instruction": "your words",
    "user": "your own test",
    "model": "the tester",
    "property": "a property",
    "survivor": "a mutant that survived",
    "caller": "a function that calls it",
}

ROLES: Final = {"planner": "Planner", "tester": "Tester", "developer": "Developer"}

STATE_MARKS: Final = {
    "green": "✓",
    "red": "✗",
    "blocked": "◆",
    "undecided": "?",
    "failed": "✗",
    "cancelled": "–",
    "running": "●",
    "work": "●",
    "tests": "○",
    "queued": "○",
    "waiting": "○",
}
"""How a state is told from others without its colour."""

LONGEST: Final = 240
"""Values of more characters are folded to their beginning."""


def words() -> dict[str, Any]:
    """All of them, and the size of the graph's boxes, as plain data."""
    return {
        "RUNGS": RUNGS,
        "ORIGINS": ORIGINS,
        "ROLES": ROLES,
        "MARKS": STATE_MARKS,
        "LONGEST": LONGEST,
        "BOX": (WIDTH, HEIGHT),
    }
