"""Plots as inline SVG: small, without scripts; the style sheet has their colours, in light and in dark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from tdgen.solution.story.markup import Markup, join, tag

WIDTH: Final = 420
HEIGHT: Final = 220
LEFT: Final = 48
BOTTOM: Final = 36
TOP: Final = 16
SERIES: Final = 7
"""So many series look different: the style sheet has their colours and dashes."""


class Curve(NamedTuple):
    """A named line through points; x grows."""

    name: str
    points: Sequence[tuple[float, float]]


def steps(title: str, x_name: str, curves: Sequence[Curve]) -> Markup:
    """Shares (0 to 1) that grow in steps over x, a curve for each name."""
    most = max((x for curve in curves for x, _ in curve.points), default=1.0) or 1.0
    parts = [*_axes(x_name, most)]
    for place, curve in enumerate(curves):
        parts.append(tag("path", d=_step_path(curve.points, most), class_=f"curve {_series(place)}"))
        parts.append(_legend(place, curve.name))
    return _svg(title, parts)


def bars(title: str, x_name: str, counts: Sequence[tuple[str, int]]) -> Markup:
    """How many of each: a bar with its number above it."""
    most = max((number for _, number in counts), default=1) or 1
    room = (WIDTH - LEFT - 8) / max(1, len(counts))
    parts = []
    for place, (name, number) in enumerate(counts):
        height = (HEIGHT - TOP - BOTTOM) * number / most
        x, y = LEFT + place * room, HEIGHT - BOTTOM - height
        parts.append(_rect(x + 2, y, max(1.0, room - 4), height, _series(0)))
        parts.append(_text(x + room / 2, HEIGHT - BOTTOM + 14, name))
        parts.append(_text(x + room / 2, y - 4, f"{number:,}"))
    parts.append(_text((LEFT + WIDTH) / 2, HEIGHT - 4, x_name))
    return _svg(title, parts)


def divided(title: str, parts: Sequence[tuple[str, float]]) -> Markup:
    """One bar divided among its parts, each told with its share; x is seconds."""
    whole = sum(size for _, size in parts) or 1.0
    drawn, x = [], 0.0
    for place, (name, size) in enumerate(parts):
        width = WIDTH * size / whole
        drawn.append(_rect(x, 8, width, 36, _series(place)))
        drawn.append(_legend(place, f"{name}: {size:,.1f} s, {100 * size / whole:.0f}%", y=68, x=0))
        x += width
    return _svg(title, drawn, height=68 + 18 * len(parts))


def _axes(x_name: str, most: float) -> list[Markup]:
    parts = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = f"{_y(share):.1f}"
        parts.append(tag("line", x1=LEFT, y1=y, x2=WIDTH - 8, y2=y))
        parts.append(_text(LEFT - 6, _y(share) + 4, f"{100 * share:.0f}%", "end"))
    below = HEIGHT - BOTTOM + 14
    places = ((0.0, "start"), (0.5, "middle"), (1.0, "end"))
    ticks = [_text(_x(most * share, most), below, f"{most * share:,.0f}", anchor) for share, anchor in places]
    return [*parts, *ticks, _text((LEFT + WIDTH) / 2, HEIGHT - 4, x_name)]


def _step_path(points: Sequence[tuple[float, float]], most: float) -> str:
    moves = [f"M{_x(0, most):.1f} {_y(0):.1f}"]
    for x, y in points:
        moves += [f"H{_x(x, most):.1f}", f"V{_y(y):.1f}"]
    return "".join([*moves, f"H{_x(most, most):.1f}"])


def _legend(place: int, name: str, y: float = TOP + 8, x: float = LEFT + 12) -> Markup:
    top = y + 18 * place
    return join([_rect(x, top - 9, 10, 10, _series(place)), _text(x + 16, top, name, "start")])


def _series(place: int) -> str:
    return f"series-{place % SERIES}"


def _rect(x: float, y: float, width: float, height: float, series: str) -> Markup:
    return tag("rect", x=f"{x:.1f}", y=f"{y:.1f}", width=f"{width:.1f}", height=f"{height:.1f}", class_=series)


def _x(value: float, most: float) -> float:
    return LEFT + (WIDTH - LEFT - 8) * value / most


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share


def _text(x: float, y: float, text: str, anchor: str = "middle") -> Markup:
    return tag("text", text, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)


def _svg(title: str, parts: Sequence[Markup], height: int = HEIGHT) -> Markup:
    drawing = tag("svg", *parts, viewBox=f"0 0 {WIDTH} {height}", role="img", aria_label=title)
    return tag("figure", tag("figcaption", title), drawing, class_="plot")
