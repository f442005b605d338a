"""Cases that name several planned functions, such as `parse(show(93)) == 93`: each is judged where all of them are.

A joint case belongs to the function that comes last in the order of work. That function waits for the others, also
where no contract says that it calls them, and is judged in a module that has them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tdgen.briefs import functions_named
from tdgen.build.draft import Draft
from tdgen.depgraph import Dependencies
from tdgen.testgen.pinned import named_apart
from tdgen.types import Case, Plan, Suite

Cases = Mapping[str, tuple[Case, ...]]


def owned(pinned: Cases, plan: Plan) -> dict[str, tuple[Case, ...]]:
    """The user's cases by function, each joint one with the last of the functions that it names."""
    order = Dependencies(plan)
    found: dict[str, list[Case]] = {name: [] for name in pinned}
    for cases in pinned.values():
        for case in cases:
            moved = _with_owner(case, plan, order)
            found[moved.function].append(moved)
    return {name: tuple(named_apart(cases)) for name, cases in found.items()}


def decomposed(suites: Iterable[Suite], plan: Plan) -> tuple[dict[str, Suite], list[Case]]:
    """The suites by function without those joint cases of the user's that belong to another function, and these."""
    order = Dependencies(plan)
    kept: dict[str, Suite] = {}
    strays: list[Case] = []
    for suite in suites:
        away = [c.is_pinned and _with_owner(c, plan, order).function != suite.function for c in suite.cases]
        strays += [case for case, goes in zip(suite.cases, away, strict=True) if goes]
        own = tuple(case for case, goes in zip(suite.cases, away, strict=True) if not goes)
        kept[suite.function] = suite.model_copy(update={"cases": own})
    return kept, strays


def dependencies_of(draft: Draft, plan: Plan) -> Dependencies:
    """The graph of a plan's functions, in which each also waits for those that its joint cases and tests name."""
    found: dict[str, frozenset[str]] = {}
    order = Dependencies(plan)
    for needed in (names for gate in draft.gates for names in gate.needs.values() if len(names) > 1):
        last = order.last(needed)
        found[last] = found.get(last, frozenset()) | (needed - {last})
    for name, cases in [*draft.pinned.items(), *((name, suite.cases) for name, suite in draft.given.items())]:
        named = frozenset[str]().union(*(functions_named(case, plan) for case in cases if case.is_pinned))
        found[name] = found.get(name, frozenset()) | (named - {name})
    return Dependencies(plan, found)


def _with_owner(case: Case, plan: Plan, order: Dependencies) -> Case:
    names = functions_named(case, plan)
    if len(names) < 2:
        return case
    return case.model_copy(update={"function": order.last(names), "arguments": (), "call": case.expression})
