"""The ladder: what is tried on a function that is not green, the least costly first, as a tuple of named rungs.

A rung fits a task or not. One that was climbed has changed something (a new attempt, a changed suite), so that the
ladder is looked at from its foot again; each is climbed at most once on the same failure.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tdgen.build.arbitration import arbitrate, may_arbitrate
from tdgen.build.dependency_faults import inquire, may_inquire, must_inquire
from tdgen.build.evidence import is_disputed
from tdgen.build.function_state import Task, signature
from tdgen.build.group import Shop
from tdgen.build.patch_search import can_search, search_edits
from tdgen.build.resampling import begin_afresh
from tdgen.build.returning import may_return, return_to_author
from tdgen.build.second_reading import can_take_reading, take_reading
from tdgen.impl import repair, trace_repair
from tdgen.types import Step

MOST_DISPUTED = 2
MOST_WITH_HELPERS = 3


class Rung(NamedTuple):
    """A way to heal: its name, whether it fits, and how it is climbed; climbing tells whether anything changed."""

    name: str
    fits: Callable[[Shop, Task], bool]
    climb: Callable[[Shop, Task], bool]


def climb(shop: Shop, task: Task) -> bool:
    """Climb the first rung that fits and changes something; False where the ladder ends."""
    for rung in RUNGS:
        key = (rung.name, signature(task.best) if task.best else "")
        if key not in task.climbed and rung.fits(shop, task):
            task.climbed.add(key)
            if rung.climb(shop, task):
                return True
    return False


def _may_write(shop: Shop, task: Task) -> bool:
    """Whether another attempt may be asked for: none once two words speak against each case that it fails."""
    return not shop.is_blocked and _attempts_left(shop, task) > 0 and not is_disputed(shop, task, MOST_DISPUTED)


def _attempts_left(shop: Shop, task: Task) -> int:
    most = MOST_WITH_HELPERS if task.divided_at else shop.tools.settings.budget.iterations
    return most - len(task.written)


# The model's rungs.


def _repair(shop: Shop, task: Task) -> bool:
    if task.best is None:
        return False
    shop.promote(task)
    shop.begin(task)
    base, patch = task.best, ""
    if task.best.is_patch:
        base, patch = shop.judged(task, task.best_written), task.best.mended[0]
    attempt = repair(shop.tools.model, shop.brief(task), task.suite, base, task.history, patch=patch)
    shop.enter({task.name: attempt})
    return True


def _can_trace(shop: Shop, task: Task) -> bool:
    best = task.best
    return _may_write(shop, task) and best is not None and bool(best.verdicts) and bool(task.failing_shown)


def _trace(shop: Shop, task: Task) -> bool:
    if task.best is None:
        return False
    steps = _steps(shop, task)
    if not steps:
        return False
    shop.begin(task)
    brief = shop.brief(task)
    attempt = trace_repair(shop.tools.model, brief, task.suite, task.best, task.history, steps)
    shop.enter({task.name: attempt})
    return True


def _steps(shop: Shop, task: Task) -> tuple[Step, ...]:
    """The line trace of the smallest failing call that a prompt may show, its lines counted in the attempt's source."""
    if task.best is None:
        return ()
    bench = shop.bench(task)
    module = bench.module(task.best.source, shop.around(task))
    return bench.steps(module, task.best.source, task.failing_shown[0])


def _another(shop: Shop, task: Task) -> bool:
    """Another algorithm, told what failed; at trust level strict two at once, and the better of them counts."""
    shop.promote(task)
    begin_afresh(shop, task, _attempts_left(shop, task))
    return True


RUNGS: tuple[Rung, ...] = (
    Rung("return", may_return, return_to_author),  # what can't be observed is nobody's to repair, or to rule on
    Rung("trial", may_arbitrate, arbitrate),  # is the case wrong? asked before anything is bent to it
    Rung("blame of what a case names", must_inquire, inquire),  # either of the two functions may be wrong
    Rung("search", can_search, search_edits),  # single edits tried in the sandbox, no model call
    Rung("blame", may_inquire, inquire),  # after a first repair: is what it stands on wrong?
    Rung("repair", _may_write, _repair),  # from what was observed of the best attempt
    Rung("second trial", may_arbitrate, arbitrate),  # a failure that outlasts a repair, or that another line shares
    Rung("trace", _can_trace, _trace),  # from the line trace of the smallest failing call
    Rung("another way", _may_write, _another),  # a fresh attempt, by another algorithm
    Rung("second reading", can_take_reading, take_reading),  # the code of who read the instruction alone, no model call
)
