"""The dependency graph as SVG, which is zoomed without a script."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tdgen.solution.story.layout import HEIGHT, WIDTH, Spot, lay_out
from tdgen.solution.story.markup import Markup, join, tag
from tdgen.solution.story.words import STATE_MARKS
from tdgen.types.plan import Plan

_MOST_LETTERS: Final = 20
_SIZES: Final = {"fit": "fit the width", "full": "full size"}


def graph(plan: Plan, outcomes: Mapping[str, str]) -> Markup:
    """The plan's functions and their dependencies, each with its outcome's colour and mark, and a link to it."""
    layout = lay_out({spec.name: spec.dependencies for spec in plan.functions})
    edges = [tag("path", d=edge.path, class_="edge") for edge in layout.edges]
    boxes = [_box(name, spot, outcomes.get(name, "waiting")) for name, spot in layout.boxes.items()]
    told = "; ".join(f"{spec.name} needs {', '.join(spec.dependencies) or 'nothing'}" for spec in plan.functions)
    drawing = tag(
        "svg",
        tag("title", "Dependencies of the functions"),
        tag("desc", told),
        *edges,
        *boxes,
        viewBox=f"0 0 {layout.width} {layout.height}",
        width=layout.width,
        height=layout.height,
        class_="graph",
    )
    frame = tag("div", drawing, class_="graph-frame", tabindex="0", role="region", aria_label="Dependency graph")
    return tag("div", _zoom(), frame, class_="graph-part")


def _zoom() -> Markup:
    """Two sizes to choose from; the style sheet does the rest."""
    choices = (
        tag("label", tag("input", type="radio", name="zoom", value=size, checked=size == "fit"), told)
        for size, told in _SIZES.items()
    )
    return tag("div", join(choices), class_="zoom", role="group", aria_label="Size of the graph")


def _box(name: str, spot: Spot, outcome: str) -> Markup:
    shown = name if len(name) <= _MOST_LETTERS else name[: _MOST_LETTERS - 1] + "…"
    middle = spot.y + HEIGHT // 2
    return tag(
        "a",
        tag("title", f"{name}: {outcome}"),
        tag("rect", x=spot.x, y=spot.y, width=WIDTH, height=HEIGHT, rx=8),
        tag("text", STATE_MARKS[outcome], x=spot.x + 17, y=middle + 5, class_="mark"),
        tag("text", shown, x=spot.x + 32, y=middle + 5),
        href=f"#function-{name}",
        class_=f"node {outcome}",
    )
