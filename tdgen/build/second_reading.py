"""Green code beside code that shares nothing with it: the second reading of the instruction, and a rival's.

Calls are looked for on which the two part. What these must give is asked of the test author: an answer is a case, to
which the code is held; what the words leave free counts against nobody and is told as a question. Where no answer comes
of a call on which a reading parts, nobody knows which of the two is right, and the function is not green. A reading
also stands in for code that can't be made green.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Sized
from dataclasses import replace
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from tdgen.build.differential import Divergence, answers, question_on
from tdgen.build.function_state import FunctionState
from tdgen.build.group import NO_RESULT, GroupBuild, Tried
from tdgen.build.undocumented import is_documented
from tdgen.build.versions import BUSY, VersionCall, VersionRunner, search_limit
from tdgen.errors import BudgetSpent
from tdgen.inputs import Generated, searched, weight
from tdgen.inputs.mutants import turns
from tdgen.inputs.sequences import shortest
from tdgen.inputs.sources import seed_constants
from tdgen.specs.declarations import STUB
from tdgen.testgen.queries import Query, QueryResult
from tdgen.types import Attempt, Call, Case, Observation, World
from tdgen.values.decode import decode
from tdgen.values.readers import Unreadable
from tdgen.values.show import show_wire

if TYPE_CHECKING:
    from tdgen.build.screening_job import Channel
    from tdgen.impl.reading import Reading

ROUNDS: Final = 2
"""Code that was repaired by the first answers is compared once more."""
MOST_KINDS: Final = 4  # of differences, one call of each, in one question; not tuned
MOST_QUESTIONS: Final = 3  # to the user, of calls that the words leave free; not tuned
CONFIRMED: Final = "another implementation"
AT_ONCE: Final = 200
SLOW_AT_ONCE: Final = 16
"""Calls that share a process: as many as look quick, and of those that do not, as requests to a web application, which
take a tenth of a second each. Not tuned."""
PROBED: Final = 24
"""Of these, so many are seen each by itself: where nearly all seem to part, more would say the same at a cost. Not
tuned."""
LONGEST_RESULT: Final = 1_200
"""Calls whose result takes so many characters or more, which nobody works out, come after all others. Not tuned."""
TRIED: Final = 3
"""Calls of one kind that are kept: some part only where others share their process."""
PATIENCE_S: Final = 0.2
"""How long a call may take where a reading is compared with it. Not tuned."""
_UNFINISHED: Final = frozenset(
    {
        "NameError",
        "UnboundLocalError",
        "ImportError",
        "ModuleNotFoundError",
        "NotImplementedError",
        "ReferenceError",
        STUB,
    }
)
_BEYOND: Final = "undefined."
"""Exceptions of this module stand for behaviour that a language leaves undefined."""
_LOGGING = re.compile(r"\b(?:log|logs|logged|logging|logger)\b", re.IGNORECASE)
_Rank = tuple[bool, bool, bool, tuple[int, ...]]


def question_readings(build: GroupBuild, name: str) -> Tried:
    """Look for calls on which green code and the readings part, and ask what these give: the suite may have grown.

    The search takes as long as the policy says. Code that was compared before is not compared again.
    """
    state = build.states[name]
    readings = [reading.source for reading in build.draft.readings if state.name in reading.counts]
    source = state.best.source if state.best is not None else ""
    if not readings or not source or source in state.compared_sources or len(state.compared_sources) >= ROUNDS:
        return Tried(build, changed=False)
    build = build.changed(name, compared_sources=(*state.compared_sources, source))
    divergences = _divergences(build, state, source, readings)
    query = Query("model", "reading", len(state.compared_sources) + 1, there=state.suite.cases)
    failed = "calls on which the second reading parts from it were not settled"
    build, result, cases = _settled(build, name, divergences, query, failed, NO_RESULT)
    answered = {*result.cases, *result.open, *result.forbidden, *result.covered}
    silent = [divergence for place, divergence in enumerate(divergences) if place not in answered]
    build = build.changed(name, unanswered=tuple(question_on(state, divergence) for divergence in silent))
    return Tried(build.with_cases(name, cases), changed=bool(cases))


def compare(build: GroupBuild, name: str) -> Tried:
    """Look, once, for calls on which green attempts of two lines part, and settle them: the suite may have grown."""
    state = build.states[name]
    other = state.of_another_line
    if state.compared or other is None:
        return Tried(build, changed=False)
    build = build.changed(name, compared=True)
    if not build.judged(state, other).green:
        return Tried(build, changed=False)
    divergences = _divergences(build, state, state.made.source, [other.source])
    if not divergences:
        # An implementation that shares no code with the best bears each generated case out.
        changed = {
            case.name: case.model_copy(update={"confirmed": (*case.confirmed, CONFIRMED)})
            for case in state.suite.cases
            if not case.is_pinned and CONFIRMED not in case.confirmed
        }
        return Tried(build.with_state(build.states[name].with_changed(changed, {})), changed=False)
    query = Query("model", "rivals", there=state.suite.cases)
    failed = "calls on which two implementations part were not settled"
    all_open = QueryResult({}, frozenset(range(len(divergences))))
    build, _, cases = _settled(build, name, divergences, query, failed, all_open)
    return Tried(build.with_cases(name, cases), changed=bool(cases))


def _settled(
    build: GroupBuild, name: str, divergences: Sequence[Divergence], query: Query, failed: str, otherwise: QueryResult
) -> tuple[GroupBuild, QueryResult, list[Case]]:
    """What the test author says of calls, else `otherwise`; and the cases that come of it and of the user's answers."""
    result = otherwise
    if build.can_spare(build.states[name], "settle"):
        build, result = build.asked(name, [one.call for one in divergences], query, failed, otherwise)
    left_open = [divergences[place] for place in sorted(result.open)]
    # these can be told to a user in one expression
    plain = [one for one in left_open if not one.call.setup and one.call.world == World()]
    build, answered = answers(build, name, plain[:MOST_QUESTIONS])
    return build, result, [*result.in_order, *answered]


def take_reading(build: GroupBuild, name: str) -> Tried:
    """Try the readings' own code for a function that others could not make green.

    It is judged by all cases, those held out too, and is nothing but a witness where it fails one.
    """
    for reading in _untried(build, build.states[name]):
        state = build.states[name]
        try:
            number = build.begin(state)
        except BudgetSpent as error:
            return Tried(replace(build, stopped_by=error), changed=False)
        line = 1 + max((attempt.line for attempt in state.history), default=-1)
        attempt = Attempt(function=name, number=number, source=reading.source_of(name), rung="reading", line=line)
        judged = build.judged(state, attempt)
        if judged.green:
            text = "its code is that of the second reading of the instruction, which passes all its cases"
            return Tried(build.entered({name: attempt}).noted(name, text), changed=True)
        build = build.remembered(judged)
    return Tried(build, changed=False)


def can_take_reading(build: GroupBuild, state: FunctionState) -> bool:
    """Whether there is a reading with code for the function that was not tried."""
    return not build.is_blocked and bool(_untried(build, state))


def _untried(build: GroupBuild, state: FunctionState) -> list[Reading]:
    tried = sum(attempt.rung == "reading" for attempt in state.history)
    return [reading for reading in build.draft.readings if state.name in reading.functions][tried:]


def _divergences(build: GroupBuild, state: FunctionState, source: str, others: Sequence[str]) -> list[Divergence]:
    """One divergence of each kind of difference, the likeliest kinds first, as the policy's seconds allow.

    Of very many calls those are picked on which digests differ; each of these is then seen by itself.
    """
    runner = build.evaluators[state.name].runner(source, build.around(state), wall_s=PATIENCE_S)
    comparison = _Comparison(runner, state, [source, *others])
    stream = searched(state.spec, state.suite.cases, build.plan.types, hints=seed_constants(source, *others))
    limit = search_limit(runner, source, state.suite.cases, build.tools.policy.seconds, can_count=True, longest=BUSY)
    while generated := list(islice(stream, AT_ONCE if limit.is_counted else SLOW_AT_ONCE)):
        comparison.take(generated)
        limit.count(len(comparison.versions) * len(generated))
        if limit.is_over:
            break
    chosen = list(islice(comparison.divergences(), MOST_KINDS))
    return [comparison.shortened(one) for one in chosen] if state.spec.interface else chosen


class _Comparison:
    """Code and readings on the same calls: of each kind of difference the likeliest calls, the simplest first.

    Calls that keep what all cases keep are kinds of their own: two faults may differ from a reading in one way.
    """

    def __init__(self, runner: VersionRunner, state: FunctionState, versions: Sequence[str]) -> None:
        self.runner, self.versions, self.spec = runner, versions, state.spec
        self.channels = _channels(state)
        self.documented = frozenset(raised.type.rpartition(".")[2] for raised in state.spec.raises)
        self.found: dict[tuple[str, ...], list[tuple[_Rank, str, Call]]] = {}

    def take(self, generated: Sequence[Generated]) -> None:
        """Compare on some calls, likely ones and others in turn, and keep those on which a reading parts."""
        places = self.runner.likely(self.versions, [one.call for one in generated], channels=self.channels)
        picked = list(
            islice(
                turns([iter([generated[n] for n in places if generated[n].keeps is k]) for k in (True, False)]), PROBED
            )
        )
        if not picked:
            return
        ours, *rows = self.runner.rows(self.versions, [one.call for one in picked], logs="logs" in self.channels)
        for version, theirs in zip(self.versions[1:], rows, strict=True):
            for (call, keeps), one, other in zip(picked, ours, theirs, strict=True):
                if self._part(one, other, call):
                    is_long = other.has_result and len(show_wire(other.value, LONGEST_RESULT)) >= LONGEST_RESULT
                    rank = (is_long, not keeps, not is_documented(other, self.spec), weight(call))
                    kept = self.found.setdefault((*_kind(one, other), str(keeps)), [])
                    kept[:] = sorted([*kept, (rank, version, call)], key=itemgetter(0))[:TRIED]

    def divergences(self) -> Iterator[Divergence]:
        """One call of each kind, on which the two part where each runs by itself too; the likeliest kinds first."""
        for kept in sorted(self.found.values(), key=lambda kept: kept[0][0]):
            for _, version, call in kept:
                one, other = self.runner.observed(
                    [VersionCall(self.versions[0], call), VersionCall(version, call)], logs="logs" in self.channels
                )
                if self._part(one, other, call):
                    yield Divergence(call, one, other)
                    break

    def shortened(self, divergence: Divergence) -> Divergence:
        """The divergence after as few steps as still part the code and a reading in that way."""
        kind, shown = _kind(divergence.ours, divergence.theirs), {divergence.call.call_key: divergence}

        def parts(calls: Sequence[Call]) -> list[bool]:
            observations = self.runner.observed(
                [VersionCall(version, call) for version in self.versions for call in calls]
            )
            for place, call in enumerate(calls):
                one, *others = observations[place :: len(calls)]
                for other in others:
                    if _kind(one, other) == kind and self._part(one, other, call):
                        shown.setdefault(call.call_key, Divergence(call, one, other))
            return [call.call_key in shown for call in calls]

        return shown[shortest(divergence.call, parts).call_key]

    def _part(self, one: Observation, other: Observation, call: Call) -> bool:
        """Whether both came to an end, the reading's by itself, one to what a contract can mean, and they differ."""
        ended = all(observation.status in ("returned", "raised") for observation in (one, other))
        ended = ended and not is_unfinished(other, self.documented)
        cut_off = other.raised is not None and other.raised.type.endswith("_Endless_")
        documented = [is_documented(observation, self.spec) for observation in (one, other)]
        if not ended or cut_off or not (one.has_result or other.has_result or any(documented) > all(documented)):
            return False
        if "stderr" not in self.channels:
            # Two authors word a script's messages in two ways.
            one, other = (observation.model_copy(update={"stderr": ""}) for observation in (one, other))
        logged = [[record[1:] for record in observation.logs] for observation in (one, other)]
        return logged[0] != logged[1] or not self.runner.same(one, other, call)


def _channels(state: FunctionState) -> tuple[Channel, ...]:
    """What counts beside results: standard error where a case states its words, logs where a case or contract does."""
    cases, spec = state.suite.cases, state.spec
    said = " ".join((spec.purpose, spec.returns.description, *spec.passages))
    logs = any(case.logs is not None for case in cases) or _LOGGING.search(said)
    worded = any(case.stderr and isinstance(case.stderr, str) for case in cases)
    candidates: list[tuple[Channel, object]] = [("stderr", worded), ("logs", logs)]
    return tuple(channel for channel, counts in candidates if counts)


def is_unfinished(observation: Observation, documented: frozenset[str] = frozenset()) -> bool:
    """Whether it ended as code does that lacks a part (a name, an import, a body): a reading's word is none then."""
    name = observation.raised.type if observation.raised else ""
    return name.startswith(_BEYOND) or name.rpartition(".")[2] in _UNFINISHED - documented


def _kind(one: Observation, other: Observation) -> tuple[str, ...]:
    """What kind of difference it is: how each ended, the values' types and which is the greater or the longer.

    Of what is printed, logged and written it is which of the two did more: two faults that differ in this alone are
    two kinds, each of which is asked about.
    """
    did = [
        _more(one.stdout, other.stdout),
        _more([record[1:] for record in one.logs], [record[1:] for record in other.logs]),
        _more(sorted(one.files.items()), sorted(other.files.items())),
    ]
    if "raised" in (one.status, other.status):
        ends = []
        for status, raised in ((one.status, one.raised), (other.status, other.raised)):
            code = raised.exit_code if raised is not None else None
            ends.append(f"exit code {code}" if code is not None else raised.type if raised is not None else status)
        return (*ends, *did)
    try:
        ours, theirs = decode(one.value), decode(other.value)
    except Unreadable:
        return ("unreadable", *did)
    sizes = [len(value) if isinstance(value, Sized) else value for value in (ours, theirs)]
    which = [sizes[0] < sizes[1], sizes[0] > sizes[1]] if all(isinstance(n, int | float) for n in sizes) else []
    return (type(ours).__name__, type(theirs).__name__, str(which), *did)


def _more(one: Sized, other: Sized) -> str:
    """Which of two is longer; "" where they are the same."""
    length = len(one) - len(other)
    return "longer" if length > 0 else "shorter" if length else "" if one == other else "alike"
