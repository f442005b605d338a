"""The rung of mechanical repair: single edits of what a model wrote. No search is run twice on the same.

A patch that passes is a guess (patch overfitting: Smith et al. 2015, Le et al. 2018). It is never green by itself: the
repair that follows shows it to the developer, who confirms it by writing it, or writes what is right.

An edit that passes is not right yet: where several pass and do not do the same, the test author is asked what the
contract says of the calls on which they part. It sees neither the code nor the edits, and what it says are cases.
"""

from __future__ import annotations

from tdgen.errors import BudgetSpent, ModelError
from tdgen.events import SuiteWritten
from tdgen.pipeline.testing import settle_calls
from tdgen.pipeline.workshop.searching import Failed, Rivals, search
from tdgen.pipeline.workshop.shop import Shop
from tdgen.pipeline.workshop.task import Task
from tdgen.testgen.settling import Asking, Why
from tdgen.types import Attempt, Case, digest

MOST_SEARCHES = 3
MOST_PARTED = 6


def can_search(shop: Shop, task: Task) -> bool:
    """Whether the best attempt can be run, fails, and was not searched as it is."""
    best = task.best
    if best is None or shop.is_blocked or not shop.tools.settings.search_seconds or best.findings or not best.verdicts:
        return False
    return bool(task.failing) and _search_key(task) not in task.searched


def _search_key(task: Task) -> str:
    """What a search would go through: the code that a model wrote last, and how much of the suite may be shown."""
    return digest([task.best_written.source, sorted(case.name for case in task.suite.visible)])


def search_edits(shop: Shop, task: Task) -> bool:
    """Edit what a model wrote until all that is shown passes; a held-out case that fails then is shown too."""
    changed = False
    for _ in range(MOST_SEARCHES):
        shop.promote(task)
        if _search_key(task) in task.searched:
            break
        task.searched.add(_search_key(task))
        written = task.best_written
        found = _searched(shop, task, written)
        if found is None:
            break
        if cases := _parted(shop, task, found):
            changed = True
            shop.tools.emit(SuiteWritten(suite=task.suite))
            shop.judge_again()
            found = found.passing(cases, task.expected)
        if found is None:
            continue
        changed = shop.enter({task.name: _edited(shop, task, written, found)}) or changed
        if task.passes or task.failing_shown:
            break
    return changed


def _searched(shop: Shop, task: Task, written: Attempt) -> Rivals | None:
    """What a search makes of the code that a model wrote last; None where it finds nothing."""
    origin = written if written is task.best else shop.judged(task, written)
    verdicts = {verdict.case: verdict for verdict in origin.verdicts}
    failed = Failed(origin.source, shop.around(task), task.suite.visible, task.expected, verdicts)
    seconds = shop.tools.settings.search_seconds
    return search(shop.bench(task), task.spec, shop.plan.types, failed, seconds=seconds)


def _edited(shop: Shop, task: Task, written: Attempt, found: Rivals) -> Attempt:
    return Attempt(
        function=task.name,
        number=shop.begin(task),
        source=found.source,
        rung="mechanical",
        line=written.line,
        mended=(found.told,),
    )


def _parted(shop: Shop, task: Task, found: Rivals) -> tuple[Case, ...]:
    """New cases, on calls on which edits part. Asked for once for a task, and where a call is to spare."""
    if not found.calls or task.edits_parted or not shop.can_spare(task, "settle"):
        return ()
    task.edits_parted = True
    calls, asking = found.calls[:MOST_PARTED], Asking(why=Why.EDITS, there=task.suite.cases)
    try:
        settled = settle_calls(shop.tools, shop.draft, shop.draft.context(task.spec, task.law), calls, asking)
    except (BudgetSpent, ModelError) as error:
        shop.note(task, f"edits that pass alike were not told apart by the contract: {error}")
        return ()
    cases = tuple(settled.in_order)
    task.add(cases, shop.bench(task).oracle.expectations(cases), held_out=False)
    return cases
