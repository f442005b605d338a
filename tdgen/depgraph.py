"""The specs' dependencies as a graph whose nodes are groups: one unit, or several that need each other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from tdgen.errors import PlanError
from tdgen.types import Plan, bases_first

if TYPE_CHECKING:
    import networkx as nx

Group = tuple[str, ...]
"""Functions that call each other, or one alone, in the plan's order."""


class Dependencies:
    """Who waits for whom. Everything comes in one deterministic order: by generation, then by the plan's order."""

    def __init__(self, plan: Plan, judged_with: Mapping[str, Collection[str]] | None = None) -> None:
        """`judged_with` names for a function those that it waits for beside its dependencies.

        None of them may come after it in the order without. PlanError where a name is there twice, or a dependency is
        not among the plan's functions.
        """
        import networkx as nx

        bases = {spec.name: spec.interface.base_names if spec.interface else () for spec in plan.functions}
        rank = {name: position for position, name in enumerate(bases_first(bases))}
        self._calls = _calls(plan, rank)
        self._calls.add_edges_from((other, name) for name, others in (judged_with or {}).items() for other in others)
        groups = [
            tuple(sorted(members, key=rank.__getitem__)) for members in nx.strongly_connected_components(self._calls)
        ]
        groups.sort(key=lambda group: rank[group[0]])
        self._waits = _between(groups, self._calls)
        self.generations: tuple[tuple[Group, ...], ...] = tuple(
            tuple(sorted(generation, key=groups.index)) for generation in nx.topological_generations(self._waits)
        )
        """Groups by the longest way to them; for show, as a group need not wait for its whole generation."""
        self.order: tuple[Group, ...] = tuple(group for generation in self.generations for group in generation)
        """All groups, dependencies first."""
        self.names = tuple(tuple(name for group in some for name in group) for some in self.generations)
        """The functions' names, generation by generation."""

    def last(self, names: Collection[str]) -> str:
        """The one of `names` that comes last in the order of work."""
        return [name for group in self.order for name in group if name in names][-1]

    def waits_for(self, group: Group) -> frozenset[Group]:
        """The groups that must have ended before `group` can start."""
        return frozenset(self._waits.predecessors(group))

    def below(self, name: str) -> tuple[str, ...]:
        """All functions that `name` needs, directly or not, its group's others included, in order of work."""
        import networkx as nx

        needed = nx.ancestors(self._calls, name) - {name}
        return tuple(other for group in self.order for other in group if other in needed)

    def above(self, names: Iterable[str]) -> frozenset[str]:
        """All functions that need one of `names`, directly or not."""
        import networkx as nx

        callers: set[str] = set()
        for name in names:
            callers |= nx.descendants(self._calls, name)
        return frozenset(callers)


def _calls(plan: Plan, rank: Mapping[str, int]) -> nx.DiGraph[str]:
    """An edge from each function to those that call it; calls of itself are left out."""
    import networkx as nx

    if len(rank) != len(plan.functions):
        raise PlanError("two functions of the plan have the same name")
    calls: nx.DiGraph[str] = nx.DiGraph()
    calls.add_nodes_from(rank)
    for spec in plan.functions:
        for callee in spec.dependencies:
            if callee not in rank:
                raise PlanError(f"{spec.name!r} depends on {callee!r}, which is not among the plan's functions")
            if callee != spec.name:
                calls.add_edge(callee, spec.name)
    return calls


def _between(groups: Iterable[Group], calls: nx.DiGraph[str]) -> nx.DiGraph[Group]:
    """The same graph between groups, where nothing goes round in a circle."""
    import networkx as nx

    group_of = {name: group for group in groups for name in group}
    waits: nx.DiGraph[Group] = nx.DiGraph()
    waits.add_nodes_from(group_of.values())
    waits.add_edges_from((group_of[a], group_of[b]) for a, b in calls.edges if group_of[a] != group_of[b])
    return waits
