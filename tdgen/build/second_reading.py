"""The second reading of the instruction beside green code, and in place of code that can't be made green.

Calls are looked for on which the two part. What these must give is asked of the test author: an answer is a case, to
which the code is held; what the words leave free counts against nobody and is told as a question; where no answer
comes, nobody knows which of the two is right, and the function is not green.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence, Sized
from typing import Final

from tdgen.build.case_checks import settle_calls
from tdgen.build.differential import MOST_QUESTIONS, Divergence, answers, is_plain, question_on
from tdgen.build.function_state import FunctionState
from tdgen.build.group import GroupBuild
from tdgen.build.shrinking import shortest
from tdgen.build.versions import VersionCall, VersionRunner, seed_constants
from tdgen.errors import BudgetSpent, ModelError
from tdgen.impl import Reading
from tdgen.inputs import generated, related_calls
from tdgen.testgen.queries import Query, Settled, Why
from tdgen.types import Attempt, Call, Observation
from tdgen.values.decode import decode
from tdgen.values.readers import Unreadable

ROUNDS: Final = 2
"""Code that was repaired by the first answers is compared once more."""
MOST_KINDS: Final = 4
MOST_BATCHES: Final = 8
BATCH: Final = 120
AT_ONCE: Final = 48
LEAST: Final = 240
"""So many calls are looked at on a busy machine too."""
PATIENCE_S: Final = 0.2


def question_readings(build: GroupBuild, state: FunctionState, seconds: float) -> bool:
    """Look for calls on which green code and the readings part, and ask what these give; whether the suite has grown.

    The search takes so many `seconds`. Code that was compared before is not compared again.
    """
    readings = [reading for reading in build.draft.readings if state.name in reading.counts]
    source = state.best.source if state.best is not None else ""
    if not readings or not source or source in state.held_against or len(state.held_against) >= ROUNDS:
        return False
    state.held_against.append(source)
    divergences = _divergences(build, state, source, readings, seconds)
    state.unanswered = ()
    if not divergences:
        return False
    settled = _settled(build, state, [divergence.call for divergence in divergences])
    answered = {*settled.cases, *settled.open, *settled.forbidden, *settled.covered}
    silent = [divergence for place, divergence in enumerate(divergences) if place not in answered]
    state.unanswered = tuple(question_on(state, divergence) for divergence in silent)
    left_open = [divergences[place] for place in sorted(settled.open) if is_plain(divergences[place].call)]
    cases = [*settled.in_order, *answers(build, state, left_open[:MOST_QUESTIONS])]
    state.add(cases, build.evaluator(state).oracle.expectations(cases), held_out=False)
    return bool(cases)


def take_reading(build: GroupBuild, state: FunctionState) -> bool:
    """Try the readings' own code for a function that others could not make green; whether it is now.

    It is judged by all cases, those held out too, and is nothing but a witness where it fails one.
    """
    untried = [reading for reading in build.draft.readings if state.name in reading.functions][_tried(state) :]
    for reading in untried:
        number = build.begin(state)
        line = 1 + max((attempt.line for attempt in state.history), default=-1)
        source = reading.source_of(state.name)
        attempt = Attempt(function=state.name, number=number, source=source, rung="reading", line=line)
        judged = build.judged(state, attempt)
        if judged.green:
            build.enter({state.name: attempt})
            build.note(state, "its code is that of the second reading of the instruction, which passes all its cases")
            return True
        build.remember(judged)
    return False


def can_take_reading(build: GroupBuild, state: FunctionState) -> bool:
    """Whether there is a reading with code for the function that was not tried."""
    able = [reading for reading in build.draft.readings if state.name in reading.functions]
    return not build.is_blocked and _tried(state) < len(able)


def _tried(state: FunctionState) -> int:
    return sum(attempt.rung == "reading" for attempt in state.history)


def _settled(build: GroupBuild, state: FunctionState, calls: Sequence[Call]) -> Settled:
    """What the words say of the calls; of none where nobody can be asked."""
    asking = Query("model", attempt=2 * len(state.held_against) - 1, why=Why.READING, there=state.suite.cases)
    try:
        if build.can_spare(state, "settle"):
            return settle_calls(build.tools, build.draft, build.draft.context(state.spec, state.pinned), calls, asking)
    except (BudgetSpent, ModelError) as error:
        build.note(state, f"calls on which the second reading parts from it were not settled: {error}")
    return Settled({})


def _divergences(
    build: GroupBuild, state: FunctionState, source: str, readings: Sequence[Reading], seconds: float
) -> list[Divergence]:
    """One divergence of each kind of difference, the likeliest calls first, found within so many seconds."""
    until = time.monotonic() + seconds
    runner = build.evaluator(state).runner(source, build.around(state), wall_s=PATIENCE_S)
    versions = [source, *(reading.source for reading in readings)]
    found: dict[tuple[str, ...], Divergence] = {}
    compared = 0
    for calls in _batches(build, state, versions):
        compared += len(calls)
        seen = runner.observed([VersionCall(version, call) for version in versions for call in calls])
        rows = [seen[start : start + len(calls)] for start in range(0, len(seen), len(calls))]
        for theirs in rows[1:]:
            for call, one, other in zip(calls, rows[0], theirs, strict=True):
                if _may_part(one, other) and not runner.same(_unworded(one), _unworded(other), call):
                    found.setdefault(_kind(one, other), Divergence(call, one, other))
        if len(found) >= MOST_KINDS or (compared >= LEAST and time.monotonic() > until):
            break
    chosen = list(found.values())[:MOST_KINDS]
    return [_shortened(one, runner, versions) for one in chosen] if state.spec.interface else chosen


def _shortened(found: Divergence, runner: VersionRunner, versions: Sequence[str]) -> Divergence:
    """The divergence after as few steps as still part the code and a reading in that way."""
    kind, shown = _kind(found.ours, found.theirs), {found.call.call_key: found}

    def parts(calls: Sequence[Call]) -> list[bool]:
        seen = runner.observed([VersionCall(version, call) for version in versions for call in calls])
        for place, call in enumerate(calls):
            one, *others = seen[place :: len(calls)]
            for other in others:
                if _may_part(one, other) and _kind(one, other) == kind and not runner.same(one, other, call):
                    shown.setdefault(call.call_key, Divergence(call, one, other))
        return [call.call_key in shown for call in calls]

    return shown[shortest(found.call, parts).call_key]


def _batches(build: GroupBuild, state: FunctionState, versions: Sequence[str]) -> Iterator[list[Call]]:
    """Calls that no case makes, a few at a time, each once: likely ones first, then such whose parts are related."""
    known, met = seed_constants(*versions), set[str]()
    for number in range(MOST_BATCHES):
        make = related_calls if number else generated
        most = BATCH * min(number + 1, 4)
        made = make(state.spec, state.suite.cases, build.plan.types, most=most, seed=number, hints=known)
        calls = [call for call in made if call.call_key not in met]
        met |= {call.call_key for call in calls}
        yield from (calls[start : start + AT_ONCE] for start in range(0, len(calls), AT_ONCE))


def _may_part(one: Observation, other: Observation) -> bool:
    """Whether both came to an end, the reading's by itself, and one of them to a result."""
    ended = all(seen.status in ("returned", "raised") for seen in (one, other))
    cut_off = other.raised is not None and other.raised.type.endswith("_Endless_")
    return ended and not cut_off and (one.has_result or other.has_result)


def _unworded(seen: Observation) -> Observation:
    """Without what went to standard error: two authors word a script's messages in two ways."""
    return seen.model_copy(update={"stderr": ""}) if seen.stderr else seen


def _ended(seen: Observation) -> str:
    if seen.raised is None:
        return seen.status
    return seen.raised.type if seen.raised.exit_code is None else f"exit code {seen.raised.exit_code}"


def _kind(one: Observation, other: Observation) -> tuple[str, ...]:
    """What kind of difference it is: the exceptions, or the values' types and which is the greater or the longer.

    Of a script that exits the codes, and which of the two prints the longer text.
    """
    if "raised" in (one.status, other.status):
        length = len(one.stdout) - len(other.stdout)
        printed = ("longer" if length > 0 else "shorter" if length else "alike") if one.stdout != other.stdout else ""
        return (_ended(one), _ended(other), printed)
    try:
        ours, theirs = decode(one.value), decode(other.value)
    except Unreadable:
        return ("unreadable",)
    sizes = [len(value) if isinstance(value, Sized) else value for value in (ours, theirs)]
    which = [sizes[0] < sizes[1], sizes[0] > sizes[1]] if all(isinstance(n, int | float) for n in sizes) else []
    return type(ours).__name__, type(theirs).__name__, str(which)
