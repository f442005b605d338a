"""The rung of mechanical repair: single edits of what a model wrote. No search is run twice on the same."""

from __future__ import annotations

from tdgen.pipeline.workshop.searching import Failed, search
from tdgen.pipeline.workshop.shop import Shop
from tdgen.pipeline.workshop.task import Task
from tdgen.types import Attempt, digest

MOST_SEARCHES = 3


def can_search(shop: Shop, task: Task) -> bool:
    """Whether the best attempt can be run, fails, and was not searched as it is."""
    best = task.best
    if best is None or shop.is_blocked or not shop.tools.settings.search_seconds or best.findings or not best.verdicts:
        return False
    return bool(task.failing) and _search_key(task) not in task.searched


def _search_key(task: Task) -> str:
    """What a search would go through: the code that a model wrote last, and how much of the suite may be shown."""
    return digest([_written_last(task).source, sorted(case.name for case in task.suite.visible)])


def _written_last(task: Task) -> Attempt:
    """The best attempt or, where a search made that, the one that the search set out from."""
    if task.best is None:
        raise RuntimeError("nothing was written yet")
    by_hand = [a for a in task.history if a.rung != "mechanical" and a.line == task.best.line and a.verdicts]
    return by_hand[-1] if task.best.rung == "mechanical" and by_hand else task.best


def search_edits(shop: Shop, task: Task) -> bool:
    """Edit what a model wrote until all that is shown passes; a held-out case that fails then is shown too."""
    changed = False
    for _ in range(MOST_SEARCHES):
        shop.promote(task)
        if _search_key(task) in task.searched:
            break
        task.searched.add(_search_key(task))
        found = _edited(shop, task)
        if found is None:
            break
        changed = shop.enter({task.name: found}) or changed
        if task.green or task.failing_shown:
            break
    return changed


def _edited(shop: Shop, task: Task) -> Attempt | None:
    """What a search makes of the code that a model wrote last; None where it finds nothing."""
    written = _written_last(task)
    origin = written if written is task.best else shop.judged(task, written)
    verdicts = {verdict.case: verdict for verdict in origin.verdicts}
    failed = Failed(origin.source, shop.around(task), task.suite.visible, task.expected, verdicts)
    seconds = shop.tools.settings.search_seconds
    found = search(shop.bench(task), task.spec, shop.plan.types, failed, seconds=seconds)
    if found is None:
        return None
    return Attempt(
        function=task.name,
        number=shop.begin(task),
        source=found.source,
        rung="mechanical",
        line=origin.line,
        mended=(found.told,),
    )
