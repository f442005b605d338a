"""Another way: fresh attempts that are told which approaches failed.

Of several at once, pass count and agreement choose. The one that is not chosen stays in the history: it shares no code
with the other, and so is a witness where a case, or what is green, is doubted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from tdgen.build.function_state import FunctionState
from tdgen.build.group import GroupBuild, is_better
from tdgen.build.versions import VersionCall
from tdgen.errors import BudgetSpent, ModelError
from tdgen.impl import another
from tdgen.inputs import generated
from tdgen.types import Attempt

COMPARED_ON: Final = 40
PATIENCE_S: Final = 0.5


def resample(build: GroupBuild, state: FunctionState, most: int) -> None:
    """Have the function written anew, where it may be written `most` times more.

    At trust level strict two attempts are made at once where nobody is owed the second one's call. BudgetSpent and
    ModelError pass through where no attempt comes of it.
    """
    attempts = _written(build, state, _count(build, state, most))
    judged = [build.judged(state, attempt) for attempt in attempts]
    chosen = _chosen(build, state, judged) if len(judged) > 1 else 0
    for place, attempt in enumerate(attempts):
        if place == chosen:
            build.enter({state.name: attempt})
        else:
            build.remember(judged[place])


def _count(build: GroupBuild, state: FunctionState, most: int) -> int:
    wanted = build.tools.settings.policy.at_once
    if most < wanted or not build.tools.purse.may_spend("implement", state.name, optional=True, calls=wanted):
        return 1
    return wanted


def _written(build: GroupBuild, state: FunctionState, count: int) -> list[Attempt]:
    """So many attempts, asked for at once, each of a line of its own.

    They have threads of their own: who waits for them may hold the last shared one.
    """
    model, brief, suite, history = build.tools.model, build.brief(state), state.suite, tuple(state.history)
    first = 1 + max(attempt.line for attempt in history)
    for ahead in range(count):
        build.begin(state, ahead)
    with ThreadPoolExecutor(count) as pool:
        asked = [pool.submit(another, model, brief, suite, history, line=first + place) for place in range(count)]
    errors = [error for future in asked if (error := future.exception()) is not None]
    expected = all(isinstance(error, BudgetSpent | ModelError) for error in errors)
    if errors and (len(errors) == count or not expected):
        raise errors[0]
    written = [future.result() for future in asked if future.exception() is None]
    return [
        attempt.model_copy(update={"number": number}) for number, attempt in enumerate(written, start=len(history) + 1)
    ]


def _chosen(build: GroupBuild, state: FunctionState, judged: Sequence[Attempt]) -> int:
    """The place of the attempt that passes more; of two that pass as much, the one that others agree with more often.

    The others are the best attempts of all other lines, and what counts are generated calls.
    """
    one, other = ({state.name: attempt} for attempt in judged)
    if is_better(one, other) != is_better(other, one):
        return 0 if is_better(one, other) else 1
    readable = [attempt for attempt in state.history if attempt.verdicts and not attempt.findings]
    witnesses = {attempt.line: attempt for attempt in sorted(readable, key=lambda attempt: attempt.passed)}
    if not witnesses or any(not attempt.source or attempt.findings for attempt in judged):
        return 0
    calls = generated(state.spec, state.suite.cases, build.plan.types, most=COMPARED_ON)
    runner = build.evaluator(state).runner(judged[0].source, build.around(state), wall_s=PATIENCE_S)
    sources = [attempt.source for attempt in (*judged, *witnesses.values())]
    seen = runner.observed([VersionCall(source, call) for call in calls for source in sources])
    agreeing = Counter[int]()
    for number, call in enumerate(calls):
        did = seen[number * len(sources) : (number + 1) * len(sources)]
        for place in range(len(judged)):
            agreeing[place] += sum(runner.same(did[place], other, call) for other in did[len(judged) :])
    return max(range(len(judged)), key=lambda place: agreeing[place])
