"""What speaks against a case: a developer, implementations that agree, second readings, arbiters that do not uphold it.

An arbiter is told of it. A function that fails only cases against which more speaks than for them ends undecided, with
a question to the user, and not red.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from tdgen.build.function_state import FunctionState
from tdgen.build.group import GroupBuild
from tdgen.build.outcomes import JudgedCall, outcome_lines
from tdgen.build.rulings import claims
from tdgen.judge import agree
from tdgen.types import ARBITRATED, Case, Question

if TYPE_CHECKING:
    from tdgen.impl.reading import Reading


MOST_DIFFERENCES: Final = 3
"""How many differences of a case are named. Not tuned."""
READING: Final = "an independent reading of the whole instruction, written without the contract,"


def evidence(build: GroupBuild, state: FunctionState) -> dict[str, list[str]]:
    """What an arbiter is told beside each case that the best attempt fails; no case of the user's is among them."""
    agreed = agreement(build, state)
    return {
        case.name: [*objections(state, case), *filter(None, [agreed.get(case.name)])]
        for case in state.failing
        if not case.is_pinned
    }


def objections(state: FunctionState, case: Case) -> tuple[str, ...]:
    """What developers said against a case, or against the contracts and assumptions that it was made from."""
    said = (one for attempt in state.history for one in attempt.objections if one.is_of_plan and not case.is_pinned)
    return (*state.objected.get(case.name, ()), *(one.sentence for one in said))


def agreement(build: GroupBuild, state: FunctionState) -> Mapping[str, str]:
    """What the best attempt and others that share no code with it alike do on cases that it fails, by the case's name.

    The others are attempts of other lines, and second readings. None of the cases is the user's, and in none did the
    call only die or run out of time. What goes to standard error is not compared: two authors word it in two ways.
    """
    failing = [case for case in state.failing if not case.is_pinned]
    evaluator, around = build.evaluators[state.name], build.around(state)
    others = [evaluator.module(attempt.source, around) for attempt in state.of_other_lines]
    others += [evaluator.module(reading.source, {}) for reading in _counting(build, state)]
    if state.best is None or not failing or not others:
        return {}
    ours, *theirs = (
        [seen.model_copy(update={"stderr": ""}) for seen in evaluator.observed_once(module, failing)]
        for module in (evaluator.module(state.best.source, around), *others)
    )
    found = {}
    for place, case in enumerate(failing):
        ended = ours[place].status in ("returned", "raised")
        alike = [agree(ours[place], seen[place], case.done, state.spec) for seen in theirs] if ended else []
        if any(alike):
            text = "; ".join(d.sentence for d in state.verdicts[case.name].differences[:MOST_DIFFERENCES])
            beside = ", a reading of the whole instruction among them," * any(alike[len(state.of_other_lines) :])
            found[case.name] = f"{1 + sum(alike)} implementations that share no code{beside} came to: {text}"
    return found


def _counting(build: GroupBuild, state: FunctionState) -> list[Reading]:
    """The second readings whose word counts for a function."""
    return [reading for reading in build.draft.readings if state.name in reading.counts]


class ObservedOutcomes(NamedTuple):
    """What calls were seen to come to, by the case's name, in a line each.

    `outcomes` are what the case expects and the others that were seen, the best attempt's first; `reading` says what
    the second reading of the instruction comes to, be it the same.
    """

    outcomes: Mapping[str, Sequence[str]]
    reading: Mapping[str, Sequence[str]]


def observed_outcomes(build: GroupBuild, state: FunctionState, cases: Sequence[Case]) -> ObservedOutcomes:
    """What the best attempt, those of other lines and the second readings come to on cases that the best one fails."""
    around = build.around(state)
    attempts = [
        judged_calls(build, state, cases, one.source, around) for one in (state.best, *state.of_other_lines) if one
    ]
    counting = [reading for reading in build.draft.readings if state.name in reading.counts]
    readings = [judged_calls(build, state, cases, reading.source, {}) for reading in counting]
    told = {
        case.name: outcome_lines(case, state.expected[case.name], [seen[place] for seen in [*attempts, *readings]])
        for place, case in enumerate(cases)
    }
    outcomes = {name: list(dict.fromkeys(filter(None, texts))) for name, texts in told.items()}
    by_reading = {name: dict.fromkeys(filter(None, texts[1 + len(attempts) :])) for name, texts in told.items()}
    words = {name: [f"{READING} comes to: {text}" for text in texts] for name, texts in by_reading.items()}
    return ObservedOutcomes(outcomes, words)


def judged_calls(
    build: GroupBuild, state: FunctionState, cases: Sequence[Case], source: str, around: Mapping[str, str]
) -> list[JudgedCall]:
    """What a source was seen to do on cases, and whether that is what they expect."""
    evaluator = build.evaluators[state.name]
    observations = evaluator.watched(evaluator.module(source, around), cases).observations
    verdicts = evaluator.oracle.verdicts(state.spec, cases, observations, state.expected)
    return [JudgedCall(*pair) for pair in zip(verdicts, observations, strict=True)]


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
