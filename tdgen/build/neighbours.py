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
from tdgen.build.function_state import FunctionState
from tdgen.build.group import GroupBuild
from tdgen.build.versions import VersionCall
from tdgen.errors import BudgetSpent, ModelError
from tdgen.events import SuiteWritten
from tdgen.inputs import neighbours
from tdgen.testgen.queries import Query
from tdgen.types import Attempt, Call, Case

MOST_TRIED: Final = 24
PATIENCE_S: Final = 0.5
REPAIRS: Final = frozenset({"repair", "trace"})


def try_neighbours(build: GroupBuild, state: FunctionState) -> bool:
    """Ask about neighbours of what the last repair mended, once for a function; whether the suite has grown."""
    before = _mended(build, state)
    if before is None or state.best is None or not build.can_spare(state, "settle"):
        return False
    state.neighbours_tried = True
    calls = _suspicious(build, state, before, state.best)
    if not calls:
        return False
    asking = Query("model", "neighbours", there=state.suite.cases)
    try:
        settled = settle_calls(build.tools, build.draft, build.draft.context(state.spec, state.pinned), calls, asking)
    except (BudgetSpent, ModelError) as error:
        build.note(state, f"what its repair does beside the mended cases was not settled: {error}")
        return False
    cases = settled.in_order
    state.add(cases, build.evaluator(state).oracle.expectations(cases), held_out=False)
    if cases:
        build.tools.emit(SuiteWritten(suite=state.suite))
    return bool(cases)


def _mended(build: GroupBuild, state: FunctionState) -> Attempt | None:
    """The attempt that the best one is a repair of, where that is green and was not looked into; else None."""
    best = state.best
    if best is None or not best.green or best.rung not in REPAIRS or state.neighbours_tried or build.is_blocked:
        return None
    earlier = (a for a in reversed(state.history) if a.number < best.number and a.line == best.line)
    return next((a for a in earlier if a.verdicts and not a.is_patch and _failed(state, a)), None)


def _failed(state: FunctionState, attempt: Attempt) -> list[Case]:
    failed = {verdict.case for verdict in attempt.verdicts if not verdict.passed}
    return [case for case in state.suite.visible if case.name in failed]


def _suspicious(build: GroupBuild, state: FunctionState, before: Attempt, after: Attempt) -> list[Call]:
    """At most two neighbours: one on which attempts of other lines do otherwise, one on which nothing was mended."""
    calls = neighbours(state.spec, state.suite.cases, _failed(state, before), build.plan.types, most=MOST_TRIED)
    other = state.of_another_line
    sources = [after.source, before.source, *([other.source] if other is not None else [])]
    runner = build.evaluator(state).runner(after.source, build.around(state), wall_s=PATIENCE_S)
    seen = runner.observed([VersionCall(source, call) for source in sources for call in calls])
    rows = [seen[n * len(calls) : (n + 1) * len(calls)] for n in range(len(sources))]

    def first(row: int, *, same: bool, but: Sequence[Call] = ()) -> list[Call]:
        if row >= len(rows):
            return []
        pairs = zip(calls, rows[0], rows[row], strict=True)
        return [call for call, one, two in pairs if runner.same(one, two, call) is same and call not in but][:1]

    diverged = first(2, same=False)
    return [*diverged, *first(1, same=True, but=diverged)]
