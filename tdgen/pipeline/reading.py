"""A second reading of the whole instruction, held against the cases before any code is written to them.

It is asked for beside the suites, and nothing waits for it before it is compared. Where it does something else than a
case expects, the instruction's words decide, by arbitration; what the user pinned is never doubted. A case that it
bears out costs nothing. Its code is compared only, and run as hostile as any candidate's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from tdgen.build.arbitration import ask_arbiters, with_changed_cases
from tdgen.build.draft import CheckedSuite, Draft, Tools, revised, together, with_corrections
from tdgen.build.evaluator import Evaluator
from tdgen.build.evidence import JudgedCall, outcome_lines
from tdgen.build.second_reading import is_unfinished
from tdgen.errors import BudgetSpent, ModelError, ReplyError
from tdgen.events import Noted
from tdgen.judge import Expected
from tdgen.types import Case, Correction, FunctionSpec, Question

if TYPE_CHECKING:
    from tdgen.impl.reading import Reading


PATIENCE_S: Final = 0.5
MOST_AT_ONCE: Final = 8
ROUNDS: Final = 2
"""How long a reading may take for a case, how many cases one request for rulings holds, and how many such requests
there are at most. Not tuned."""


def begin_reading(tools: Tools, draft: Draft) -> Draft:
    """Ask for as many readings as the trust level says, where there is a function whose cases are yet to be written.

    What is owed to functions, and one repair for each, comes first.
    """
    count, compared = tools.policy.readings, len(_to_compare(draft))
    may_pay = count and compared and tools.purse.may_spend("reading", "", calls=count + compared)
    if not may_pay:
        return draft
    asked = tuple(tools.executor.submit(_read, tools, draft, sample) for sample in range(count))
    return replace(draft, asked_readings=asked)


def compare_readings(tools: Tools, draft: Draft) -> Draft:
    """Hold the readings against all cases; where one parts from a case, the instruction's words decide."""
    readings = tuple(reading for asked in draft.asked_readings if (reading := asked.result()) is not None)
    if not draft.asked_readings:
        return draft
    specs = _to_compare(draft)
    done = list(tools.executor.map(lambda spec: _Comparison(tools, draft, spec, readings).ended(), specs))
    by_name = {spec.name: compared for spec, compared in zip(specs, done, strict=True)}
    counted = tuple(
        reading._replace(counts=frozenset(name for name, compared in by_name.items() if place in compared.counting))
        for place, reading in enumerate(readings)
    )
    text = _comparison_line(by_name, len(readings))
    tools.emit(Noted(text=text))
    suites = {name: compared.judged for name, compared in by_name.items()}
    draft = with_corrections(tools, draft, together(judged.corrections for judged in suites.values()))
    draft = replace(draft.with_suites(suites), readings=counted, notes=(*draft.notes, text))
    return revised(draft, tools, [revision for judged in suites.values() for revision in judged.revisions])


class _Compared(NamedTuple):
    """What came of the comparison for one function.

    On `agreed` of `calls` calls the readings did what the cases expect; `counting` are the places of those whose word
    counts.
    """

    judged: CheckedSuite
    agreed: int
    calls: int
    counting: frozenset[int]


class _Comparison:
    """One function's cases and the readings that have it."""

    def __init__(self, tools: Tools, draft: Draft, spec: FunctionSpec, readings: Sequence[Reading]) -> None:
        self._tools, self._draft, self._spec = tools, draft, spec
        self._evaluator = Evaluator(tools, replace(draft, readings=tuple(readings)), spec)
        self._corrections: Mapping[str, Sequence[Correction]] = {}
        self._readings = {n: reading for n, reading in enumerate(readings) if spec.name in reading.functions}

    def ended(self) -> _Compared:
        """The function's suite after the words decided where readings part from it."""
        name = self._spec.name
        judged = before = self._draft.checked_suite(name)
        cases = [case for case in before.suite.cases if case.kind != "limit"]
        judged_by_reading = {place: self._judged(place, cases, before.expected) for place in self._readings}
        able = {
            place: judged_calls
            for place, judged_calls in judged_by_reading.items()
            if self._may_doubt(cases, judged_calls)
        }
        agreed = sum(map(_agrees, (one for judged_calls in judged_by_reading.values() for one in judged_calls)))
        calls = len(cases) * len(judged_by_reading)
        try:
            judged = self._arbitrated(before, cases, able)
        except (BudgetSpent, ModelError) as error:
            self._tools.emit(
                Noted(text=f"{name}: where the second reading parts from its cases was not settled: {error}")
            )
        if judged.revisions:
            cases = [case for case in judged.suite.cases if case.kind != "limit"]
            able = {place: self._judged(place, cases, judged.expected) for place in able}
        counting = {
            place
            for place, judged_calls in able.items()
            if self._may_doubt(cases, judged_calls) and _is_majority(judged_calls)
        }
        return _Compared(judged._replace(corrections=self._corrections), agreed, calls, frozenset(counting))

    def _judged(self, place: int, cases: Sequence[Case], expected: Mapping[str, Expected]) -> tuple[JudgedCall, ...]:
        """What a reading as a whole was seen to do on one function's cases, and what the judge says of it."""
        module = self._evaluator.module(self._readings[place].source, {})
        observations = self._evaluator.watched(module, cases, wall_s=PATIENCE_S).observations
        verdicts = self._evaluator.oracle.verdicts(self._spec, cases, observations, expected)
        return tuple(JudgedCall(*pair) for pair in zip(verdicts, observations, strict=True))

    def _may_doubt(self, cases: Sequence[Case], judged_calls: Sequence[JudgedCall]) -> bool:
        """Whether a reading may speak against cases: it fails nothing that the user pinned.

        Where it fails most cases of a function that the user never named, and that others call, it can't have known
        what the plan means by that: only the plan's contract says it.
        """
        if any(case.is_pinned and not _agrees(one) for case, one in zip(cases, judged_calls, strict=True)):
            return False
        is_inner = any(self._spec.name in other.dependencies for other in self._draft.required_plan.functions)
        is_named = re.search(rf"\b{self._spec.name}\b", self._draft.instruction.text) is not None
        return not is_inner or is_named or _is_majority(judged_calls)

    def _arbitrated(
        self, judged: CheckedSuite, cases: Sequence[Case], able: Mapping[int, Sequence[JudgedCall]]
    ) -> CheckedSuite:
        """The suite as arbitration leaves it, and what is open then.

        Where the first few doubts come to nothing, the others are let be.
        """
        doubts = {
            case.name: parts
            for number, case in enumerate(cases)
            if not case.is_pinned
            and (parts := [outcomes[number] for outcomes in able.values() if _parts(outcomes[number])])
        }
        doubtful = sorted((case for case in cases if case.name in doubts), key=lambda case: len(case.expression))
        outcomes = {case.name: outcome_lines(case, judged.expected[case.name], doubts[case.name]) for case in doubtful}
        evidence = {name: _evidence(texts[1:], len(able)) for name, texts in outcomes.items()}
        for number in range(ROUNDS):
            some = doubtful[number * MOST_AT_ONCE : (number + 1) * MOST_AT_ONCE]
            if not some or not self._tools.purse.may_spend("trial", self._spec.name, optional=True):
                break
            judgement = ask_arbiters(
                self._tools,
                self._draft,
                self._draft.context(self._spec),
                some,
                variant="reading",
                ordinal=number + 1,
                doubts=evidence,
                outcomes=outcomes,
            )
            corrections = judgement.corrections_beside(judged.suite)
            if judgement.changed:
                judged = with_changed_cases(self._tools, self._draft, judged, judgement.changed)
            # what is wrong with contracts is shown from here on
            self._corrections = together([self._corrections, corrections])
            self._draft = self._draft.corrected(corrections)
            self._spec = self._draft.required_plan.spec(self._spec.name)
            questions = tuple(_question(case) for case in some if case.name in judgement.open)
            judged = judged._replace(
                revisions=(*judged.revisions, *judgement.revisions), questions=(*judged.questions, *questions)
            )
            if not judgement.revisions:
                break
        return judged


def _question(case: Case) -> Question:
    """What the words leave open is told as a question: the case that said more than they do is gone."""
    return Question(
        question=f"What should `{case.done.text}` give? The instruction does not settle it.",
        assumption="left open: two readings of the instruction differ",
        function=case.function,
        call=case.expression,
    )


def _read(tools: Tools, draft: Draft, sample: int) -> Reading | None:
    """One reading; None, with a note, where there is none to be had."""
    from tdgen.impl.reading import read_again

    try:
        return read_again(
            tools.model,
            draft.instruction.text,
            draft.required_plan,
            draft.types,
            tools.language,
            sample=sample,
        )
    except (BudgetSpent, ModelError, ReplyError) as error:
        tools.emit(Noted(text=f"a second reading of the instruction could not be used: {error}"))
        return None


def _to_compare(draft: Draft) -> list[FunctionSpec]:
    """The functions whose cases were written here: what was handed in or kept is as its owner wants it."""
    return [spec for spec in draft.specs if spec.name not in {*draft.given, *draft.kept}]


def _agrees(call: JudgedCall) -> bool:
    """Whether a reading does what the case expects, but for an exception's message: its words are mostly free."""
    return call.verdict.passed or {difference.where for difference in call.verdict.differences} == {"message"}


def _parts(call: JudgedCall) -> bool:
    """Whether it came to an end, another one than the case expects; what lacks a part of itself comes to none."""
    return call.verdict.status in ("returned", "raised") and not _agrees(call) and not is_unfinished(call.observation)


def _is_majority(judged_calls: Sequence[JudgedCall]) -> bool:
    return 2 * sum(map(_agrees, judged_calls)) >= len(judged_calls)


def _evidence(apart: Sequence[str], readings: int) -> list[str]:
    """What is told of readings that part from a case, beside the outcomes under their letters.

    Of a single reading nothing: told which letter is its own, arbiters took its side, also where it was wrong, and told
    only that one is, they could do nothing with it. What several came to alike is evidence.
    """
    if readings == 1:
        return []
    outcomes = " or ".join(dict.fromkeys(apart))
    return [
        f"{len(apart)} of {readings} independent readings of the whole instruction, written without the contract, come "
        f"to: {outcomes}"
    ]


def _comparison_line(by_function: Mapping[str, _Compared], readings: int) -> str:
    """The comparison in a line."""
    if not readings:
        return "there is no second reading of the instruction: no answer could be used"
    agreed, calls = (sum(getattr(one, what) for one in by_function.values()) for what in ("agreed", "calls"))
    mended = sum(len(one.judged.revisions) for one in by_function.values())
    text = f"second reading: agrees on {agreed} of {calls} calls"
    return f"{text}; the instruction's words changed {mended} case{'s' * (mended != 1)}" if mended else text
