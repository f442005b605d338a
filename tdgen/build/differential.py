"""Rivals: attempts of another line, which share no code with the first; and calls on which two implementations part.

What the contract leaves open of such a call is a question: put to the user where there is one to ask, else answered by
an assumption that is recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from tdgen.build.case_checks import CaseChecks, pinned_by_answer, read_answer
from tdgen.build.function_state import FunctionState
from tdgen.build.group import GroupBuild
from tdgen.errors import BudgetSpent, ModelError
from tdgen.impl import implement
from tdgen.judge.compare import outcome
from tdgen.types import Asked, Call, Case, Example, Observation, Question


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
        return replace(build, stopped_by=error)
    return build.entered({name: attempt.model_copy(update={"number": number, "rung": "rival"})})


def answers(build: GroupBuild, name: str, divergences: Sequence[Divergence]) -> tuple[GroupBuild, list[Case]]:
    """The user's answers as pinned cases; where nobody answers, what the best attempt does is assumed, and recorded."""
    state, tools = build.states[name], build.tools
    cases: list[Case] = []
    questions: list[Question] = []
    answered: list[Example] = []
    for place, divergence in enumerate(divergences, start=1):
        question = question_on(state, divergence)
        asked = Asked.of(question, place, len(divergences))
        answer = read_answer(question, tools.ask(asked)) if tools.ask else None
        if answer is None:
            questions.append(question)
            continue
        case = pinned_by_answer(divergence.call, answer, (*state.suite.cases, *cases))
        if problem := CaseChecks(tools, build.draft, state.spec)([case]).get(case.name):
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
