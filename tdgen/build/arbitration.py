"""Is the test wrong? Arbiters are asked about doubtful cases: as a repair strategy, and before there is any code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from tdgen.briefs import PromptContext
from tdgen.build.agreement import demand_the_same
from tdgen.build.case_checks import CaseChecks
from tdgen.build.draft import Draft, Tools
from tdgen.build.evidence import evidence, seen_outcomes
from tdgen.build.function_state import FunctionState, signature
from tdgen.build.group import GroupBuild
from tdgen.build.rulings import MOST_TRIED, MOST_VOTES, Judgement, judge_doubtful
from tdgen.errors import BudgetSpent, ModelError
from tdgen.judge import Expected, Oracle
from tdgen.testgen.arbiter import Evaluate, Ruling, ask_arbiter
from tdgen.types import ARBITRATED, Case, FunctionSpec, Question, Suite

MOST_ARBITRATIONS: Final = 2
"""Of one case: a second one only with evidence that the first had not."""
MOST_OF_FUNCTION: Final = 4
"""Trials in all: with `MOST_VOTES` rulings each they end, however many cases come into doubt one after the other."""


def may_arbitrate(build: GroupBuild, state: FunctionState) -> bool:
    """Whether the best attempt fails cases that may be wrong, and a ruling on them can be paid for."""
    if not build.tools.settings.policy.upholding or build.is_blocked or state.arbitrations >= MOST_OF_FUNCTION:
        return False
    return bool(_doubtful(build, state)) and build.can_spare(state, "trial")


def arbitrate(build: GroupBuild, state: FunctionState) -> bool:
    """Have doubtful cases ruled on, and change the suite as it is decided; whether a case was changed or set aside."""
    told = _doubtful(build, state)
    doubtful = [case for case in state.suite.cases if case.name in told]
    state.arbitrations += 1
    try:
        judgement = _judgement(build, state, doubtful, told)
    except (BudgetSpent, ModelError) as error:
        build.note(state, f"its doubtful cases were not tried: {error}")
        return False
    state.heard.update(case.name for case in doubtful)
    state.heard_evidence |= {(name, text) for name, texts in told.items() for text in texts}
    if judgement.changed:
        now = [case for case in judgement.changed.values() if case is not None]
        state.replace(judgement.changed, build.evaluator(state).oracle.expectations(now))
    state.questions += [_question(state, case) for case in doubtful if case.name in judgement.open]
    build.revise(state, judgement.revisions)
    build.correct(state, judgement.corrections_beside(state.suite))
    if judgement.revisions:
        build.judge_again()
    return bool(judgement.revisions)


def _doubtful(build: GroupBuild, state: FunctionState) -> dict[str, list[str]]:
    """Failing cases that may be wrong, none of them the user's, each with the evidence against it.

    Those against which something new speaks; and all of which nobody ruled yet, where the attempt passes the user's
    cases and most of the rest, or where it went on failing after a repair.
    """
    told = evidence(build, state)
    few = len(state.failing) * 2 <= len(state.suite.cases) and not any(case.is_pinned for case in state.failing)
    was_repaired = state.best is not None and ("repair", signature(state.best)) in state.tried
    found = {}
    for case in state.failing:
        if case.is_pinned or state.heard[case.name] >= MOST_ARBITRATIONS:
            continue
        is_new = any((case.name, text) not in state.heard_evidence for text in told[case.name])
        was_ruled_on = state.heard[case.name] or ARBITRATED in case.confirmed or case.doubts
        if is_new or (not was_ruled_on and (few or was_repaired)):
            found[case.name] = told[case.name]
    return dict([*found.items()][:MOST_TRIED])


def _judgement(
    build: GroupBuild, state: FunctionState, doubtful: list[Case], told: Mapping[str, Sequence[str]]
) -> Judgement:
    seen = seen_outcomes(build, state, doubtful)
    held = max((state.heard[case.name] for case in doubtful), default=0)
    return ask_arbiters(
        build.tools,
        build.draft.context(state.spec, state.pinned),
        doubtful,
        evaluate=build.evaluate(state),
        oracle=build.evaluator(state).oracle,
        doubts={case.name: [*told[case.name], *seen.reading.get(case.name, ())] for case in doubtful},
        others=seen.others,
        first=held * MOST_VOTES,
    )


def ask_arbiters(
    tools: Tools,
    context: PromptContext,
    cases: Sequence[Case],
    *,
    evaluate: Evaluate,
    oracle: Oracle,
    doubts: Mapping[str, Sequence[str]],
    others: Mapping[str, Sequence[str]],
    attempt: int = 1,
    first: int = 0,
) -> Judgement:
    """What rulings on doubtful cases of a function come to; `first` is the number of the first of them.

    BudgetSpent and ModelError pass through.
    """
    spec = context.spec

    def vote(cases: Sequence[Case], number: int) -> Mapping[str, Ruling]:
        if number and not tools.purse.may_spend("trial", spec.name, optional=True):
            return {}
        sample = first + number
        return ask_arbiter(
            tools.model,
            context,
            cases,
            evaluate=evaluate,
            doubts=doubts,
            others=others,
            attempt=attempt,
            sample=sample,
        )

    def agree(case: Case, other: Case) -> bool:
        return demand_the_same(case, other, spec, oracle)

    return judge_doubtful(cases, vote, agree, upholding=tools.settings.policy.upholding)


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


class ArbitratedSuite(NamedTuple):
    """A suite, and what its cases expect."""

    suite: Suite
    expected: dict[str, Expected]

    def changed(self, tools: Tools, draft: Draft, cases: Mapping[str, Case | None]) -> ArbitratedSuite:
        """The suite with cases changed by name, those that are None dropped."""
        kept = [cases.get(case.name, case) for case in self.suite.cases]
        now = tuple(case for case in kept if case is not None)
        names = frozenset(case.name for case in now)
        oracle = Oracle(tools.oracle, draft.made_plan.module, draft.types)
        suite = self.suite.model_copy(update={"cases": now, "held_out": self.suite.held_out & names})
        return ArbitratedSuite(suite, dict(oracle.expectations(now)))


def arbitrate_cases(
    tools: Tools,
    draft: Draft,
    spec: FunctionSpec,
    cases: Sequence[Case],
    *,
    attempt: int,
    doubts: Mapping[str, Sequence[str]] = MappingProxyType({}),
    others: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Judgement:
    """What rulings on doubtful cases come to; their `attempt` keeps them apart from those asked for with code.

    BudgetSpent and ModelError pass through.
    """
    return ask_arbiters(
        tools,
        draft.context(spec),
        cases,
        evaluate=CaseChecks(tools, draft, spec),
        oracle=Oracle(tools.oracle, draft.made_plan.module, draft.types),
        doubts=doubts,
        others=others,
        attempt=attempt,
    )
