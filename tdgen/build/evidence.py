"""What speaks against a case, and the outcomes that arbiters choose between.

Against a case speak a developer, implementations that agree, second readings, and arbiters that do not uphold it; an
arbiter is told of it. A function that fails only cases against which more speaks than for them ends undecided, with a
question to the user, and not red.

A call's outcome and what a case expects are told in the same words: arbiters must not know which of them is which.

Each outcome has a part for all that the case looks at (the result, streams, files, logs, what is evaluated afterwards),
in that order, values by their `repr`. Of a part that is too long to be shown whole each outcome shows the same stretch,
around the first character in which they differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from tdgen.build.function_state import FunctionState
from tdgen.build.group import GroupBuild
from tdgen.build.rulings import claims
from tdgen.judge import Expected, agree
from tdgen.text import visible
from tdgen.types import (
    ARBITRATED,
    Case,
    Check,
    Exits,
    ExpectedException,
    Observation,
    Pattern,
    Question,
    Value,
    Verdict,
    Wire,
)
from tdgen.types.base import Content
from tdgen.values.show import show_wire

MOST_DIFFERENCES: Final = 3
"""How many differences of a case are named. Not tuned."""


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
    others += [evaluator.module(one.source, {}) for one in build.draft.readings if state.name in one.counts]
    if state.best is None or not failing or not others:
        return {}
    ours, *theirs = (
        [observation.model_copy(update={"stderr": ""}) for observation in evaluator.observed_once(module, failing)]
        for module in (evaluator.module(state.best.source, around), *others)
    )
    agreed = {}
    for place, case in enumerate(failing):
        ended = ours[place].status in ("returned", "raised")
        alike = (
            [agree(ours[place], observation[place], case.done, state.spec) for observation in theirs] if ended else []
        )
        if any(alike):
            text = "; ".join(d.sentence for d in state.verdicts[case.name].differences[:MOST_DIFFERENCES])
            beside = ", a reading of the whole instruction among them," * any(alike[len(state.of_other_lines) :])
            agreed[case.name] = f"{1 + sum(alike)} implementations that share no code{beside} came to: {text}"
    return agreed


def observed_outcomes(build: GroupBuild, state: FunctionState, cases: Sequence[Case]) -> dict[str, Sequence[str]]:
    """What cases that the best attempt fails expect, and all else that was seen of their calls, in a line each.

    By the case's name: the best attempt's outcome first, then those of other lines, then those of second readings.
    Which is a reading's is not said, as before there is code: told which letter is its own, arbiters took its side,
    also where it was wrong.
    """
    around = build.around(state)
    attempts = [one.source for one in (state.best, *state.of_other_lines) if one]
    readings = [one.source for one in build.draft.readings if state.name in one.counts]
    observed = [judged_calls(build, state, cases, source, around) for source in attempts]
    observed += [judged_calls(build, state, cases, source, {}) for source in readings]
    by_case = {
        case.name: outcome_lines(case, state.expected[case.name], [calls[place] for calls in observed])
        for place, case in enumerate(cases)
    }
    return {name: list(dict.fromkeys(filter(None, texts))) for name, texts in by_case.items()}


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


LONGEST_READ: Final = 20_000
"""Of how many characters of a value the `repr` is made: far more than is shown, so that what differs is found."""
LONGEST_PART: Final = 1_200
"""Some 300 tokens: of a part that has more, the stretch around what differs is shown."""
_BEFORE: Final = 400  # characters of it before the first difference, a third; neither is tuned


class Part(NamedTuple):
    """One thing that came of a call: `said` before and after its `text`, which alone may be cut."""

    before: str
    text: str = ""
    after: str = ""


Outcome = tuple[Part, ...]


def expected_outcome(case: Case, expected: Expected) -> Outcome:
    """What a case expects, as it was evaluated."""
    asked = case.expectation
    if isinstance(asked, Value):
        is_evaluated = not expected.problem
        result = Part("returns `", show_wire(expected.value, LONGEST_READ) if is_evaluated else asked.source, "`")
    elif isinstance(asked, ExpectedException):
        matching = f" with a message in which {asked.match!r} is found" if asked.match else ""
        result = Part(f"raises {asked.type.rpartition('.')[2]}{matching}")
    elif isinstance(asked, Check):
        result = Part("returns a result for which `", asked.source, "` holds")
    else:
        result = Part(f"ends with exit code {asked.code}")
    streams = {"stdout": case.stdout, "stderr": case.stderr}
    logs = [(one.logger, one.level, one.message) for one in case.logs or ()]
    return (result, *_beside(case, streams, case.files, logs, expected.after))


def observed_outcome(case: Case, observation: Observation) -> Outcome:
    """What a call was seen to come to, as far as the case looks at it; nothing where it came to no end."""
    if observation.status not in ("returned", "raised") or (
        observation.status == "raised" and observation.raised is None
    ):
        return ()
    streams = {"stdout": observation.stdout, "stderr": observation.stderr}
    beside = _beside(case, streams, observation.files, observation.logs, observation.after)
    return (_ending(case, observation), *beside)


class JudgedCall(NamedTuple):
    """What was seen of a call, and the verdict on it."""

    verdict: Verdict
    observation: Observation


def outcome_lines(case: Case, expected: Expected, calls: Sequence[JudgedCall]) -> list[str]:
    """What a case expects, and after it what each of the calls came to, in a line each.

    A call that passes came to what is expected; the line of one that came to no end is empty.
    """
    own = expected_outcome(case, expected)
    observed = [own if call.verdict.passed else observed_outcome(case, call.observation) for call in calls]
    texts = iter(lines_together([own, *filter(None, observed)]))
    return [next(texts), *(next(texts) if outcome else "" for outcome in observed)]


def lines_together(outcomes: Sequence[Outcome]) -> list[str]:
    """Outcomes of one case in a line each, in their order."""
    columns = [_cut(parts) for parts in zip_longest(*outcomes, fillvalue=Part(""))]
    return [visible("; ".join(filter(None, row))) for row in zip(*columns, strict=True)]


def _ending(case: Case, observation: Observation) -> Part:
    """What a call returned, raised, or ended its script with."""
    asked, raised = case.expectation, observation.raised if observation.status == "raised" else None
    code = raised.exit_code if raised else 0 if isinstance(asked, Exits) else None
    if code is not None:
        return Part(f"{'ends' if isinstance(asked, Exits) else 'raises SystemExit, which ends'} with exit code {code}")
    if raised is None:
        return Part("returns `", show_wire(observation.value, LONGEST_READ), "`")
    # as a case names it: without its module, with the class in whose body it stands
    parts = raised.type.split(".")
    first = next((place for place, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
    raises = f"raises {'.'.join(parts[first:])}"
    if isinstance(asked, ExpectedException) and asked.match:
        return Part(f"{raises} with the message ", repr(raised.message))
    return Part(raises)


def _beside(
    case: Case,
    streams: Mapping[str, str | Pattern | None],
    files: Mapping[str, Content | None],
    logs: Sequence[tuple[str, str, str]],
    after: Sequence[Wire],
) -> list[Part]:
    """What is printed, in files, logged and evaluated after the call, as far as the case looks at it."""
    parts = []
    for stream, asked in (("stdout", case.stdout), ("stderr", case.stderr)):
        text = streams[stream]
        if asked is not None and isinstance(text, Pattern):
            parts.append(Part(f"prints to {stream} a text in which {text.match!r} is found"))
        elif asked is not None:
            parts.append(Part(f"prints to {stream} ", repr(text)) if text else Part(f"prints nothing to {stream}"))
    for path in case.files:
        content = files.get(path)
        if content is None:
            parts.append(Part(f"afterwards there is no file {path!r}"))
        else:
            parts.append(Part(f"afterwards the file {path!r} holds ", repr(content) if content else "nothing"))
    if case.logs is not None:
        lines = [f"{level} {message!r} by {logger!r}" for logger, level, message in logs]
        parts.append(Part("logs ", ", then ".join(lines) or "nothing"))
    shown = [f"gives `{show_wire(value, LONGEST_READ)}`" for value in after]
    for place, one in enumerate(case.after):
        text = shown[place] if place < len(shown) else "was not evaluated"
        parts.append(Part(f"afterwards `{one.expression}` ", text))
    return parts


def _cut(parts: Sequence[Part]) -> list[str]:
    """One part of each outcome; long ones by the stretch around the first character in which any two differ."""
    texts = [part.text for part in parts]
    start = 0
    if max(map(len, texts)) > LONGEST_PART:
        differing = (place for place, row in enumerate(zip_longest(*texts)) if len(set(row)) > 1)
        start = max(next(differing, 0) - _BEFORE, 0)
    end = start + LONGEST_PART
    return [
        f"{part.before}{'…' * bool(start)}{part.text[start:end]}{'…' * (len(part.text) > end)}{part.after}"
        for part in parts
    ]
