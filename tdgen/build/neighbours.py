"""Does a repair mend the fault, or only what was shown of it? The mended cases' neighbours are tried before it counts.

Their inputs are varied along what they have: more of it, equal, reversed, a little beside. The code before the repair,
the code after it and attempts of other lines run on these. Two kinds of neighbour are worth a question: one on which
the repair parts from an attempt of another line, and one on which it gives what the wrong code gave. The test author
says what they must give; what the repair fails of that is shown, as any case is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tdgen.build.case_checks import settle_calls
from tdgen.build.function_state import Task
from tdgen.build.group import Shop
from tdgen.build.versions import Trial
from tdgen.errors import BudgetSpent, ModelError
from tdgen.events import SuiteWritten
from tdgen.inputs import neighbours
from tdgen.testgen.settling import Asking, Why
from tdgen.types import Attempt, Call, Case

MOST_TRIED: Final = 24
PATIENCE_S: Final = 0.5
REPAIRS: Final = frozenset({"repair", "trace"})


def try_neighbours(shop: Shop, task: Task) -> bool:
    """Ask about neighbours of what the last repair mended, once for a function; whether the suite has grown."""
    before = _mended(shop, task)
    if before is None or task.best is None or not shop.can_spare(task, "settle"):
        return False
    task.neighbours_tried = True
    calls = _suspicious(shop, task, before, task.best)
    if not calls:
        return False
    asking = Asking("model", why=Why.NEIGHBOURS, there=task.suite.cases)
    try:
        settled = settle_calls(shop.tools, shop.draft, shop.draft.context(task.spec, task.law), calls, asking)
    except (BudgetSpent, ModelError) as error:
        shop.note(task, f"what its repair does beside the mended cases was not settled: {error}")
        return False
    cases = settled.in_order
    task.add(cases, shop.bench(task).oracle.expectations(cases), held_out=False)
    if cases:
        shop.tools.emit(SuiteWritten(suite=task.suite))
    return bool(cases)


def _mended(shop: Shop, task: Task) -> Attempt | None:
    """The attempt that the best one is a repair of, where that is green and was not looked into; else None."""
    best = task.best
    if best is None or not best.green or best.rung not in REPAIRS or task.neighbours_tried or shop.is_blocked:
        return None
    earlier = (a for a in reversed(task.history) if a.number < best.number and a.line == best.line)
    return next((a for a in earlier if a.verdicts and not a.is_patch and _failed(task, a)), None)


def _failed(task: Task, attempt: Attempt) -> list[Case]:
    failed = {verdict.case for verdict in attempt.verdicts if not verdict.passed}
    return [case for case in task.suite.visible if case.name in failed]


def _suspicious(shop: Shop, task: Task, before: Attempt, after: Attempt) -> list[Call]:
    """At most two neighbours: one on which attempts of other lines do otherwise, one on which nothing was mended."""
    calls = neighbours(task.spec, task.suite.cases, _failed(task, before), shop.plan.types, most=MOST_TRIED)
    other = task.of_another_line
    sources = [after.source, before.source, *([other.source] if other is not None else [])]
    screen = shop.bench(task).screen(after.source, shop.around(task), wall_s=PATIENCE_S)
    seen = screen.observed([Trial(source, call) for source in sources for call in calls])
    rows = [seen[n * len(calls) : (n + 1) * len(calls)] for n in range(len(sources))]

    def first(row: int, *, same: bool, but: Sequence[Call] = ()) -> list[Call]:
        if row >= len(rows):
            return []
        pairs = zip(calls, rows[0], rows[row], strict=True)
        return [call for call, one, two in pairs if screen.same(one, two, call) is same and call not in but][:1]

    parted = first(2, same=False)
    return [*parted, *first(1, same=True, but=parted)]
