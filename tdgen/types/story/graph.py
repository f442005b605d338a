"""The dependency graph as SVG: what is needed stands to the left of what needs it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from tdgen.types.plan import Plan
from tdgen.types.story.markup import Markup, tag

_WIDTH: Final = 188
_HEIGHT: Final = 40
_ACROSS: Final = 64
_BELOW: Final = 16
_MOST_LETTERS: Final = 20
_SMALLEST: Final = 0.72
"""Where it is wider than its place it is shrunk, but no further than this, and then scrolled."""


class Spot(NamedTuple):
    """The upper left corner of a function's box."""

    x: int
    y: int


def graph(plan: Plan, outcomes: Mapping[str, str]) -> Markup:
    """The plan's functions and their dependencies, each with its outcome's colour and mark."""
    columns = layers({spec.name: spec.dependencies for spec in plan.functions})
    spots = {
        name: Spot(x * (_WIDTH + _ACROSS) + 1, y * (_HEIGHT + _BELOW) + 1)
        for x, column in enumerate(columns)
        for y, name in enumerate(column)
    }
    width = len(columns) * (_WIDTH + _ACROSS) - _ACROSS + 2
    height = max(map(len, columns), default=1) * (_HEIGHT + _BELOW) - _BELOW + 2
    edges = [
        _edge(spots[needed], spots[spec.name])
        for spec in plan.functions
        for needed in spec.dependencies
        if needed in spots and needed != spec.name
    ]
    boxes = [_box(name, spot, outcomes.get(name, "waiting")) for name, spot in spots.items()]
    told = "; ".join(f"{spec.name} needs {', '.join(spec.dependencies) or 'nothing'}" for spec in plan.functions)
    drawing = tag(
        "svg",
        tag("title", "Dependencies of the functions"),
        tag("desc", told),
        *edges,
        *boxes,
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        style=f"min-width:{round(width * _SMALLEST)}px",
        role="img",
        class_="graph",
    )
    return tag("div", drawing, class_="graph-frame", tabindex="0", role="region", aria_label="Dependency graph")


def layers(needs: Mapping[str, tuple[str, ...]]) -> list[list[str]]:
    """Names in columns: each to the right of all it needs, and as near as can be to what needs it.

    What needs itself, by whatever way, shares a column or stands where its first part can.
    """
    placed = _earliest(needs)
    for name in sorted(needs, key=placed.__getitem__, reverse=True):
        users = [placed[user] for user in needs if name in needs[user] and placed[user] > placed[name]]
        if users:
            placed[name] = min(users) - 1
    columns: list[list[str]] = [[] for _ in range(max(placed.values(), default=-1) + 1)]
    for name in needs:
        columns[placed[name]].append(name)
    return columns


def _earliest(needs: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    """The first column in which each name can stand."""
    placed: dict[str, int] = {}
    waiting, column = list(needs), 0
    while waiting:
        ready = [n for n in waiting if all(d in placed or d == n or d not in needs for d in needs[n])] or waiting[:1]
        placed |= dict.fromkeys(ready, column)
        waiting = [name for name in waiting if name not in placed]
        column += 1
    return placed


def _edge(start: Spot, end: Spot) -> Markup:
    x1, y1 = start.x + _WIDTH, start.y + _HEIGHT // 2
    x2, y2 = end.x, end.y + _HEIGHT // 2
    bend = max(24, abs(x2 - x1) // 2)
    return tag("path", d=f"M{x1} {y1}C{x1 + bend} {y1} {x2 - bend} {y2} {x2} {y2}", class_="edge")


def _box(name: str, spot: Spot, outcome: str) -> Markup:
    shown = name if len(name) <= _MOST_LETTERS else name[: _MOST_LETTERS - 1] + "…"
    middle = spot.y + _HEIGHT // 2
    return tag(
        "g",
        tag("title", f"{name}: {outcome}"),
        tag("rect", x=spot.x, y=spot.y, width=_WIDTH, height=_HEIGHT, rx=9),
        tag("circle", cx=spot.x + 18, cy=middle, r=5),
        tag("text", shown, x=spot.x + 32, y=middle + 5),
        class_=f"node {outcome}",
    )
