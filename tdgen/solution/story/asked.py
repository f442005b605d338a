"""The instruction, each passage with the functions that it binds and the number of cases that show it."""

from __future__ import annotations

from tdgen.solution.story.markup import Markup, join, tag
from tdgen.types.cases import Suite
from tdgen.types.record import SolutionRecord


def asked(solution: SolutionRecord, anchor: str = "function-") -> Markup:
    """The user's words; `anchor` begins the ids of a solution's functions."""
    text = solution.instruction.strip()
    suites = {result.function: result.suite for result in solution.results}
    bound: dict[str, list[str]] = {passage: [] for passage in solution.plan.unassigned}
    for spec in solution.plan.functions:
        for passage in spec.passages:
            bound.setdefault(passage, []).append(spec.name)
    parts, done = list[object](), 0
    for passage in sorted(bound, key=text.find):
        start = text.find(passage, done)
        if start < 0:
            continue
        links = [_link(name, passage, suites.get(name), anchor) for name in bound[passage]]
        marks = join(links, " ") if links else tag("em", "no function")
        parts += [text[done:start], tag("span", passage, class_="passage"), " ", tag("small", marks, class_="bound")]
        done = start + len(passage)
    return tag("blockquote", *parts, text[done:])


def _link(name: str, passage: str, suite: Suite | None, anchor: str) -> Markup:
    cases = suite.showing(passage) if suite else None
    told = "" if cases is None else " no case" if not cases else f" {len(cases)}"
    title = "" if cases is None else ", ".join(case.name for case in cases) or "no case shows it"
    return tag("a", f"{name}{told}", href=f"#{anchor}{name}", title=title or None)
