"""Doubtful cases arbitrated before there is an implementation, and the suite as that leaves it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from tdgen.judge import Expected, Oracle
from tdgen.pipeline.draft import Draft, Tools
from tdgen.pipeline.testing import Evaluation
from tdgen.pipeline.workshop.concord import demand_the_same
from tdgen.pipeline.workshop.court import Judgement, judge_doubtful, upholding_for
from tdgen.trials import Ruling, hold_trial
from tdgen.types import Case, FunctionSpec, Suite


class Judged(NamedTuple):
    """A suite, and what its cases expect."""

    suite: Suite
    expected: dict[str, Expected]

    def changed(self, tools: Tools, draft: Draft, cases: Mapping[str, Case | None]) -> Judged:
        """The suite with cases changed by name, those that are None dropped."""
        kept = [cases.get(case.name, case) for case in self.suite.cases]
        now = tuple(case for case in kept if case is not None)
        names = frozenset(case.name for case in now)
        oracle = Oracle(tools.oracle, draft.made_plan.module, draft.types)
        suite = self.suite.model_copy(update={"cases": now, "held_out": self.suite.held_out & names})
        return Judged(suite, dict(oracle.expectations(now)))


def arbitrate(
    tools: Tools,
    draft: Draft,
    spec: FunctionSpec,
    cases: Sequence[Case],
    *,
    attempt: int,
    doubts: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Judgement:
    """What rulings on doubtful cases come to; their `attempt` keeps them apart from those asked for with code.

    BudgetSpent and ModelError pass through.
    """
    evaluate, context = Evaluation(tools, draft, spec), draft.context(spec)
    oracle = Oracle(tools.oracle, draft.made_plan.module, draft.types)

    def vote(cases: Sequence[Case], number: int) -> Mapping[str, Ruling]:
        if number and not tools.purse.may_spend("trial", spec.name, optional=True):
            return {}
        return hold_trial(tools.model, context, cases, evaluate=evaluate, doubts=doubts, attempt=attempt, sample=number)

    def agree(case: Case, other: Case) -> bool:
        return demand_the_same(case, other, spec, oracle)

    return judge_doubtful(cases, vote, agree, upholding=upholding_for(tools.settings.trust))
