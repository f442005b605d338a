"""Properties against what is green: a falsified one names calls that the suite lacks, or was wrong itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tdgen.events import SuiteWritten
from tdgen.pipeline.falsifying import Trier
from tdgen.pipeline.upholding import uphold
from tdgen.pipeline.workshop.shop import Shop
from tdgen.pipeline.workshop.task import Task
from tdgen.testgen.properties import functions_in
from tdgen.types import Case

MOST_CASES = 12
"""From properties, in one suite: what is falsified again and again is not healed by ever more cases."""


def challenge_properties(shop: Shop, task: Task) -> bool:
    """Try a green function's properties on its best attempt; whether its suite has grown, so that healing is due.

    What falsifies a property is settled by the test author, and joins the suite as a case. Where the attempt passes
    it, or nothing is settled, the property is set aside: a wrong one never keeps anything from being green. A property
    over functions that are not there yet waits for the finished module.
    """
    if task.best is None or not task.green or shop.is_blocked or task.name in shop.draft.kept:
        return False
    around = shop.around(task)
    there = {task.name, *around}
    due = [one for one in task.suite.properties if functions_in(one.source, shop.plan) <= there]
    if not due or sum(case.provenance == "property" for case in task.suite.cases) >= MOST_CASES:
        return False
    bench, trier = shop.bench(task), Trier(shop.tools.sandbox, task.spec, shop.plan)
    module = bench.module(task.best.source, around)

    def passes(cases: Sequence[Case]) -> Mapping[str, bool]:
        seen = bench.watched(module, cases).observations
        verdicts = bench.oracle.verdicts(task.spec, cases, seen, bench.oracle.expectations(cases))
        return {verdict.case: verdict.passed for verdict in verdicts}

    tried = {one.name: trier.tried(one, module) for one in due}
    upheld = uphold(shop.tools, shop.draft, task.suite, tried, passes, refused=_refused(task))
    task.suite = task.suite.model_copy(update={"properties": upheld.properties})
    shop.revise(task, upheld.revisions)
    for note in upheld.notes:
        shop.note(task, note)
    if upheld.cases:
        task.add(upheld.cases, bench.oracle.expectations(upheld.cases), held_out=False)
        shop.tools.emit(SuiteWritten(suite=task.suite))
    return bool(upheld.cases)


def _refused(task: Task) -> set[str]:
    """The calls on which a case was set aside by a trial."""
    return {revision.call for revision in task.revisions if revision.action == "quarantined" and revision.call}
