"""Sources and the dependency graph, as HTML and SVG."""

from __future__ import annotations

import difflib
import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tdgen.solution_html.layout import HEIGHT, LONGEST, STATE_MARKS, WIDTH, Markup, Spot, breakable, join, lay_out, tag
from tdgen.types.plan import Plan

_WORDS: Final = "|".join(keyword.kwlist)
_TOKEN: Final = re.compile(
    r"(?P<comment>\#[^\n]*)"
    r"|(?P<string>[rbfuRBFU]{0,2}(?:\"\"\"(?:[^\\]|\\.)*?(?:\"\"\"|\Z)|'''(?:[^\\]|\\.)*?(?:'''|\Z)"
    r"|\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?))"
    rf"|(?P<keyword>\b(?:{_WORDS})\b)"
    r"|(?P<name>(?<=def )\w+|(?<=class )\w+)"
    r"|(?P<number>\b\d[\w.]*)",
    re.DOTALL,
)
_CONTEXT: Final = 3


def python(source: str) -> Markup:
    """Python source in colours, as the content of a `pre`."""
    parts: list[object] = []
    end = 0
    for match in _TOKEN.finditer(source):
        parts += [source[end : match.start()], tag("span", match[0], class_=f"py-{match.lastgroup}")]
        end = match.end()
    return join([*parts, source[end:]])


def block(source: str, label: str, title: str = "") -> Markup:
    """Python source as a block that can be scrolled by keyboard, under its title."""
    inner = tag("code", python(source.rstrip()))
    pre = tag("pre", inner, class_="code", tabindex="0", role="region", aria_label=label)
    return tag("figure", tag("figcaption", breakable(title)), pre, class_="source") if title else pre


def folded(source: str) -> Markup:
    """A value's source in a line of text; of a long one the beginning, which opens to all of it."""
    if len(source) <= LONGEST:
        return tag("code", source)
    shown = tag("summary", tag("code", f"{source[: LONGEST // 2]}…"), tag("small", f"{len(source):,} characters"))
    return tag("details", shown, tag("code", source), class_="folded")


def changes(before: str, after: str, label: str) -> Markup:
    """What was taken out of a source and what was put in, with a little of what stayed."""
    lines = list(_lines(before.splitlines(), after.splitlines()))
    if not lines:
        return tag("p", "The same source as before.", class_="faint")
    return tag("pre", *lines, class_="code diff", tabindex="0", role="region", aria_label=label)


def _lines(before: list[str], after: list[str]) -> Iterator[Markup]:
    for number, line in enumerate(difflib.unified_diff(before, after, lineterm="", n=_CONTEXT)):
        if number < 2:  # the names of files, of which there are none
            continue
        match line[:1]:
            case "+":
                yield tag("ins", tag("span", "+ ", class_="sign"), line[1:], "\n")
            case "-":
                yield tag("del", tag("span", "- ", class_="sign"), line[1:], "\n")
            case "@":
                yield tag("span", f"{line}\n", class_="hunk")
            case _:
                yield tag("span", "  ", line[1:], "\n")


_MOST_LETTERS: Final = 20
_SIZES: Final = {"fit": "fit the width", "full": "full size"}


def graph(plan: Plan, outcomes: Mapping[str, str]) -> Markup:
    """The plan's functions and their dependencies, each with its outcome's colour and mark, and a link to it."""
    layout = lay_out({spec.name: spec.dependencies for spec in plan.functions})
    edges = [tag("path", d=edge.path, class_="edge") for edge in layout.edges]
    offered = {spec.name: spec.interface.offered for spec in plan.functions if spec.interface}
    boxes = [
        _box(name, spot, outcomes.get(name, "waiting"), offered.get(name, ())) for name, spot in layout.boxes.items()
    ]
    text = "; ".join(f"{spec.name} needs {', '.join(spec.dependencies) or 'nothing'}" for spec in plan.functions)
    drawing = tag(
        "svg",
        tag("title", "Dependencies of the functions"),
        tag("desc", text),
        *edges,
        *boxes,
        viewBox=f"0 0 {layout.width} {layout.height}",
        width=layout.width,
        height=layout.height,
        class_="graph",
    )
    frame = tag("div", drawing, class_="graph-frame", tabindex="0", role="region", aria_label="Dependency graph")
    choices = (
        tag("label", tag("input", type="radio", name="zoom", value=size, checked=size == "fit"), label)
        for size, label in _SIZES.items()
    )
    return tag(
        "div",
        tag("div", join(choices), class_="zoom", role="group", aria_label="Size of the graph"),
        frame,
        class_="graph-part",
    )


def _box(name: str, spot: Spot, outcome: str, methods: Sequence[str]) -> Markup:
    """A function, or a class, whose methods are told where one points at it."""
    shown = name if len(name) <= _MOST_LETTERS else name[: _MOST_LETTERS - 1] + "…"
    middle = spot.y + HEIGHT // 2
    return tag(
        "a",
        tag("title", "; ".join([f"{name}: {outcome}", *([", ".join(methods)] if methods else [])])),
        tag("rect", x=spot.x, y=spot.y, width=WIDTH, height=HEIGHT, rx=8),
        tag("text", STATE_MARKS[outcome], x=spot.x + 17, y=middle + 5, class_="mark"),
        tag("text", shown, x=spot.x + 32, y=middle + 5),
        href=f"#function-{name}",
        class_=f"node {outcome}",
    )
