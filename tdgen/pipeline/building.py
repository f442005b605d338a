"""Implement, run, judge, repair: each group of functions as soon as what it needs has ended."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait

from tdgen.depgraph import Group
from tdgen.pipeline.dividing import divided, with_division
from tdgen.pipeline.draft import Draft, Tools
from tdgen.pipeline.workshop import Finished, Shop, tell_end, work
from tdgen.types import FunctionResult


def build(tools: Tools, draft: Draft) -> Draft:
    """Every function, implemented or given up, in an order that waits for nothing but what a function needs.

    Helpers of a function that was divided are in the plan and the graph from when it has ended.
    """
    dependencies = draft.made_dependencies
    waiting = list(dependencies.order)
    running: dict[Future[Finished], Group] = {}
    ended: dict[Group, Finished] = {}
    results: dict[str, FunctionResult] = {}
    try:
        while waiting or running:
            for group in [group for group in waiting if dependencies.waits_for(group) <= ended.keys()]:
                waiting.remove(group)
                running[tools.executor.submit(_build_group, tools, draft, group, dict(results))] = group
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                finished = ended[running.pop(future)] = future.result()
                results |= {result.function: result for result in finished.results}
                draft = with_division(draft, finished.division) if finished.division else draft
    finally:
        for future in running:
            future.cancel()
    in_order = {spec.name: results[spec.name] for spec in draft.made_plan.functions}
    suites = {name: result.suite for name, result in in_order.items()}
    finished_in_order = [ended[group] for group in dependencies.order]
    stopped = next((finished.stopped for finished in finished_in_order if finished.stopped), draft.stopped)
    return draft.having(
        results=in_order,
        suites=suites,
        stopped=stopped,
        revisions=(*draft.revisions, *(revision for finished in finished_in_order for revision in finished.revisions)),
        questions=(*draft.questions, *(question for finished in finished_in_order for question in finished.questions)),
        answers=(*draft.answers, *(answer for finished in finished_in_order for answer in finished.answers)),
        notes=(*draft.notes, *(note for finished in finished_in_order for note in finished.notes)),
    )


def _build_group(tools: Tools, draft: Draft, group: Group, below: Mapping[str, FunctionResult]) -> Finished:
    shop = Shop(tools, draft, group, below)
    finished = divided(shop, work(shop))
    tell_end(shop, finished)
    return finished
