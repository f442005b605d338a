"""Is the test wrong? Arbiters are asked about doubtful cases: as a repair strategy, and before there is any code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from tdgen.briefs import PromptContext
from tdgen.build.agreement import demand_the_same
from tdgen.build.case_checks import Evaluation
from tdgen.build.draft import Draft, Tools
from tdgen.build.evidence import evidence
from tdgen.build.function_state import Task, signature
from tdgen.build.group import Shop
from tdgen.build.rulings import MOST_TRIED, MOST_VOTES, Judgement, judge_doubtful
from tdgen.errors import BudgetSpent, ModelError
from tdgen.judge import Expected, Oracle
from tdgen.trials import Ruling, hold_trial
from tdgen.trials.trial import Evaluate
from tdgen.types import ARBITRATED, Case, FunctionSpec, Question, Suite

MOST_TRIALS: Final = 2
"""Of one case: a second one only with evidence that the first had not."""
MOST_OF_FUNCTION: Final = 4
"""Trials in all: with `MOST_VOTES` rulings each they end, however many cases come into doubt one after the other."""


def may_arbitrate(shop: Shop, task: Task) -> bool:
    """Whether the best attempt fails cases that may be wrong, and a ruling on them can be paid for."""
    if not shop.tools.settings.policy.upholding or shop.is_blocked or task.trials >= MOST_OF_FUNCTION:
        return False
    return bool(_doubtful(shop, task)) and shop.can_spare(task, "trial")


def arbitrate(shop: Shop, task: Task) -> bool:
    """Have doubtful cases ruled on, and change the suite as it is decided; whether a case was changed or set aside."""
    told = _doubtful(shop, task)
    doubtful = [case for case in task.suite.cases if case.name in told]
    task.trials += 1
    try:
        judgement = _judgement(shop, task, doubtful, told)
    except (BudgetSpent, ModelError) as error:
        shop.note(task, f"its doubtful cases were not tried: {error}")
        return False
    task.heard.update(case.name for case in doubtful)
    task.heard_evidence |= {(name, text) for name, texts in told.items() for text in texts}
    if judgement.changed:
        now = [case for case in judgement.changed.values() if case is not None]
        task.replace(judgement.changed, shop.bench(task).oracle.expectations(now))
    task.questions += [_question(task, case) for case in doubtful if case.name in judgement.open]
    shop.revise(task, judgement.revisions)
    if judgement.revisions:
        shop.judge_again()
    return bool(judgement.revisions)


def _doubtful(shop: Shop, task: Task) -> dict[str, list[str]]:
    """Failing cases that may be wrong, none of them the user's, each with the evidence against it.

    Those against which something new speaks; and all of which nobody ruled yet, where the attempt passes the user's
    cases and most of the rest, or where it went on failing after a repair.
    """
    told = evidence(shop, task)
    few = len(task.failing) * 2 <= len(task.suite.cases) and not any(case.is_law for case in task.failing)
    was_repaired = task.best is not None and ("repair", signature(task.best)) in task.climbed
    found = {}
    for case in task.failing:
        if case.is_law or task.heard[case.name] >= MOST_TRIALS:
            continue
        is_new = any((case.name, text) not in task.heard_evidence for text in told[case.name])
        was_ruled_on = task.heard[case.name] or ARBITRATED in case.confirmed or case.doubts
        if is_new or (not was_ruled_on and (few or was_repaired)):
            found[case.name] = told[case.name]
    return dict([*found.items()][:MOST_TRIED])


def _judgement(shop: Shop, task: Task, doubtful: list[Case], told: Mapping[str, Sequence[str]]) -> Judgement:
    held = max((task.heard[case.name] for case in doubtful), default=0)
    return ask_arbiters(
        shop.tools,
        shop.draft.context(task.spec, task.law),
        doubtful,
        evaluate=shop.evaluate(task),
        oracle=shop.bench(task).oracle,
        doubts=told,
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
        return hold_trial(tools.model, context, cases, evaluate=evaluate, doubts=doubts, attempt=attempt, sample=sample)

    def agree(case: Case, other: Case) -> bool:
        return demand_the_same(case, other, spec, oracle)

    return judge_doubtful(cases, vote, agree, upholding=tools.settings.policy.upholding)


def _question(task: Task, case: Case) -> Question:
    """What the contract does not settle, as a question: what a case expected, and what the implementation gives."""
    verdict = task.verdicts.get(case.name)
    gives = verdict.actual if verdict else ""
    return Question(
        question=f"What should `{case.done.text}` give? The contract does not settle it.",
        assumption=f"what the implementation does: it {gives}" if gives else "left open",
        function=task.name,
        call=case.expression,
        options=tuple(filter(None, (gives,))),
    )


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


def arbitrate_cases(
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
