"""Is the test wrong? Arbiters are asked of doubtful cases: as a repair strategy, and before there is any code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from tdgen.build.case_checks import CaseChecks, demand_the_same
from tdgen.build.draft import CheckedSuite, Draft, Tools
from tdgen.build.evidence import evidence, observed_outcomes
from tdgen.build.function_state import FunctionState, signature
from tdgen.build.group import GroupBuild, Tried
from tdgen.build.rulings import MOST_TRIED, MOST_VOTES, Judgement, judge_doubtful
from tdgen.errors import BudgetSpent, ModelError
from tdgen.judge import Oracle
from tdgen.prompts.context import PromptContext
from tdgen.protocols import Variant
from tdgen.types import ARBITRATED, Case, Plan, Question, Suite

if TYPE_CHECKING:
    from tdgen.testgen.arbiter import Ruling


MOST_ARBITRATIONS: Final = 2
"""Of one case: a second one only with evidence that the first had not. Not tuned."""
MOST_OF_FUNCTION: Final = 4
"""In all: with `MOST_VOTES` rulings each they end, however many cases come into doubt one by one. Not tuned."""


def may_arbitrate(build: GroupBuild, state: FunctionState) -> bool:
    """Whether the best attempt fails cases that may be wrong, and a ruling on them can be paid for."""
    if not _upholding(build.tools, build.plan) or build.is_blocked or state.arbitrations >= MOST_OF_FUNCTION:
        return False
    return bool(_doubtful(build, state)) and build.can_spare(state, "trial")


def _upholding(tools: Tools, plan: Plan) -> int:
    """How many rulings must uphold a case: of code that exists it is said to be at fault."""
    policy = tools.policy
    return policy.accusing if plan.is_existing else policy.upholding


def arbitrate(build: GroupBuild, name: str) -> Tried:
    """Have doubtful cases ruled on, and change the suite as it is decided: cases may be changed or set aside."""
    state = build.states[name]
    doubts = _doubtful(build, state)
    doubtful = [case for case in state.suite.cases if case.name in doubts]
    build = build.changed(name, arbitrations=state.arbitrations + 1)
    try:
        held = max((state.arbitrated.get(case.name, 0) for case in doubtful), default=0)
        judgement = ask_arbiters(
            build.tools,
            build.draft,
            build.context(state),
            doubtful,
            doubts=doubts,
            outcomes=observed_outcomes(build, state, doubtful),
            first=held * MOST_VOTES,
        )
    except (BudgetSpent, ModelError) as error:
        return Tried(build.noted(name, f"its doubtful cases were not tried: {error}"), changed=False)
    given = state.evidence_given | {(case, text) for case, texts in doubts.items() for text in texts}
    build = _with_judgement(build.changed(name, evidence_given=given), name, doubtful, judgement)
    return Tried(build, changed=bool(judgement.revisions or build.faults))


def _with_judgement(build: GroupBuild, name: str, cases: Sequence[Case], judgement: Judgement) -> GroupBuild:
    """The group with a suite as was decided about its `cases`, and the contracts corrected that were found wrong."""
    state = build.states[name]
    corrected = judgement.corrections_beside(state.suite)
    changed = _with_free_names(state.suite, judgement.changed)
    state = state.with_arbitrated(cases, changed)
    if changed:
        now = [case for case in changed.values() if case is not None]
        state = state.with_changed(changed, build.evaluators[state.name].oracle.expectations(now))
    questions = (*state.questions, *(_question(state, case) for case in cases if case.name in judgement.open))
    build = build.with_state(replace(state, questions=questions)).revised(name, judgement.revisions)
    for function, corrections in corrected.items():
        if function == name:
            build = build.corrected(name, corrections)
        elif function in build.states:
            build = build.with_refuted_contract(function, corrections)
        else:
            build = build.corrected_below(name, function, corrections)
    return build.judged_again() if judgement.revisions else build


def _doubtful(build: GroupBuild, state: FunctionState) -> dict[str, list[str]]:
    """Failing cases that may be wrong, none of them the user's, each with the evidence against it.

    Those against which something new speaks; and all of which nobody ruled yet, where the attempt passes the user's
    cases and most of the rest, or where it went on failing after a repair.
    """
    evidence_by_case = evidence(build, state)
    few = len(state.failing) * 2 <= len(state.suite.cases) and not any(case.is_pinned for case in state.failing)
    few = few or build.plan.is_existing  # nothing is repaired, so that there is no second time
    was_repaired = state.best is not None and ("repair", signature(state.best)) in state.tried
    doubtful = {}
    for case in state.failing:
        if case.is_pinned or state.arbitrated.get(case.name, 0) >= MOST_ARBITRATIONS:
            continue
        is_new = any((case.name, text) not in state.evidence_given for text in evidence_by_case[case.name])
        was_ruled_on = case.name in state.arbitrated or ARBITRATED in case.confirmed or case.doubts
        if is_new or (not was_ruled_on and (few or was_repaired)):
            doubtful[case.name] = evidence_by_case[case.name]
    return dict([*doubtful.items()][:MOST_TRIED])


def ask_arbiters(
    tools: Tools,
    draft: Draft,
    context: PromptContext,
    cases: Sequence[Case],
    *,
    doubts: Mapping[str, Sequence[str]] = MappingProxyType({}),
    outcomes: Mapping[str, Sequence[str]] = MappingProxyType({}),
    variant: Variant = "",
    ordinal: int = 1,
    first: int = 0,
) -> Judgement:
    """What rulings on doubtful cases of a function come to; `first` is the number of the first of them.

    `variant` keeps rulings that are asked for before there is code apart from later ones. BudgetSpent and ModelError
    pass through.
    """
    from tdgen.testgen.arbiter import ask_arbiter

    spec = context.spec
    oracle = Oracle.of(tools.oracle, draft.required_plan, draft.types)

    def vote(cases: Sequence[Case], number: int) -> Mapping[str, Ruling]:
        if number and not tools.purse.may_spend("trial", spec.name, optional=True):
            return {}
        return ask_arbiter(
            tools.model,
            context,
            cases,
            evaluate=CaseChecks(tools, draft, spec),
            doubts=doubts,
            outcomes=outcomes,
            variant=variant,
            ordinal=ordinal,
            sample=first + number,
        )

    def agree(case: Case, other: Case) -> bool:
        return demand_the_same(case, other, spec, oracle)

    return judge_doubtful(cases, vote, agree, upholding=_upholding(tools, context.plan))


def _with_free_names(suite: Suite, changed: Mapping[str, Case | None]) -> Mapping[str, Case | None]:
    """The changed cases; one whose new name another case has keeps its own."""
    renamed = [case.name for name, case in changed.items() if case is not None and case.name != name]
    taken = Counter([*renamed, *(case.name for case in suite.cases)])
    return {
        name: case.model_copy(update={"name": name}) if case is not None and taken[case.name] > 1 else case
        for name, case in changed.items()
    }


def _question(state: FunctionState, case: Case) -> Question:
    """What the contract does not settle, as a question: what a case expected, and what the implementation gives."""
    verdict = state.verdicts.get(case.name)
    gives = verdict.actual if verdict else ""
    return Question(
        question=f"What should `{case.done.text}` give? The contract does not settle it.",
        assumption=f"what the implementation does: it {gives}" if gives else "left open",
        function=state.name,
        call=case.expression,
        options=tuple(filter(None, (gives,))),
    )


def with_changed_cases(
    tools: Tools, draft: Draft, before: CheckedSuite, cases: Mapping[str, Case | None]
) -> CheckedSuite:
    """The suite with cases changed by name, those that are None dropped."""
    suite = before.suite.changed(_with_free_names(before.suite, cases))
    oracle = Oracle.of(tools.oracle, draft.required_plan, draft.types)
    return before._replace(suite=suite, expected=dict(oracle.expectations(suite.cases)))
