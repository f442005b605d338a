"""One group of functions at work: attempts made, judged and mended until all are green or the bounds are met."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tdgen.build.differential import invite
from tdgen.build.evaluator import NOT_DETERMINISTIC
from tdgen.build.evidence import disputes, is_disputed
from tdgen.build.fault_reports import Charge
from tdgen.build.function_state import Task
from tdgen.build.group import Shop
from tdgen.build.second_reading import can_take_reading, take_reading
from tdgen.build.strategies import climb
from tdgen.build.strengthening import challenge, measure
from tdgen.errors import BudgetSpent
from tdgen.events import FunctionEnded, SuiteWritten
from tdgen.impl import implement, insistence, objected
from tdgen.specs.divider import Division
from tdgen.testgen.law import named_apart
from tdgen.types import Attempt, Example, FunctionResult, Outcome, Question, Revision


class Finished(NamedTuple):
    """How a group ended; `stopped` says which limit ended it early.

    Where a function was divided and that healed it, `division` is how, and the helpers' results come before its own.
    With a `charge` it has not ended but stopped, until what it charges has ended again. `shop` is where it goes on.
    """

    results: tuple[FunctionResult, ...]
    revisions: tuple[Revision, ...] = ()
    questions: tuple[Question, ...] = ()
    answers: tuple[Example, ...] = ()
    notes: tuple[str, ...] = ()
    stopped: str = ""
    division: Division | None = None
    charge: Charge | None = None
    shop: Shop | None = None


def work(shop: Shop) -> Finished:
    """Attempt after attempt, each green challenged; the best so far is never lost, also where the budget ends it."""
    stopped = ""
    try:
        shop.enter({name: _first(shop, task) for name, task in shop.tasks.items()})
        for task in shop.tasks.values():
            if not task.divided_at:
                invite(shop, task)
        _prove(shop)
    except BudgetSpent as error:
        stopped = str(error)
        _take_readings(shop)
    return closed(shop, stopped)


def go_on(shop: Shop, charges: Sequence[Charge] = ()) -> Finished:
    """Work goes on where it was left: what the group stands on has changed, or charges are brought against it."""
    stopped = ""
    shop.charge = None
    for charge in charges:
        _take_in(shop, charge)
    shop.judge_again()
    try:
        _prove(shop)
    except BudgetSpent as error:
        stopped = str(error)
        _take_readings(shop)
    return closed(shop, stopped)


def closed(shop: Shop, stopped: str = "") -> Finished:
    """How the group ends as it is now."""
    tasks = shop.tasks.values()
    for task in tasks:
        _tell_advice(shop, task)
    return Finished(
        results=tuple(_result(shop, task, stopped) for task in tasks),
        revisions=tuple(revision for task in tasks for revision in task.revisions),
        questions=tuple(
            question for task in tasks for question in (*task.questions, *task.unanswered, *disputes(shop, task))
        ),
        answers=tuple(answer for task in tasks for answer in task.answers),
        notes=tuple(note for task in tasks for note in task.notes),
        stopped=stopped,
        charge=shop.charge,
        shop=shop,
    )


def tell_end(shop: Shop, finished: Finished) -> None:
    """Tell how the group's functions ended; what they were owed and did not use is free."""
    draft = shop.draft
    for result in finished.results:
        if result.function not in shop.group:
            continue
        shop.tools.purse.end(result.function)
        shop.tools.emit(
            FunctionEnded(
                function=result.function,
                outcome=result.outcome,
                reason=result.reason,
                reused=result.function in draft.kept and len(result.history) == 1,
            )
        )


def _first(shop: Shop, task: Task) -> Attempt:
    """The first attempt: with the helpers where the function was divided, a kept one where there is one."""
    number = shop.begin(task)
    if task.divided_at:
        line = 1 + max(attempt.line for attempt in task.history)
        attempt = implement(shop.tools.model, shop.brief(task), task.suite, line=line)
        return attempt.model_copy(update={"number": number, "rung": "helpers"})
    kept = shop.draft.kept.get(task.name)
    if kept is not None and kept.best is not None:
        return Attempt(function=task.name, number=number, source=kept.best.source, rung="kept")
    return implement(shop.tools.model, shop.brief(task), task.suite)


def _prove(shop: Shop) -> None:
    """Heal, and challenge what is green until nothing comes of it; a charge against what it stands on comes first."""
    _heal(shop)
    while shop.charge is None and challenge(shop):
        _heal(shop)
    if shop.charge is None:
        measure(shop)


def _heal(shop: Shop) -> None:
    """Climb the ladder for what is not green, until all is or no rung is left, or the ladder waits for others."""
    while failing := shop.failing:
        shop.tools.purse.check_time()
        climbed = False
        for task in failing:
            climbed = climb(shop, task) or climbed
            if shop.charge is not None:
                return
        if not climbed:
            return


def _take_readings(shop: Shop) -> None:
    """Try what costs no call where no other attempt can be paid for."""
    for task in shop.failing:
        if can_take_reading(shop, task):
            take_reading(shop, task)


def _take_in(shop: Shop, charge: Charge) -> None:
    """What a caller asked joins the suite as cases. Two answers have borne them out: that counts as a trial."""
    task = shop.tasks[charge.function]
    known = {case.situation for case in task.suite.cases}
    cases = named_apart([case for case in charge.cases if case.situation not in known], task.suite.cases)
    if not cases:
        return
    task.add(cases, shop.bench(task).oracle.expectations(cases), held_out=False)
    task.heard.update(case.name for case in cases)
    asked = ", ".join(f"`{case.done.text}`" for case in cases)
    shop.note(task, f"{charge.caller} asks for {asked}, where it does not do as its contract says")
    shop.tools.emit(SuiteWritten(suite=task.suite))


def _tell_advice(shop: Shop, task: Task) -> None:
    """Say of what is green what its user must know: that it is not deterministic, or runs text that it is given."""
    for said in task.best.advice if task.best is not None and task.best.green else ():
        if said.startswith(NOT_DETERMINISTIC):
            shop.note(task, said)
        elif name := objected(said):
            shop.note(task, insistence(name))


def _result(shop: Shop, task: Task, stopped: str) -> FunctionResult:
    outcome, reason = _outcome(shop, task, stopped)
    return FunctionResult(
        function=task.name,
        outcome=outcome,
        suite=task.suite,
        best=task.best,
        history=tuple(task.history),
        reason=reason,
        strength=task.strength,
    )


def _outcome(shop: Shop, task: Task, stopped: str) -> tuple[Outcome, str]:
    if not task.suite.cases:
        return "undecided", "it has no case that can be judged"
    if stopped and not (task.best is not None and (task.green or _doubt(task.best) or is_disputed(shop, task))):
        return "red", stopped
    blockers = [result.function for result in shop.below if result.outcome != "green"]
    if task.green:
        blockers += [other.name for other in shop.tasks.values() if not other.green]
    if blockers:
        passes = "it passes" if task.passes else "it does not pass"
        return "blocked", f"{passes}, but stands on what is not green: {', '.join(blockers)}"
    if task.green:
        return _demanded(shop, task)
    if task.best is not None and (doubt := _doubt(task.best)):
        return "undecided", f"it passes all its cases, but {doubt}"
    if is_disputed(shop, task):
        return "undecided", f"it fails only cases that are in doubt: {', '.join(c.name for c in task.failing)}"
    attempts = len(task.history)
    return "red", f"not right after {attempts} attempt{'s' * (attempts != 1)}"


def _doubt(attempt: Attempt) -> str:
    """What no author was asked about an attempt that passes all its cases; empty where nothing, or where it fails."""
    if attempt.passes:
        return (
            f"by an edit that a search found and no author confirmed: {attempt.mended[0]}" if attempt.is_patch else ""
        )
    fails = attempt.passed < len(attempt.verdicts) or not attempt.verdicts or attempt.vetoes
    if fails or not all(map(objected, attempt.findings)):
        return ""
    return attempt.findings[0]


def _demanded(shop: Shop, task: Task) -> tuple[Outcome, str]:
    """Green, unless a second reading says otherwise, trials left too little, or more strength is demanded."""
    if task.unanswered:
        call = task.unanswered[0].call
        return "undecided", f"a second reading of the instruction gives something else for `{call}`: which is meant?"
    lost, left = len(_tried_away(shop, task)), len(task.suite.cases)
    if lost > left:
        return "undecided", f"it passes what is left, but {lost} of its {lost + left} cases were set aside by trials"
    least = shop.tools.settings.policy.least_strength
    if task.strength is not None and task.strength.score < least:
        told = f"{task.strength.score:.0%} of its mutants are killed, {least:.0%} are demanded"
        return "undecided", f"it passes all its cases, but they are too weak to tell: {told}"
    return "green", ""


def _tried_away(shop: Shop, task: Task) -> set[str]:
    """The cases that trials set aside: an erring one must not talk a suite away until anything passes it."""
    earlier = [revision for revision in shop.draft.revisions if revision.function == task.name and revision.before]
    gone = {revision.case for revision in (*earlier, *task.revisions) if revision.action == "quarantined"}
    return gone - {one.name for one in shop.draft.suites[task.name].properties}
