"""Plots as inline SVG: small, without scripts, legible in light and in dark; every text in them is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

WIDTH: Final = 560
HEIGHT: Final = 240
LEFT: Final = 48
BOTTOM: Final = 36
TOP: Final = 16
COLOURS: Final = ("#2f6fdf", "#d9822b", "#3a9d5d", "#8a63d2", "#c0392b", "#5f6b7a", "#b5a02b")


class Curve(NamedTuple):
    """A named line through points; x grows."""

    name: str
    points: Sequence[tuple[float, float]]


def steps(title: str, x_name: str, curves: Sequence[Curve]) -> str:
    """Shares (0 to 1) that grow in steps over x, a curve for each name."""
    most = max((x for curve in curves for x, _ in curve.points), default=1.0) or 1.0
    parts = [*_axes(x_name, most)]
    for place, curve in enumerate(curves):
        colour = COLOURS[place % len(COLOURS)]
        path = _step_path(curve.points, most)
        parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(_legend(place, curve.name, colour))
    return _svg(title, parts)


def bars(title: str, x_name: str, counts: Sequence[tuple[str, int]]) -> str:
    """How many of each: a bar with its number above it."""
    most = max((number for _, number in counts), default=1) or 1
    room = (WIDTH - LEFT - 8) / max(1, len(counts))
    parts = []
    for place, (name, number) in enumerate(counts):
        height = (HEIGHT - TOP - BOTTOM) * number / most
        x, y = LEFT + place * room, HEIGHT - BOTTOM - height
        parts.append(
            f'<rect x="{x + 2:.1f}" y="{y:.1f}" width="{max(1.0, room - 4):.1f}" height="{height:.1f}" '
            f'fill="{COLOURS[0]}"/>'
        )
        parts.append(_text(x + room / 2, HEIGHT - BOTTOM + 14, name))
        parts.append(_text(x + room / 2, y - 4, f"{number:,}"))
    parts.append(_text((LEFT + WIDTH) / 2, HEIGHT - 4, x_name))
    return _svg(title, parts)


def divided(title: str, parts: Sequence[tuple[str, float]]) -> str:
    """One bar divided among its parts, each told with its share; x is seconds."""
    whole = sum(size for _, size in parts) or 1.0
    drawn, x = [], float(LEFT)
    for place, (name, size) in enumerate(parts):
        width = (WIDTH - LEFT - 8) * size / whole
        colour = COLOURS[place % len(COLOURS)]
        drawn.append(f'<rect x="{x:.1f}" y="24" width="{width:.1f}" height="36" fill="{colour}"/>')
        drawn.append(_legend(place, f"{name}: {size:,.1f} s, {100 * size / whole:.0f}%", colour, y=84, x=LEFT))
        x += width
    return _svg(title, drawn, height=84 + 18 * len(parts))


def _axes(x_name: str, most: float) -> list[str]:
    parts = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _y(share)
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - 8}" y2="{y:.1f}" stroke="#8884" stroke-width="1"/>')
        parts.append(_text(LEFT - 6, y + 4, f"{100 * share:.0f}%", "end"))
    below = HEIGHT - BOTTOM + 14
    ticks = [_text(_x(most * share, most), below, f"{most * share:,.0f}") for share in (0.0, 0.5, 1.0)]
    return [*parts, *ticks, _text((LEFT + WIDTH) / 2, HEIGHT - 4, x_name)]


def _step_path(points: Sequence[tuple[float, float]], most: float) -> str:
    moves = [f"M{_x(0, most):.1f} {_y(0):.1f}"]
    for x, y in points:
        moves += [f"H{_x(x, most):.1f}", f"V{_y(y):.1f}"]
    return "".join([*moves, f"H{_x(most, most):.1f}"])


def _legend(place: int, name: str, colour: str, y: float = TOP + 8, x: float = LEFT + 12) -> str:
    top = y + 18 * place
    square = f'<rect x="{x}" y="{top - 9}" width="10" height="10" fill="{colour}"/>'
    return square + _text(x + 16, top, name, "start")


def _x(value: float, most: float) -> float:
    return LEFT + (WIDTH - LEFT - 8) * value / most


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(title: str, parts: Sequence[str], height: int = HEIGHT) -> str:
    head = f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title, quote=True)}">'
    return f"<figure><figcaption>{escape(title)}</figcaption>{head}{''.join(parts)}</svg></figure>"
