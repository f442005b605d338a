"""Code that exists beside its own docs: what of a suite it fails becomes a finding, or is left to the user.

A finding needs the docs' own words: arbiters upheld the case by them, or it is an example that stands there. Where a
reading of the docs that saw neither cases nor code does what the code does, the words may be read so: it is asked
about, and no finding. Either way the case leaves the suite that mutants are tried on, which the code then passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from tdgen.build.evidence import JudgedCall, judged_calls, outcome_lines
from tdgen.build.function_state import FunctionState
from tdgen.build.group import GroupBuild
from tdgen.build.rulings import claims
from tdgen.errors import BudgetSpent, ModelError, ReplyError
from tdgen.events import Noted
from tdgen.impl.concern import concerned_lines
from tdgen.inputs.sequences import shortest
from tdgen.judge import agree
from tdgen.prompts.context import folded
from tdgen.types import ARBITRATED, Call, Case, Finding, Question, Revision


def told_apart(build: GroupBuild) -> GroupBuild:
    """The group with what its code fails told apart from its suites: findings, and what nobody could settle."""
    for name, state in build.states.items():
        if state.failing:
            build = _without_failing(build, name)
    return build


def with_concern(build: GroupBuild, state: FunctionState) -> FunctionState:
    """The state with the lines at which the user's concern is decided, where there is one; asked once."""
    concern = build.plan.target.concern if build.plan.target else ""
    if not concern or state.near_concern is not None:
        return state
    why = "the budget has nothing left for it"
    if build.can_spare(state, "trial"):
        try:
            lines = concerned_lines(build.tools.model, state.name, state.made.source, concern)
            return replace(state, near_concern=lines)
        except (ReplyError, ModelError, BudgetSpent) as error:
            why = str(error)
    note = f"{state.name}: your concern steered nothing, as nobody said where it is decided: {why}"
    build.tools.emit(Noted(text=note))
    return replace(state, near_concern=frozenset(), notes=(*state.notes, note))


class _CaseEvidence(NamedTuple):
    """What the code was seen to do on a case, and what the readings of the docs were."""

    code: JudgedCall
    readings: tuple[JudgedCall, ...]


def _without_failing(build: GroupBuild, name: str) -> GroupBuild:
    state = build.states[name]
    cases = state.failing
    code = judged_calls(build, state, cases, state.made.source, build.around(state))
    others = [judged_calls(build, state, cases, source, {}) for source in _readings(build, state)]
    evidence = {
        case.name: _CaseEvidence(code[n], tuple(observed[n] for observed in others)) for n, case in enumerate(cases)
    }
    wavering = [case for case in cases if not _is_steady(build, state, case, evidence[case.name].code)]
    contradicted = [
        case for case in cases if case not in wavering and _is_finding(build, state, case, evidence[case.name])
    ]
    doubtful = [case for case in cases if case not in wavering and case not in contradicted]
    shown = [_shortened(build, state, case, evidence[case.name]) for case in contradicted]
    questions = [_question(case, evidence[case.name]) for case in doubtful]
    gone = state.with_changed(dict.fromkeys([case.name for case in cases]), {})
    build = build.with_state(
        replace(
            gone,
            findings=together([*state.findings, *(_finding(state, case, evidence[case.name]) for case in shown)]),
            deviating=(*state.deviating, *shown),
            unsettled=(*state.unsettled, *questions),
        )
    )
    revisions = [_dropped(case, "what the code does on it is another thing each time") for case in wavering]
    revisions += [_dropped(case, question.question) for case, question in zip(doubtful, questions, strict=True)]
    return build.revised(name, revisions).judged_again()


def _readings(build: GroupBuild, state: FunctionState) -> list[str]:
    """The code of those readings of the docs whose word counts."""
    return [reading.source for reading in build.draft.readings if state.name in reading.counts]


def _is_steady(build: GroupBuild, state: FunctionState, case: Case, code: JudgedCall) -> bool:
    """Whether the code comes to the same once more; not asked where one run is enough."""
    if not build.tools.policy.runs_twice:
        return True
    again = judged_calls(build, state, [case], state.made.source, build.around(state))[0]
    return again.verdict.passed == code.verdict.passed


def _is_finding(build: GroupBuild, state: FunctionState, case: Case, evidence: _CaseEvidence) -> bool:
    """Whether the docs' words uphold the case, and no reading of them does what the code does."""
    is_upheld = case.is_pinned or (ARBITRATED in case.confirmed and not case.doubts)
    is_quoted = build.context(state).is_of_user(case.why)
    if not (is_upheld and is_quoted):
        return False
    like = [
        one for one in evidence.readings if agree(one.observation, evidence.code.observation, case.done, state.spec)
    ]
    return not like or any(one.verdict.passed for one in evidence.readings)


def _shortened(build: GroupBuild, state: FunctionState, case: Case, evidence: _CaseEvidence) -> Case:
    """The case without the statements of its setup that it does not need.

    After fewer of them the code still does the same, and a reading of the docs that does what the case expects still
    does that. Without such a reading nobody could say that the docs still want it.
    """
    right = [
        source for source, one in zip(_readings(build, state), evidence.readings, strict=True) if one.verdict.passed
    ]
    if not right or not case.setup.strip():
        return case

    def holds(calls: Sequence[Call]) -> list[bool]:
        cases = [case.model_copy(update={"name": f"{case.name}_{n}", "setup": c.setup}) for n, c in enumerate(calls)]
        expected = build.evaluators[state.name].oracle.expectations(cases)
        trying = replace(state, expected=expected)
        code = judged_calls(build, trying, cases, state.made.source, build.around(state))
        reading = judged_calls(build, trying, cases, right[0], {})
        return [
            not expected[one.name].problem
            and not code[n].verdict.passed
            and agree(code[n].observation, evidence.code.observation, one.done, state.spec)
            and reading[n].verdict.passed
            for n, one in enumerate(cases)
        ]

    return case.model_copy(update={"setup": shortest(case.done, holds).setup})


def _finding(state: FunctionState, case: Case, evidence: _CaseEvidence) -> Finding:
    expected, observed = outcome_lines(case, state.expected[case.name], [evidence.code])
    return Finding(
        unit=state.name,
        case=case.name,
        setup=case.setup.strip(),
        call=case.done.text,
        expected=expected,
        observed=observed or evidence.code.verdict.actual,
        quote=" ".join(case.why.split()),
    )


def together(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Findings by the docs' words that they quote: of each the smallest call, with the cases that show the same."""
    by_quote: dict[str, list[Finding]] = {}
    for one in sorted(findings, key=lambda one: len(one.setup + one.call)):
        by_quote.setdefault(folded(one.quote), []).append(one)
    return tuple(
        first.model_copy(update={"also": (*first.also, *(name for other in others for name in other.cases))})
        for first, *others in by_quote.values()
    )


def _question(case: Case, evidence: _CaseEvidence) -> Question:
    """What nobody could settle, for the user."""
    gives = evidence.code.verdict.actual
    against = f" Against it: {'; '.join(case.doubts)}." if case.doubts else ""
    return Question(
        question=f"A test says: {claims(case)}; the code {gives}.{against} Which do the docs mean?",
        assumption="left open",
        function=case.function,
        call=case.expression,
        options=(gives,) if gives else (),
    )


def _dropped(case: Case, reason: str) -> Revision:
    return Revision(
        function=case.function, case=case.name, action="quarantined", reason=reason, call=case.done.text,
        before=claims(case),
    )  # fmt: skip
