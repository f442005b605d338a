"""Cases that can't be observed go back to their author once, with the reason: no code can mend them, and no ruling."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from tdgen.build.function_state import FunctionState
from tdgen.build.group import GroupBuild
from tdgen.build.rulings import claims
from tdgen.errors import BudgetSpent, ModelError, ReplyError
from tdgen.judge import NOT_EVALUATED
from tdgen.testgen.author import rewrite_cases
from tdgen.types import Case, Check, ExpectedException, FunctionSpec, Observation, Revision, Verdict
from tdgen.values.decode import decode
from tdgen.values.kinds import holds_opaque
from tdgen.values.readers import Unreadable

MOST_RETURNED: Final = 8
_OF_THE_CASE: Final = ("the setup failed", "an argument could not be evaluated")


def may_return(build: GroupBuild, state: FunctionState) -> bool:
    """Whether cases fail that can't be observed, and their author can be asked."""
    return bool(_unobservable(build, state)) and not build.is_blocked and build.can_spare(state, "cases")


def return_to_author(build: GroupBuild, state: FunctionState) -> bool:
    """Have the cases written anew; whether one was changed or set aside. What its author leaves out goes."""
    reasons = _unobservable(build, state)
    state.returned |= reasons.keys()
    cases = [case for case in state.suite.cases if case.name in reasons]
    there = [case for case in state.suite.cases if case.name not in reasons]
    context, evaluate = build.draft.context(state.spec, state.pinned), build.evaluate(state)
    try:
        written = rewrite_cases(
            build.tools.model, context, cases=cases, reasons=reasons, there=there, evaluate=evaluate
        )
    except (BudgetSpent, ModelError, ReplyError) as error:
        build.note(state, f"its cases that can't be observed were not written anew: {error}")
        return False
    again = {case.name: case for case in written.cases}
    changed = {case.name: _rewritten(case, again.get(case.name)) for case in cases}
    changed = {case.name: changed[case.name] for case in cases if changed[case.name] != case}
    now = [case for case in changed.values() if case is not None]
    state.replace(changed, build.evaluator(state).oracle.expectations(now))
    build.revise(state, [_revision(case, changed[case.name], reasons) for case in cases if case.name in changed])
    if changed:
        build.judge_again()
    return bool(changed)


def _unobservable(build: GroupBuild, state: FunctionState) -> dict[str, str]:
    """Why failing cases can't be observed, by name: none of the user's, and none where most of the suite fails so."""
    failing = [case for case in state.failing if not case.is_pinned and case.name not in state.returned]
    suspects = [case for case in failing if _may_be_unobservable(case, state.verdicts[case.name])]
    if state.best is None or not suspects:
        return {}
    evaluator = build.evaluator(state)
    seen = evaluator.watched(evaluator.module(state.best.source, build.around(state)), suspects).observations
    told = {case.name: _reason(case, state.verdicts[case.name], one) for case, one in zip(suspects, seen, strict=True)}
    reasons = {name: reason for name, reason in told.items() if reason and not _is_missing(state.spec, reason)}
    few = len(reasons) * 2 <= len(state.suite.cases)
    return dict([*reasons.items()][:MOST_RETURNED]) if few else {}


def _may_be_unobservable(case: Case, verdict: Verdict) -> bool:
    return isinstance(case.expectation, Check) or verdict.status != "returned" or _is_not_evaluated(verdict)


def _is_not_evaluated(verdict: Verdict) -> bool:
    return any(difference.expected.startswith(NOT_EVALUATED) for difference in verdict.differences)


def _reason(case: Case, verdict: Verdict, seen: Observation) -> str:
    """Why nothing can be said of the function by this case, as far as a run of it tells; empty where something can."""
    if _is_not_evaluated(verdict):
        return verdict.differences[0].expected
    raised = seen.raised
    told = f"{raised.type.removeprefix('builtins.')}: {raised.message}" if raised is not None else ""
    if seen.status == "unreadable":
        return f"its call {verdict.actual}"
    if seen.status == "returned" and isinstance(case.expectation, Check) and _is_opaque(seen):
        return f"its check sees a copy, and what the call returned can't be copied as data: {verdict.actual}"
    if raised is None or raised.frames:  # the function had its hand in it
        return ""
    if seen.status == "not_run" and seen.detail.startswith(_OF_THE_CASE):
        return f"{seen.detail}, before the function was called: {told}"
    if seen.status == "raised" and case.call and not isinstance(case.expectation, ExpectedException):
        return f"its call raised {told}, not within the function but in what the call does around it"
    return ""


def _is_missing(spec: FunctionSpec, reason: str) -> bool:
    """Whether a class lacks what its contract promises, or has it in another form: that is no fault of a case."""
    if spec.interface is None or not ("AttributeError" in reason or "TypeError" in reason):
        return False
    promised = {method.name for method in spec.interface.methods} | {a.name for a in spec.interface.attributes}
    return not promised.isdisjoint(re.findall(r"\w+", reason.partition("Error: ")[2]))


def _is_opaque(seen: Observation) -> bool:
    try:
        return holds_opaque(decode(seen.value))
    except Unreadable:
        return True


def _rewritten(case: Case, again: Case | None) -> Case | None:
    """The case as its author wrote it anew, the same one where that changes nothing; None where it was left out."""
    if again is None or (again.done == case.done and again.effects == case.effects):
        return case if again else None
    return again.model_copy(update={"provenance": case.provenance})


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
