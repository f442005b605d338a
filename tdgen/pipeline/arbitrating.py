"""Doubtful cases arbitrated before there is an implementation, and the suite as that leaves it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from tdgen.judge import Expected, Oracle
from tdgen.pipeline.draft import Draft, Tools
from tdgen.pipeline.testing import Evaluation
from tdgen.pipeline.workshop.arbitration import ask_arbiters
from tdgen.pipeline.workshop.court import Judgement
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
    return ask_arbiters(
        tools,
        draft.context(spec),
        cases,
        evaluate=Evaluation(tools, draft, spec),
        oracle=Oracle(tools.oracle, draft.made_plan.module, draft.types),
        doubts=doubts,
        attempt=attempt,
    )
