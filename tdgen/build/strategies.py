"""The repair strategies: what is tried on a function that is not green, the least costly first.

A strategy fits a state or not. Where one has changed something (a new attempt, a changed suite) all are looked at from
the first again; each is tried at most once on the same failure.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tdgen.build.arbitration import arbitrate, is_disputed, may_arbitrate
from tdgen.build.class_evidence import class_evidence
from tdgen.build.dependency_faults import may_report_fault, must_report_fault, report_fault
from tdgen.build.function_state import FunctionState, signature
from tdgen.build.group import GroupBuild
from tdgen.build.patch_search import can_search, search_edits
from tdgen.build.resampling import resample
from tdgen.build.returning import may_return, return_to_author
from tdgen.build.second_reading import can_take_reading, take_reading
from tdgen.impl import repair, trace_repair
from tdgen.types import Step

MOST_DISPUTED = 2
MOST_WITH_HELPERS = 3


class Strategy(NamedTuple):
    """A way to repair: its name, whether it fits, and how it is tried; `act` tells whether anything changed."""

    name: str
    fits: Callable[[GroupBuild, FunctionState], bool]
    act: Callable[[GroupBuild, FunctionState], bool]


def try_next(build: GroupBuild, state: FunctionState) -> bool:
    """Try the first strategy that fits and changes something; False where none is left."""
    for strategy in STRATEGIES:
        key = (strategy.name, signature(state.best) if state.best else "")
        if key not in state.tried and strategy.fits(build, state):
            state.tried.add(key)
            if strategy.act(build, state):
                return True
    return False


def _may_write(build: GroupBuild, state: FunctionState) -> bool:
    """Whether another attempt may be asked for: none once two words speak against each case that it fails."""
    return not build.is_blocked and _attempts_left(build, state) > 0 and not is_disputed(build, state, MOST_DISPUTED)


def _attempts_left(build: GroupBuild, state: FunctionState) -> int:
    most = MOST_WITH_HELPERS if state.decomposed_at else build.tools.settings.budget.iterations
    return most - len(state.written)


# Those that ask the developer.


def _repair(build: GroupBuild, state: FunctionState) -> bool:
    if state.best is None:
        return False
    build.promote(state)
    build.begin(state)
    base, patch = state.best, ""
    if state.best.is_patch:
        base, patch = build.judged(state, state.best_written), state.best.mended[0]
    seen = class_evidence(build, state, base)
    attempt = repair(build.tools.model, build.brief(state), state.suite, base, state.history, patch=patch, seen=seen)
    build.enter({state.name: attempt})
    return True


def _can_trace(build: GroupBuild, state: FunctionState) -> bool:
    best = state.best
    return _may_write(build, state) and best is not None and bool(best.verdicts) and bool(state.failing_shown)


def _trace(build: GroupBuild, state: FunctionState) -> bool:
    if state.best is None:
        return False
    steps = _steps(build, state)
    if not steps:
        return False
    build.begin(state)
    brief = build.brief(state)
    seen = class_evidence(build, state, state.best)
    attempt = trace_repair(build.tools.model, brief, state.suite, state.best, state.history, steps, seen=seen)
    build.enter({state.name: attempt})
    return True


def _steps(build: GroupBuild, state: FunctionState) -> tuple[Step, ...]:
    """The line trace of the smallest failing call that a prompt may show, its lines counted in the attempt's source."""
    if state.best is None:
        return ()
    evaluator = build.evaluator(state)
    module = evaluator.module(state.best.source, build.around(state))
    return evaluator.steps(module, state.best.source, state.failing_shown[0])


def _another(build: GroupBuild, state: FunctionState) -> bool:
    """Another algorithm, told what failed; at trust level strict two at once, and the better of them counts."""
    build.promote(state)
    resample(build, state, _attempts_left(build, state))
    return True


STRATEGIES: tuple[Strategy, ...] = (
    Strategy("return", may_return, return_to_author),  # what can't be observed is nobody's to repair, or to rule on
    Strategy("arbitration", may_arbitrate, arbitrate),  # is the case wrong? asked before anything is bent to it
    Strategy("fault of what a case names", must_report_fault, report_fault),  # either of the two functions may be wrong
    Strategy("patch search", can_search, search_edits),  # single edits tried in the sandbox, no model call
    Strategy("dependency fault", may_report_fault, report_fault),  # after a first repair: is what it stands on wrong?
    Strategy("repair", _may_write, _repair),  # from what was observed of the best attempt
    Strategy("second arbitration", may_arbitrate, arbitrate),  # of a failure that outlasts a repair
    Strategy("trace", _can_trace, _trace),  # from the line trace of the smallest failing call
    Strategy("another way", _may_write, _another),  # a fresh attempt, by another algorithm
    Strategy("second reading", can_take_reading, take_reading),  # its own code, no model call
)
