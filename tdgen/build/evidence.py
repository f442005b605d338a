"""What speaks against cases that an attempt fails: a developer, implementations that agree, arbiters that do not.

An arbiter is told of it. A function that fails only cases against which more speaks than for them ends undecided, with
a question to the user, and not red.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from tdgen.briefs import observed_text, outcome_text
from tdgen.build.function_state import FunctionState
from tdgen.build.group import GroupBuild
from tdgen.build.rulings import claims
from tdgen.judge import agree
from tdgen.types import ARBITRATED, OF_CONTRACT, Attempt, Case, Exits, Question, Verdict, digest
from tdgen.values.show import brief
from tdgen.visible import visible

MOST_DIFFERENCES: Final = 3
READING: Final = "an independent reading of the whole instruction, written without the contract,"
_BESIDE = ("stdout", "stderr", "file ", "logs")
"""How the places begin at which a difference is in something beside the result."""


def evidence(build: GroupBuild, state: FunctionState) -> dict[str, list[str]]:
    """What an arbiter is told beside each case that the best attempt fails; no case of the user's is among them."""
    agreed = agreement(build, state)
    return {
        case.name: [*objections(state, case), *filter(None, [agreed.get(case.name)])]
        for case in state.failing
        if not case.is_pinned
    }


def objections(state: FunctionState, case: Case) -> tuple[str, ...]:
    """What developers said against a case, or against the contract that it was made from."""
    of_contract = () if case.is_pinned else state.objected.get(OF_CONTRACT, ())
    return (*state.objected.get(case.name, ()), *of_contract)


def agreement(build: GroupBuild, state: FunctionState) -> Mapping[str, str]:
    """What the best attempt and attempts of other lines alike do on cases that it fails, in words, by the case's name.

    They share no code. None of the cases is the user's, and in none did the call only die or run out of time.
    """
    failing = [case for case in state.failing if not case.is_pinned]
    others = state.of_other_lines
    if state.best is None or not failing or not others:
        return {}
    key = digest([state.best.source, *(o.source for o in others), *(case.model_dump(mode="json") for case in failing)])
    if state.agreed_on[0] != key:
        state.agreed_on = (key, _agreement(build, state, failing, [state.best, *others]))
    return state.agreed_on[1]


class SeenOutcomes(NamedTuple):
    """What calls were seen to come to, by the case's name, in a line each.

    `others` are outcomes other than the case's own, the best attempt's first; `reading` says what the second reading
    of the instruction comes to, be it the same.
    """

    others: Mapping[str, Sequence[str]]
    reading: Mapping[str, Sequence[str]]


def seen_outcomes(build: GroupBuild, state: FunctionState, cases: Sequence[Case]) -> SeenOutcomes:
    """What the best attempt, those of other lines and the second readings come to on cases that the best one fails."""
    around = build.around(state)
    attempts: list[Sequence[Verdict]] = [[state.verdicts[case.name] for case in cases]]
    attempts += [_verdicts(build, state, cases, other.source, around) for other in state.of_other_lines]
    counting = [reading for reading in build.draft.readings if state.name in reading.counts]
    readings = [_verdicts(build, state, cases, reading.source, {}) for reading in counting]
    others, words = {}, {}
    for place, case in enumerate(cases):
        seen = [seen_outcome(case, told[place]) for told in [*attempts, *readings]]
        others[case.name] = list(dict.fromkeys(filter(None, seen)))
        by_reading = filter(None, dict.fromkeys(seen_outcome(case, told[place]) for told in readings))
        words[case.name] = [f"{READING} comes to: {outcome}" for outcome in by_reading]
    return SeenOutcomes(others, words)


def _verdicts(
    build: GroupBuild, state: FunctionState, cases: Sequence[Case], source: str, around: Mapping[str, str]
) -> Sequence[Verdict]:
    evaluator = build.evaluator(state)
    seen = evaluator.watched(evaluator.module(source, around), cases).observations
    return evaluator.oracle.verdicts(state.spec, cases, seen, state.expected)


def seen_outcome(case: Case, verdict: Verdict) -> str:
    """What a call came to, in the form in which a case says what it must; empty where it came to no end."""
    if verdict.passed or verdict.status not in ("returned", "raised"):
        return outcome_text(case) if verdict.passed else ""
    how, _, what = verdict.actual.partition(" ")
    told = f"returns `{what}`" if how == "returned" else f"raises {what}"
    if isinstance(case.expectation, Exits):
        told = next(
            (f"ends with {d.actual}" for d in verdict.differences if not d.where),
            f"ends with exit code {case.expectation.code}",
        )
    looked_at = tuple(brief(after.expression, 80) for after in case.after)
    beside = [d for d in verdict.differences if d.where.startswith((*_BESIDE, *looked_at))]
    alike = [] if beside else [line.strip() for line in observed_text(case)]
    return visible("; ".join([told, *(f"and {d.where}: {d.actual}" for d in beside), *alike]))


def is_disputed(build: GroupBuild, state: FunctionState, times: int = 1) -> bool:
    """Whether so many words at least speak against each case that the best attempt fails; some case, at least.

    An arbiter's word for a case outweighs one of them. What reading or a further run says against the attempt is
    beyond dispute.
    """
    if state.best is None or state.best.findings or state.best.vetoes or not state.failing:
        return False
    against = _words_against(build, state)
    return all(len(against[case.name]) >= times + (ARBITRATED in case.confirmed) for case in state.failing)


def disputes(build: GroupBuild, state: FunctionState) -> list[Question]:
    """What is to be asked of the user where a function fails only what is in dispute."""
    if state.green or not is_disputed(build, state):
        return []
    against = _words_against(build, state)
    return [
        Question(
            question=f"The test {case.name} says: {claims(case)}. Against it: {'; '.join(against[case.name])}. "
            "What is meant?",
            assumption="left open",
            function=state.name,
            call=case.expression,
            options=(state.verdicts[case.name].actual,),
        )
        for case in state.failing
    ]


def _words_against(build: GroupBuild, state: FunctionState) -> dict[str, list[str]]:
    """All that speaks against the cases that the best attempt fails, the user's own among them.

    Implementations that fail most of the suite alike speak against themselves.
    """
    agreed = agreement(build, state) if len(state.failing) * 2 <= len(state.suite.cases) else {}
    return {
        case.name: [*objections(state, case), *case.doubts, *filter(None, [agreed.get(case.name)])]
        for case in state.failing
    }


def _agreement(
    build: GroupBuild, state: FunctionState, cases: Sequence[Case], attempts: Sequence[Attempt]
) -> dict[str, str]:
    evaluator = build.evaluator(state)
    ours, *theirs = (
        evaluator.watched(evaluator.module(attempt.source, build.around(state)), cases).observations
        for attempt in attempts
    )
    found = {}
    for place, case in enumerate(cases):
        ended = ours[place].status in ("returned", "raised")
        alike = sum(agree(ours[place], seen[place], case.done, state.spec) for seen in theirs) if ended else 0
        if alike:
            told = "; ".join(d.sentence for d in state.verdicts[case.name].differences[:MOST_DIFFERENCES])
            found[case.name] = f"{1 + alike} implementations that share no code came to: {told}"
    return found
