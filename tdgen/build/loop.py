"""One group of functions at work: attempts made, judged and mended until all are green or the bounds are met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from tdgen.build.differential import write_second
from tdgen.build.evaluator import NOT_DETERMINISTIC
from tdgen.build.evidence import disputes, is_disputed
from tdgen.build.function_state import DependencyFault, FunctionState
from tdgen.build.group import GroupBuild, Tried
from tdgen.build.second_reading import can_take_reading, take_reading
from tdgen.build.strategies import try_next
from tdgen.build.strengthening import measured, strengthen
from tdgen.errors import BudgetSpent, ModelError
from tdgen.events import FunctionEnded
from tdgen.extensions import part
from tdgen.impl import implement, insistence, objected
from tdgen.specs.planner import Decomposition
from tdgen.testgen.pinned import named_apart
from tdgen.types import Attempt, Example, FunctionResult, Outcome, Question, Revision


class Finished(NamedTuple):
    """How a group ended; `stopped` says which limit ended it early.

    Where a function was decomposed and that repaired it, `decomposition` is how, and the helpers' results come before
    its own. With `faults` it has not ended but stopped, until the faulty functions have ended again. `build` is
    where it goes on.
    """

    results: tuple[FunctionResult, ...]
    revisions: tuple[Revision, ...] = ()
    questions: tuple[Question, ...] = ()
    answers: tuple[Example, ...] = ()
    notes: tuple[str, ...] = ()
    stopped: str = ""
    decomposition: Decomposition | None = None
    faults: tuple[DependencyFault, ...] = ()
    build: GroupBuild | None = None


def work(build: GroupBuild) -> GroupBuild:
    """Attempt after attempt, and what is green strengthened; the best is never lost, also where the budget ends it."""
    try:
        first = {name: _first(build, state) for name, state in build.states.items()}
    except (BudgetSpent, ModelError) as error:
        return _proved(replace(build, stopped_by=error))
    build = build.entered(first)
    for name, state in build.states.items():
        if not state.decomposed_at and build.stopped_by is None:
            build = write_second(build, name)
    return _proved(build)


def go_on(build: GroupBuild, faults: Sequence[DependencyFault] = ()) -> GroupBuild:
    """Work goes on where it was left: what the group stands on has changed, or faults of its functions are reported."""
    build = replace(build, faults=(), stopped_by=None)
    for fault in faults:
        build = _with_fault(build, fault)
    return _proved(build.judged_again())


def closed(build: GroupBuild) -> Finished:
    """How the group ends as it is now. The ModelError that stopped it is raised."""
    if isinstance(build.stopped_by, ModelError):
        raise build.stopped_by
    for name, state in build.states.items():
        build = _with_advice(build, state)
        below = (build.plan.spec(result.function) for result in build.below)
        classes = [spec.name for spec in below if spec.name in state.spec.dependencies and spec.interface]
        if classes and not state.passes and not build.is_blocked:
            build = build.noted(
                name, f"calls of classes are not recorded: none of {', '.join(classes)} was tried for a fault"
            )
    states, stopped = build.states.values(), str(build.stopped_by or "")
    return Finished(
        results=tuple(_result(build, state, stopped) for state in states),
        revisions=tuple(revision for state in states for revision in state.revisions),
        questions=tuple(
            question
            for state in states
            for question in (
                *(*state.questions, *state.unanswered, *state.open_corrections, *state.unsettled),
                *disputes(build, state),
            )
        ),
        answers=tuple(answer for state in states for answer in state.answers),
        notes=tuple(note for state in states for note in state.notes),
        stopped=stopped,
        faults=build.faults,
        build=build,
    )


def tell_end(build: GroupBuild, finished: Finished) -> None:
    """Tell how the group's functions ended; what they were owed and did not use is free."""
    draft = build.draft
    for result in finished.results:
        if result.function not in build.group:
            continue
        build.tools.purse.end(result.function)
        build.tools.emit(
            FunctionEnded(
                function=result.function,
                outcome=result.outcome,
                reason=result.reason,
                reused=result.function in draft.kept and len(result.history) == 1,
            )
        )


def _first(build: GroupBuild, state: FunctionState) -> Attempt:
    """The first attempt: code that exists, else with helpers where the function was decomposed, or a kept one."""
    number = build.begin(state)
    if build.plan.target is not None and state.name in build.plan.target.existing:
        source = build.plan.target.existing[state.name]
        return Attempt(function=state.name, number=number, source=source, rung="existing")
    if state.decomposed_at:
        line = 1 + max(attempt.line for attempt in state.history)
        attempt = implement(build.tools.model, build.brief(state), state.suite, line=line)
        return attempt.model_copy(update={"number": number, "rung": "helpers"})
    kept = build.draft.kept.get(state.name)
    if kept is not None and kept.best is not None:
        return Attempt(function=state.name, number=number, source=kept.best.source, rung="kept")
    return _with_changed_methods(build, state, number) or implement(build.tools.model, build.brief(state), state.suite)


def _with_changed_methods(build: GroupBuild, state: FunctionState, number: int) -> Attempt | None:
    """The code of a class that was verified before but for some methods, which speaks against it; else None.

    So the developer is asked to mend it, and told which methods.
    """
    changed = build.draft.changed.get(state.name)
    if changed is None or changed.before.best is None:
        return None
    methods, source = ", ".join(changed.methods), changed.before.best.source
    finding = f"the contract of {methods} has changed since this was written: all else is right, and stays"
    return Attempt(function=state.name, number=number, source=source, rung="kept", findings=(finding,))


def _proved(build: GroupBuild) -> GroupBuild:
    """Repaired, and strengthened where it is green until nothing comes of it; a fault in what it stands on is first."""
    build, grown = _repaired(build), True
    while grown and not build.is_halted:
        build, grown = strengthen(build)
        build = _repaired(build) if grown else build
    if not build.is_halted:
        return measured(build)
    # What costs no call is tried where no other attempt can be paid for.
    for state in build.failing if isinstance(build.stopped_by, BudgetSpent) else ():
        if can_take_reading(build, state):
            build, _ = take_reading(build, state.name)
    return build


def _repaired(build: GroupBuild) -> GroupBuild:
    """The group after strategies were tried on what is not green, until all is, none is left, or it is halted."""
    changed = True
    while changed and build.failing and build.stopped_by is None:
        try:
            build.tools.purse.check_time()
        except BudgetSpent as error:
            return replace(build, stopped_by=error)
        changed = False
        for state in build.failing:
            is_green = build.states[state.name].green  # by the repair of another of its group
            build, changed_it = Tried(build, changed=True) if is_green else try_next(build, state.name)
            changed = changed or changed_it
            if build.is_halted:
                return build
    if build.plan.is_existing:
        build = part("existing").told_apart(build)
    return build


def _with_fault(build: GroupBuild, fault: DependencyFault) -> GroupBuild:
    """What a caller asked joins the suite as cases. Two answers have borne them out: that counts as an arbitration.

    By corrections of its contract it is left open what the cases that were made from that should expect.
    """
    name = fault.function
    build = build.with_refuted_contract(name, fault.corrections)
    state = build.states[name]
    known = {case.call_key for case in state.suite.cases}
    cases = named_apart([case for case in fault.cases if case.call_key not in known], state.suite.cases)
    if not cases:
        return build
    asked = ", ".join(f"`{case.done.text}`" for case in cases)
    build = build.noted(name, f"{fault.caller} asks for {asked}, where it does not do as its contract says")
    return build.with_state(build.states[name].with_arbitrated(cases, {})).grown(name, cases).build


def _with_advice(build: GroupBuild, state: FunctionState) -> GroupBuild:
    """Say of what is green what its user must know: that it is not deterministic, or runs text that it is given."""
    for said in state.best.advice if state.best is not None and state.best.green else ():
        if said.startswith(NOT_DETERMINISTIC):
            build = build.noted(state.name, said)
        elif name := objected(said):
            build = build.noted(state.name, insistence(name))
    return build


def _result(build: GroupBuild, state: FunctionState, stopped: str) -> FunctionResult:
    outcome, reason = _outcome(build, state, stopped)
    return FunctionResult(
        function=state.name,
        outcome=outcome,
        suite=state.suite.model_copy(update={"cases": (*state.suite.cases, *state.deviating)}),
        best=state.best,
        history=state.history,
        reason=reason,
        strength=state.strength,
        corrections=state.spec.corrections,
        findings=state.findings,
    )


def _outcome(build: GroupBuild, state: FunctionState, stopped: str) -> tuple[Outcome, str]:
    if state.findings:
        count = len(state.findings)
        return "red", f"{count} finding{'s' * (count != 1)}: its code does not do what its docs say"
    if count := len(state.unsettled):
        return "undecided", f"nobody could settle what {count} case{'s' * (count != 1)} expect{'s' * (count == 1)}"
    if not state.suite.cases:
        return "undecided", "it has no case that can be judged"
    if stopped and not (state.best is not None and (state.green or _doubt(state.best) or is_disputed(build, state))):
        return "red", stopped
    blockers = [result.function for result in build.below if result.outcome != "green" and build.is_blocked]
    if state.green and not build.plan.is_existing:
        blockers += [other.name for other in build.states.values() if not other.green]
    if blockers:
        passes = "it passes" if state.passes else "it does not pass"
        return "blocked", f"{passes}, but stands on what is not green: {', '.join(blockers)}"
    if state.green:
        return _demanded(build, state)
    if state.best is not None and (doubt := _doubt(state.best)):
        return "undecided", f"it passes all its cases, but {doubt}"
    if is_disputed(build, state):
        return "undecided", f"it fails only cases that are in doubt: {', '.join(c.name for c in state.failing)}"
    attempts = len(state.history)
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


def _demanded(build: GroupBuild, state: FunctionState) -> tuple[Outcome, str]:
    """Green, unless a second reading says otherwise, arbitrations left too little, or more strength is demanded."""
    if state.unanswered:
        call = state.unanswered[0].call
        return "undecided", f"a second reading of the instruction gives something else for `{call}`: which is meant?"
    if state.open_corrections:
        return (
            "undecided",
            f"its contract was corrected after its cases were written: {state.open_corrections[0].question}",
        )
    # What arbitrations set aside: an erring one must not talk a suite away until anything passes it.
    earlier = [revision for revision in build.draft.revisions if revision.function == state.name and revision.before]
    gone = {revision.case for revision in (*earlier, *state.revisions) if revision.action == "quarantined"}
    lost, left = len(gone - {one.name for one in build.draft.suites[state.name].properties}), len(state.suite.cases)
    if lost > left:
        return (
            "undecided",
            f"it passes what is left, but {lost} of its {lost + left} cases were set aside by arbitrations",
        )
    if unshown := build.tools.language.unshown(state.spec, build.plan, state.suite.cases):
        return "undecided", f"it passes all its cases, but {unshown}"
    least = build.tools.policy.least_strength
    if state.strength is not None and state.strength.score < least:
        text = f"{state.strength.score:.0%} of its mutants are killed, {least:.0%} are demanded"
        return "undecided", f"it passes all its cases, but they are too weak to tell: {text}"
    return "green", ""
