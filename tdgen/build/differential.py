"""Rivals: attempts of another line, which share no code with the first. Where both are green and differ, who is right?

The test author settles what the contract says of such a call, and a case comes of it. What the contract leaves open is
a question: put to the user where there is one to ask, else answered by an assumption that is recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tdgen.build.answers import law_of_answer, read_answer
from tdgen.build.case_checks import settle_calls
from tdgen.build.function_state import Task
from tdgen.build.group import Shop
from tdgen.build.seed_constants import hints
from tdgen.build.versions import Trial
from tdgen.errors import BudgetSpent, ModelError
from tdgen.impl import implement
from tdgen.inputs import generated
from tdgen.judge.words import outcome
from tdgen.testgen.settling import Asking, Settled, Why
from tdgen.types import Asked, Attempt, Call, Case, Observation, Question, World

COMPARED_ON = 120
MOST_SETTLED = 4
MOST_QUESTIONS = 3
PATIENCE_S = 0.5
CONFIRMED = "another implementation"


class Parting(NamedTuple):
    """A call on which two implementations part, and what each was seen to do."""

    call: Call
    ours: Observation
    theirs: Observation


def invite(shop: Shop, task: Task) -> None:
    """Ask for a rival's attempt: at trust level strict, and where questions are looked for."""
    settings = shop.tools.settings
    wanted = settings.policy.has_rival or settings.questions
    if not wanted or shop.is_blocked or task.name in shop.draft.kept or not task.suite.cases:
        return
    if not shop.can_spare(task, "implement"):
        return
    try:
        brief = shop.brief(task).model_copy(update={"offered": {}})  # it shares no code with anything
        attempt = implement(shop.tools.model, brief, task.suite, line=1)
    except (BudgetSpent, ModelError) as error:
        shop.note(task, f"it has no second, independent implementation: {error}")
        return
    number = shop.begin(task)
    shop.enter({task.name: attempt.model_copy(update={"number": number, "rung": "rival"})})


def compare(shop: Shop, task: Task) -> bool:
    """Look for calls on which green attempts of two lines part, and settle them; whether the suite has grown."""
    task.compared += 1
    rival = _rival(shop, task)
    if rival is None or task.best is None:
        return False
    partings = _partings(shop, task, task.best, rival)
    if not partings:
        _confirm(task)
        return False
    calls = [parting.call for parting in partings]
    settled = _settled(shop, task, calls)
    cases = settled.in_order
    plain = [partings[place] for place in sorted(settled.open) if is_plain(partings[place].call)]
    cases += answers(shop, task, plain[:MOST_QUESTIONS])
    task.add(cases, shop.bench(task).oracle.expectations(cases), held_out=False)
    return bool(cases)


def _rival(shop: Shop, task: Task) -> Attempt | None:
    """The latest green attempt of another line than the best's."""
    other = task.of_another_line
    judged = shop.judged(task, other) if other is not None else None
    return judged if judged is not None and judged.green else None


def _partings(shop: Shop, task: Task, ours: Attempt, theirs: Attempt) -> list[Parting]:
    """The first calls, in the order of generation, on which the two part, and at least one of them returns."""
    known = hints(ours.source, theirs.source)
    calls = generated(task.spec, task.suite.cases, shop.plan.types, most=COMPARED_ON, hints=known)
    screen = shop.bench(task).screen(ours.source, shop.around(task), wall_s=PATIENCE_S)
    seen = screen.observed([Trial(attempt.source, call) for attempt in (ours, theirs) for call in calls])
    found = []
    for call, one, other in zip(calls, seen[: len(calls)], seen[len(calls) :], strict=True):
        ended = [seen.status in ("returned", "raised") for seen in (one, other)]
        if all(ended) and "returned" in (one.status, other.status) and not screen.same(one, other, call):
            found.append(Parting(call, one, other))
    return found[:MOST_SETTLED]


def _confirm(task: Task) -> None:
    """Note of each generated case that an implementation which shares no code with the best bears it out."""
    changed = {
        case.name: case.model_copy(update={"confirmed": (*case.confirmed, CONFIRMED)})
        for case in task.suite.cases
        if not case.is_law and CONFIRMED not in case.confirmed
    }
    task.replace(changed, {})


def _settled(shop: Shop, task: Task, calls: Sequence[Call]) -> Settled:
    """What the contract says of the calls; all of them open where nobody can be asked."""
    asking = Asking(provenance="model", attempt=2 * task.compared - 1, why=Why.RIVALS, there=task.suite.cases)
    try:
        if shop.can_spare(task, "settle"):
            return settle_calls(shop.tools, shop.draft, shop.draft.context(task.spec, task.law), calls, asking)
    except (BudgetSpent, ModelError) as error:
        shop.note(task, f"calls on which two implementations part were not settled: {error}")
    return Settled({}, frozenset(range(len(calls))))


def answers(shop: Shop, task: Task, partings: Sequence[Parting]) -> list[Case]:
    """The user's answers as law; where nobody answers, what the best attempt does is assumed, and recorded."""
    found: list[Case] = []
    for place, parting in enumerate(partings, start=1):
        question = question_on(task, parting)
        asked = Asked.of(question, place, len(partings))
        answer = read_answer(question, shop.tools.ask(asked)) if shop.tools.ask else None
        if answer is None:
            task.questions.append(question)
            continue
        case = law_of_answer(parting.call, answer, (*task.suite.cases, *found))
        if problem := shop.evaluate(task)([case]).get(case.name):
            shop.note(task, f"the answer on `{parting.call.expression}` can't be used: {problem}")
            task.questions.append(question)
            continue
        told = f"it gives {answer.value}" if answer.expect == "value" else f"it raises {answer.value}"
        task.questions.append(question.model_copy(update={"assumption": told, "answered": True}))
        task.answers.append(answer)
        found.append(case)
    return found


def question_on(task: Task, parting: Parting) -> Question:
    """Which of the two is meant; what the best attempt does is assumed."""
    told = tuple(outcome(seen) for seen in (parting.ours, parting.theirs))
    either = " or ".join(option.removeprefix("returned ").removeprefix("raised ") for option in told)
    return Question(
        question=f"`{parting.call.expression}`: {either}?",
        assumption=f"it {told[0]}",
        function=task.name,
        call=parting.call.expression,
        options=told,
    )


def is_plain(call: Call) -> bool:
    """Whether a call can be told to a user in one expression."""
    return not call.setup and call.world == World()
