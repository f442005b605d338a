"""The ways to repair what is not green, the least costly first: what is tried on a failure.

A strategy fits a state or not. Where one has changed something (a new attempt, a changed suite) all are looked at from
the first again; each is tried at most once on the same failure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from tdgen.build.arbitration import arbitrate, may_arbitrate
from tdgen.build.case_checks import CaseChecks
from tdgen.build.class_evidence import class_evidence
from tdgen.build.dependency_faults import may_report_fault, must_report_fault, report_fault
from tdgen.build.evaluator import is_opaque
from tdgen.build.evidence import is_disputed
from tdgen.build.function_state import FunctionState, signature
from tdgen.build.group import GroupBuild, Tried
from tdgen.build.patch_search import can_search, search_edits
from tdgen.build.rulings import claims
from tdgen.build.second_reading import can_take_reading, take_reading
from tdgen.errors import BudgetSpent, ModelError, ReplyError
from tdgen.impl import another, repair, trace_repair
from tdgen.judge import NO_COPY, NOT_EVALUATED
from tdgen.language import Capability
from tdgen.testgen.author import rewrite_cases
from tdgen.types import Attempt, Case, Check, ClassInterface, ExpectedException, Observation, Revision, Verdict

MOST_RETURNED: Final = 8
"""How many cases that can't be observed go back to their author at once. Not tuned."""
_OF_THE_CASE: Final = ("the setup failed", "an argument could not be evaluated")


def may_return(build: GroupBuild, state: FunctionState) -> bool:
    """Whether cases fail that can't be observed, and their author can be asked."""
    return bool(_unobservable(build, state)) and not build.is_blocked and build.can_spare(state, "cases")


def return_to_author(build: GroupBuild, name: str) -> Tried:
    """Have the cases written anew, so that some are changed or set aside. What their author leaves out goes."""
    state = build.states[name]
    reasons = _unobservable(build, state)
    build = build.changed(name, returned=state.returned | reasons.keys())
    cases = [case for case in state.suite.cases if case.name in reasons]
    there = [case for case in state.suite.cases if case.name not in reasons]
    context, evaluate = build.context(state), CaseChecks(build.tools, build.draft, state.spec)
    try:
        written = rewrite_cases(
            build.tools.model, context, cases=cases, reasons=reasons, there=there, evaluate=evaluate
        )
    except (BudgetSpent, ModelError, ReplyError) as error:
        text = f"its cases that can't be observed were not written anew: {error}"
        return Tried(build.noted(name, text), changed=False)
    again = {case.name: case for case in written.cases}
    changed: dict[str, Case | None] = {}
    for case in cases:
        now = again.get(case.name)
        if now is None:  # its author left it out
            changed[case.name] = None
        elif now.done != case.done or now.effects != case.effects:
            changed[case.name] = now.model_copy(update={"provenance": case.provenance})
    if not changed:
        return Tried(build, changed=False)
    expected = build.evaluators[state.name].oracle.expectations(list(filter(None, changed.values())))
    revisions = [_revision(case, changed[case.name], reasons) for case in cases if case.name in changed]
    build = build.with_state(build.states[name].with_changed(changed, expected)).revised(name, revisions)
    return Tried(build.judged_again(), changed=True)


def _unobservable(build: GroupBuild, state: FunctionState) -> dict[str, str]:
    """Why failing cases can't be observed, by name: none of the user's, and none where most of the suite fails so."""
    failing = [case for case in state.failing if not case.is_pinned and case.name not in state.returned]
    suspects = [
        case
        for case in failing
        if isinstance(case.expectation, Check)
        or state.verdicts[case.name].status != "returned"
        or _is_not_evaluated(state.verdicts[case.name])
    ]
    if not suspects:
        return {}
    evaluator = build.evaluators[state.name]
    observations = evaluator.watched(evaluator.module(state.made.source, build.around(state)), suspects).observations
    problems = {
        case.name: _reason(case, state.verdicts[case.name], one)
        for case, one in zip(suspects, observations, strict=True)
    }
    interface = state.spec.interface or ClassInterface()
    promised = {method.name for method in interface.methods} | {one.name for one in interface.attributes}
    reasons = {}
    for name, reason in problems.items():
        # That a class lacks what its contract promises, or has it in another form, is no fault of a case.
        is_of_class = "AttributeError" in reason or "TypeError" in reason
        is_missing = is_of_class and promised.intersection(re.findall(r"\w+", reason.partition("Error: ")[2]))
        if reason and not is_missing:
            reasons[name] = reason
    few = len(reasons) * 2 <= len(state.suite.cases)
    return dict([*reasons.items()][:MOST_RETURNED]) if few else {}


def _is_not_evaluated(verdict: Verdict) -> bool:
    return any(difference.expected.startswith(NOT_EVALUATED) for difference in verdict.differences)


def _reason(case: Case, verdict: Verdict, observation: Observation) -> str:
    """Why this case says nothing of the code under test, as far as a run of it tells; empty where it does."""
    if _is_not_evaluated(verdict):
        return verdict.differences[0].expected
    raised = observation.raised
    text = f"{raised.type.removeprefix('builtins.')}: {raised.message}" if raised is not None else ""
    if observation.status == "unreadable":
        return f"its call {verdict.actual}"
    is_unseen = any(NO_COPY in one.actual for one in verdict.differences) or is_opaque(observation)
    if observation.status == "returned" and isinstance(case.expectation, Check) and is_unseen:
        return f"its check sees a copy, and what the call returned can't be copied as data: {verdict.actual}"
    if raised is None or raised.is_within:  # the code under test had its hand in it
        return ""
    if observation.status == "not_run" and observation.detail.startswith(_OF_THE_CASE):
        return f"{observation.detail}, before the code under test was called: {text}"
    if observation.status == "raised" and case.call and not isinstance(case.expectation, ExpectedException):
        return f"its call raised {text}, not within the code under test but in what the call does around it"
    return ""


def _revision(case: Case, now: Case | None, reasons: Mapping[str, str]) -> Revision:
    return Revision(
        function=case.function,
        case=case.name,
        action="revised" if now else "quarantined",
        reason=f"it can't be observed: {reasons[case.name]}",
        call=case.expression,
        before=claims(case),
        after=claims(now) if now else "",
    )


MOST_DISPUTED = 2
MOST_WITH_HELPERS = 3
"""How many words against each failing case end the attempts, and how many of these there are once helpers were taken
out of a function. Not tuned."""


class Strategy(NamedTuple):
    """A way to repair: its name, whether it fits, and the group after it was tried on the function of a name.

    Some need something that can't be done with code in every language.
    """

    name: str
    fits: Callable[[GroupBuild, FunctionState], bool]
    act: Callable[[GroupBuild, str], Tried]
    needs: Capability | None = None


def try_next(build: GroupBuild, name: str) -> Tried:
    """The group after the first strategy that fits and changes something; unchanged where none is left."""
    for strategy in SETTLING if build.plan.is_existing else STRATEGIES:
        state = build.states[name]
        key = (strategy.name, signature(state.best) if state.best else "")
        is_able = strategy.needs is None or build.tools.can(strategy.needs)
        if key not in state.tried and is_able and strategy.fits(build, state):
            build, changed = strategy.act(build.changed(name, tried=state.tried | {key}), name)
            if changed or build.stopped_by is not None:
                return Tried(build, changed)
    return Tried(build, changed=False)


def _may_write(build: GroupBuild, state: FunctionState) -> bool:
    """Whether another attempt may be asked for: none once two words speak against each case that it fails."""
    most = MOST_WITH_HELPERS if state.decomposed_at else build.tools.settings.budget.iterations
    return not build.is_blocked and len(state.written) < most and not is_disputed(build, state, MOST_DISPUTED)


# Those that ask the developer. Where nobody can be asked any more, the group is stopped.


def _attempted(build: GroupBuild, name: str, write: Callable[[GroupBuild, FunctionState], Attempt]) -> Tried:
    state = build.states[name]
    try:
        build.begin(state)
        attempt = write(build, state)
    except (BudgetSpent, ModelError) as error:
        return Tried(replace(build, stopped_by=error), changed=False)
    return Tried(build.entered({name: attempt}), changed=True)


def _repaired(build: GroupBuild, state: FunctionState) -> Attempt:
    """A repair of the best attempt or, where that is a patch, of what it patches."""
    base, patch = state.best_written, ""
    if state.made.is_patch:
        base, patch = build.judged(state, base), state.made.mended[0]
    class_facts = class_evidence(build, state, base)
    return repair(
        build.tools.model, build.brief(state), state.suite, base, state.history, patch=patch, class_facts=class_facts
    )


def _trace(build: GroupBuild, name: str) -> Tried:
    """A repair by the line trace, its lines counted in the source, of the smallest failing call that may be shown."""
    state = build.states[name]
    evaluator, source = build.evaluators[name], state.made.source
    steps = evaluator.steps(evaluator.module(source, build.around(state)), source, state.failing_shown[0])

    def write(build: GroupBuild, state: FunctionState) -> Attempt:
        brief, best, class_facts = build.brief(state), state.made, class_evidence(build, state, state.made)
        return trace_repair(build.tools.model, brief, state.suite, best, state.history, steps, class_facts=class_facts)

    return _attempted(build, name, write) if steps else Tried(build, changed=False)


def _another(build: GroupBuild, name: str) -> Tried:
    """Another algorithm, told what failed, of a line of its own, while attempts are left."""

    def write(build: GroupBuild, state: FunctionState) -> Attempt:
        line = 1 + max(attempt.line for attempt in state.history)
        return another(build.tools.model, build.brief(state), state.suite, state.history, line=line)

    return _attempted(build.promoted(name), name, write)


STRATEGIES: tuple[Strategy, ...] = (
    Strategy("return", may_return, return_to_author),  # what can't be observed is nobody's to repair, or to rule on
    Strategy("arbitration", may_arbitrate, arbitrate),  # is the case wrong? asked before anything is bent to it
    Strategy(
        "fault of what a case names", must_report_fault, report_fault, "calls"
    ),  # either of the two functions may be wrong
    Strategy("patch search", can_search, search_edits, "patches"),  # single edits tried in the sandbox, no model call
    Strategy(
        "dependency fault", may_report_fault, report_fault, "calls"
    ),  # after a first repair: is what it stands on wrong?
    # From what was observed of the best attempt.
    Strategy("repair", _may_write, lambda build, name: _attempted(build.promoted(name), name, _repaired)),
    Strategy("second arbitration", may_arbitrate, arbitrate),  # of a failure that outlasts a repair
    # From the line trace of the smallest failing call.
    Strategy(
        "trace",
        lambda build, state: bool(_may_write(build, state) and state.verdicts and state.failing_shown),
        _trace,
        "traces",
    ),
    Strategy("another way", _may_write, _another),  # a fresh attempt, by another algorithm
    Strategy("second reading", can_take_reading, take_reading),  # its own code, no model call
)
SETTLING: tuple[Strategy, ...] = tuple(one for one in STRATEGIES if one.act in (return_to_author, arbitrate))
"""Those that change no code: what is tried where it exists already."""
