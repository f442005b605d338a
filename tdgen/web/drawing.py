"""The dependency graph of a run, laid out anew as often as its plan changes, so that no face lays it out itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tdgen.events import Event, FunctionDivided, HelpersDropped, PlanMade
from tdgen.solution.story.layout import Layout, lay_out
from tdgen.types import FunctionSpec


class GraphLaidOut(Event):
    """Where the graph's boxes and edges stand from now on."""

    kind = "graph_laid_out"
    graph: Layout


class Drawing:
    """What the functions of a run need, as its events tell it."""

    def __init__(self) -> None:
        self._needs: dict[str, tuple[str, ...]] = {}

    def after(self, event: Event) -> GraphLaidOut | None:
        """The graph as it is behind an event; None where that changes nothing."""
        match event:
            case PlanMade(plan=plan):
                self._needs = _needs(plan.functions)
            case FunctionDivided(spec=spec, helpers=helpers):
                self._needs |= _needs((*helpers, spec))
            case HelpersDropped(spec=spec, helpers=dropped):
                self._needs |= _needs((spec,))
                self._needs = {name: needs for name, needs in self._needs.items() if name not in dropped}
            case _:
                return None
        return GraphLaidOut(graph=lay_out(self._needs))


def with_graph(events: Iterable[Event]) -> Iterator[Event]:
    """Events, and behind each that changes the graph the graph."""
    drawing = Drawing()
    for event in events:
        yield event
        if (laid_out := drawing.after(event)) is not None:
            yield laid_out


def _needs(specs: Iterable[FunctionSpec]) -> dict[str, tuple[str, ...]]:
    return {spec.name: spec.dependencies for spec in specs}
