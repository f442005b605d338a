"""Rivals: attempts of another line, which share no code with the first. Where both are green and differ, who is right?

The test author settles what the contract says of such a call, and a case comes of it. What the contract leaves open is
a question: put to the user where there is one to ask, else answered by an assumption that is recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tdgen.build.case_checks import pinned_by_answer, read_answer
from tdgen.build.function_state import FunctionState
from tdgen.build.group import GroupBuild, Tried
from tdgen.build.versions import VersionCall, VersionRunner
from tdgen.errors import BudgetSpent, ModelError
from tdgen.impl import implement
from tdgen.inputs import generated
from tdgen.inputs.sequences import shortest
from tdgen.inputs.sources import seed_constants
from tdgen.judge.compare import outcome
from tdgen.testgen.queries import Query, QueryResult
from tdgen.types import Asked, Attempt, Call, Case, Example, Observation, Question, World

COMPARED_ON = 120
MOST_SETTLED = 4
MOST_QUESTIONS = 3
PATIENCE_S = 0.5
"""On how many inputs two implementations are compared, and how long each may take; how many differences are put to the
tester, and how many to the user. Not tuned."""
CONFIRMED = "another implementation"


class Divergence(NamedTuple):
    """A call on which two implementations part, and what each was seen to do."""

    call: Call
    ours: Observation
    theirs: Observation


def write_second(build: GroupBuild, name: str) -> GroupBuild:
    """Ask for a second implementation where the policy says so, and where questions are looked for."""
    state, tools = build.states[name], build.tools
    wanted = (tools.policy.has_rival or tools.settings.questions) and not build.plan.is_existing
    is_able = state.suite.cases and not build.is_blocked and name not in build.draft.kept
    if not wanted or not is_able or not build.can_spare(state, "implement"):
        return build
    try:
        attempt = implement(build.tools.model, build.brief(state), state.suite, line=1)
    except (BudgetSpent, ModelError) as error:
        return build.noted(name, f"it has no second, independent implementation: {error}")
    try:
        number = build.begin(state)
    except BudgetSpent as error:
        return build.having(stopped_by=error)
    return build.entered({name: attempt.model_copy(update={"number": number, "rung": "rival"})})


def compare(build: GroupBuild, name: str) -> Tried:
    """Look, once, for calls on which green attempts of two lines part, and settle them: the suite may have grown."""
    state = build.states[name]
    if state.compared:
        return Tried(build, changed=False)
    build = build.changed(name, compared=True)
    other = state.of_another_line
    rival = build.judged(state, other) if other is not None else None
    if rival is None or not rival.green:
        return Tried(build, changed=False)
    divergences = _divergences(build, state, state.made, rival)
    if not divergences:
        # An implementation that shares no code with the best bears each generated case out.
        changed = {
            case.name: case.model_copy(update={"confirmed": (*case.confirmed, CONFIRMED)})
            for case in build.states[name].suite.cases
            if not case.is_pinned and CONFIRMED not in case.confirmed
        }
        return Tried(build.with_state(build.states[name].with_changed(changed, {})), changed=False)
    calls = [divergence.call for divergence in divergences]
    result = all_open = QueryResult({}, frozenset(range(len(calls))))
    if build.can_spare(state, "settle"):
        query = Query("model", "rivals", there=state.suite.cases)
        failed = "calls on which two implementations part were not settled"
        build, result = build.asked(name, calls, query, failed, all_open)
    plain = [divergences[place] for place in sorted(result.open) if is_plain(divergences[place].call)]
    build, answered = answers(build, name, plain[:MOST_QUESTIONS])
    cases = [*result.in_order, *answered]
    return Tried(build.with_cases(name, cases), changed=bool(cases))


def _divergences(build: GroupBuild, state: FunctionState, ours: Attempt, theirs: Attempt) -> list[Divergence]:
    """The first calls, in the order of generation, on which the two part, and at least one of them returns."""
    known = seed_constants(ours.source, theirs.source)
    calls = generated(state.spec, state.suite.cases, build.plan.types, most=COMPARED_ON, hints=known)
    runner = build.evaluators[state.name].runner(ours.source, build.around(state), wall_s=PATIENCE_S)
    observations = runner.observed([VersionCall(attempt.source, call) for attempt in (ours, theirs) for call in calls])
    divergences = []
    for call, one, other in zip(calls, observations[: len(calls)], observations[len(calls) :], strict=True):
        ended = [observations.status in ("returned", "raised") for observations in (one, other)]
        if all(ended) and (one.has_result or other.has_result) and not runner.same(one, other, call):
            divergences.append(Divergence(call, one, other))
    if state.spec.interface is None:
        return divergences[:MOST_SETTLED]
    return [_shortened(one, runner, (ours.source, theirs.source)) for one in divergences[:MOST_SETTLED]]


def _shortened(divergence: Divergence, runner: VersionRunner, sources: Sequence[str]) -> Divergence:
    """The divergence after as few steps as still part the two, with the same endings."""
    endings, shown = (divergence.ours.status, divergence.theirs.status), {divergence.call.call_key: divergence}

    def parts(calls: Sequence[Call]) -> list[bool]:
        observations = runner.observed([VersionCall(source, call) for source in sources for call in calls])
        for call, one, other in zip(calls, observations[: len(calls)], observations[len(calls) :], strict=True):
            if (one.status, other.status) == endings and not runner.same(one, other, call):
                shown.setdefault(call.call_key, Divergence(call, one, other))
        return [call.call_key in shown for call in calls]

    return shown[shortest(divergence.call, parts).call_key]


def answers(build: GroupBuild, name: str, divergences: Sequence[Divergence]) -> tuple[GroupBuild, list[Case]]:
    """The user's answers as pinned cases; where nobody answers, what the best attempt does is assumed, and recorded."""
    state = build.states[name]
    cases: list[Case] = []
    questions: list[Question] = []
    answered: list[Example] = []
    for place, divergence in enumerate(divergences, start=1):
        question = question_on(state, divergence)
        asked = Asked.of(question, place, len(divergences))
        answer = read_answer(question, build.tools.ask(asked)) if build.tools.ask else None
        if answer is None:
            questions.append(question)
            continue
        case = pinned_by_answer(divergence.call, answer, (*state.suite.cases, *cases))
        if problem := build.evaluate(state)([case]).get(case.name):
            build = build.noted(name, f"the answer on `{divergence.call.expression}` can't be used: {problem}")
            questions.append(question)
            continue
        text = f"it gives {answer.value}" if answer.expect == "value" else f"it raises {answer.value}"
        questions.append(question.model_copy(update={"assumption": text, "answered": True}))
        answered.append(answer)
        cases.append(case)
    questions, answered = [*state.questions, *questions], [*state.answers, *answered]
    return build.changed(name, questions=tuple(questions), answers=tuple(answered)), cases


def question_on(state: FunctionState, divergence: Divergence) -> Question:
    """Which of the two is meant; what the best attempt does is assumed."""
    outcomes = tuple(outcome(observed) for observed in (divergence.ours, divergence.theirs))
    either = " or ".join(option.removeprefix("returned ").removeprefix("raised ") for option in outcomes)
    return Question(
        question=f"`{divergence.call.text}`: {either}?",
        assumption=f"it {outcomes[0]}",
        function=state.name,
        call=divergence.call.text,
        options=outcomes,
    )


def is_plain(call: Call) -> bool:
    """Whether a call can be told to a user in one expression."""
    return not call.setup and call.world == World()
