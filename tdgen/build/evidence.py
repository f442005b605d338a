"""What speaks against cases that an attempt fails: a developer, implementations that agree, arbiters that do not.

An arbiter is told of it. A function that fails only cases against which more speaks than for them ends undecided, with
a question to the user, and not red.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tdgen.build.function_state import Task
from tdgen.build.group import Shop
from tdgen.build.rulings import claims
from tdgen.judge import agree
from tdgen.types import ARBITRATED, Attempt, Case, Question, digest

MOST_DIFFERENCES: Final = 3


def evidence(shop: Shop, task: Task) -> dict[str, list[str]]:
    """What an arbiter is told beside each case that the best attempt fails; no case of the user's is among them."""
    agreed = agreement(shop, task)
    return {
        case.name: [*task.objected.get(case.name, ()), *filter(None, [agreed.get(case.name)])]
        for case in task.failing
        if not case.is_law
    }


def agreement(shop: Shop, task: Task) -> Mapping[str, str]:
    """What the best attempt and attempts of other lines alike do on cases that it fails, in words, by the case's name.

    They share no code. None of the cases is the user's, and in none did the call only die or run out of time.
    """
    failing = [case for case in task.failing if not case.is_law]
    others = task.of_other_lines
    if task.best is None or not failing or not others:
        return {}
    key = digest([task.best.source, *(o.source for o in others), *(case.model_dump(mode="json") for case in failing)])
    if task.agreed_on[0] != key:
        task.agreed_on = (key, _agreement(shop, task, failing, [task.best, *others]))
    return task.agreed_on[1]


def is_disputed(shop: Shop, task: Task, times: int = 1) -> bool:
    """Whether so many words at least speak against each case that the best attempt fails; some case, at least.

    An arbiter's word for a case outweighs one of them. What reading or a further run says against the attempt is
    beyond dispute.
    """
    if task.best is None or task.best.findings or task.best.vetoes or not task.failing:
        return False
    against = _words_against(shop, task)
    return all(len(against[case.name]) >= times + (ARBITRATED in case.confirmed) for case in task.failing)


def disputes(shop: Shop, task: Task) -> list[Question]:
    """What is to be asked of the user where a function fails only what is in dispute."""
    if task.green or not is_disputed(shop, task):
        return []
    against = _words_against(shop, task)
    return [
        Question(
            question=f"The test {case.name} says: {claims(case)}. Against it: {'; '.join(against[case.name])}. "
            "What is meant?",
            assumption="left open",
            function=task.name,
            call=case.expression,
            options=(task.verdicts[case.name].actual,),
        )
        for case in task.failing
    ]


def _words_against(shop: Shop, task: Task) -> dict[str, list[str]]:
    """All that speaks against the cases that the best attempt fails, the user's own among them.

    Implementations that fail most of the suite alike speak against themselves.
    """
    agreed = agreement(shop, task) if len(task.failing) * 2 <= len(task.suite.cases) else {}
    return {
        case.name: [*task.objected.get(case.name, ()), *case.doubts, *filter(None, [agreed.get(case.name)])]
        for case in task.failing
    }


def _agreement(shop: Shop, task: Task, cases: Sequence[Case], attempts: Sequence[Attempt]) -> dict[str, str]:
    bench = shop.bench(task)
    ours, *theirs = (
        bench.watched(bench.module(attempt.source, shop.around(task)), cases).observations for attempt in attempts
    )
    found = {}
    for place, case in enumerate(cases):
        ended = ours[place].status in ("returned", "raised")
        alike = sum(agree(ours[place], seen[place], case.done, task.spec) for seen in theirs) if ended else 0
        if alike:
            told = "; ".join(d.sentence for d in task.verdicts[case.name].differences[:MOST_DIFFERENCES])
            found[case.name] = f"{1 + alike} implementations that share no code came to: {told}"
    return found
