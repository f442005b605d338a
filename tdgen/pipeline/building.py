"""Implement, run, judge, repair: each group of functions as soon as what it needs has ended."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait

from tdgen.depgraph import Group
from tdgen.events import FunctionEnded
from tdgen.pipeline.draft import Draft, Tools, revised
from tdgen.pipeline.workshop import Finished, Workshop
from tdgen.types import FunctionResult, Revision


def build(tools: Tools, draft: Draft) -> Draft:
    """Every function, implemented or given up, in an order that waits for nothing but what a function needs."""
    dependencies = draft.made_dependencies
    waiting = list(dependencies.order)
    running: dict[Future[Finished], Group] = {}
    results: dict[str, FunctionResult] = {}
    revisions: list[Revision] = []
    stopped = ""
    try:
        while waiting or running:
            ended = set(results)
            for group in [g for g in waiting if all(set(other) <= ended for other in dependencies.waits_for(g))]:
                waiting.remove(group)
                running[tools.executor.submit(_build_group, tools, draft, group, dict(results))] = group
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                del running[future]
                finished = future.result()
                results |= {result.function: result for result in finished.results}
                revisions += finished.revisions
                stopped = stopped or finished.stopped
    finally:
        for future in running:
            future.cancel()
    in_order = {spec.name: results[spec.name] for spec in draft.made_plan.functions}
    suites = {name: result.suite for name, result in in_order.items()}
    return revised(draft.having(results=in_order, suites=suites, stopped=stopped), tools, revisions)


def _build_group(tools: Tools, draft: Draft, group: Group, below: Mapping[str, FunctionResult]) -> Finished:
    finished = Workshop(tools, draft, group, below).work()
    for result in finished.results:
        tools.emit(
            FunctionEnded(
                function=result.function,
                outcome=result.outcome,
                reason=result.reason,
                reused=result.function in draft.kept and len(result.history) == 1,
            )
        )
    return finished
