"""A property is falsified: is it the implementation, or the property, that is wrong?

Nobody knows that of the property as a whole. So the calls that falsified it become cases, which the test author settles
from the contract alone. An implementation that does what they say is right, and the property was wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from tdgen.errors import BudgetSpent, ModelError
from tdgen.pipeline.draft import Draft, Tools
from tdgen.pipeline.falsifying import Tried
from tdgen.pipeline.testing import settle_calls
from tdgen.testgen.settling import Asking, Why
from tdgen.types import Call, Case, FunctionSpec, Property, Revision, Suite

MOST_SETTLED = 8

Passes = Callable[[Sequence[Case]], Mapping[str, bool]]
"""Which cases the implementation passes, by name."""


class Upheld(NamedTuple):
    """What came of a function's properties: those that stand, cases that join its suite, what was set aside and why.

    `failed` are those of the cases that the implementation fails, by the property that led to each.
    """

    properties: tuple[Property, ...]
    cases: tuple[Case, ...] = ()
    failed: Mapping[str, Case] = {}
    revisions: tuple[Revision, ...] = ()
    notes: tuple[str, ...] = ()


class _Answers(NamedTuple):
    """What was said of calls, by their situation, which of the cases pass, and why nothing was said."""

    cases: Mapping[str, Case]
    passed: Mapping[str, bool]
    problem: str = ""


def uphold(
    tools: Tools,
    draft: Draft,
    suite: Suite,
    tried: Mapping[str, Tried],
    passes: Passes,
    *,
    refused: Collection[str] = (),
) -> Upheld:
    """What becomes of a suite's properties that were tried; those not in `tried` stay as they are.

    The implementation passes all the suite's cases. `refused` are expressions on which a trial has set a case aside.
    """
    known = {case.situation for case in suite.cases}

    def new(one: Tried) -> list[Call]:
        return [call for call in one.calls if call.situation not in known and call.expression not in refused]

    falsified = {name: one for name, one in tried.items() if one.ending == "falsified"}
    calls = {call.situation: call for one in falsified.values() for call in new(one)}
    asked = list(calls.values())[:MOST_SETTLED]
    answers = _answered(tools, draft, suite, asked, passes) if asked else _Answers({}, {})
    standing, revisions, notes = [], [], []
    failed: dict[str, Case] = {}
    for one in suite.properties:
        ended = tried.get(one.name, Tried("held"))
        settled = [answers.cases[c.situation] for c in ended.calls if c.situation in answers.cases]
        against = [case for case in settled if not answers.passed.get(case.name)]
        if ended.ending == "held" or against:
            standing.append(one)
            if against:
                failed[one.name] = against[0]
            continue
        reason = _reason(ended, new(ended), settled, answers.problem)
        revisions.append(_set_aside(suite.function, one, ended, reason))
        if ended.ending == "falsified" and not settled:
            notes.append(f"the property {one.name} is taken as open: {reason}")
    return Upheld(tuple(standing), tuple(answers.cases.values()), failed, tuple(revisions), tuple(notes))


def _reason(ended: Tried, new: Sequence[Call], settled: Sequence[Case], problem: str) -> str:
    """Why a property that does not hold is set aside."""
    if ended.ending != "falsified":
        return ended.reason
    if settled:
        told = ", ".join(f"`{case.expression}`" for case in settled)
        return f"it is false: what the contract says of {told} is what the implementation does"
    if new:
        return problem or f"it does not hold for `{new[0].expression}`, of which the contract settles nothing"
    if ended.calls:
        return f"it is false: `{ended.calls[0].expression}` does what its case says, or is not settled by the contract"
    return f"it does not hold for {ended.example or 'an example'}, which can't be told as a call"


def _set_aside(function: str, one: Property, ended: Tried, reason: str) -> Revision:
    return Revision(
        function=function, case=one.name, action="quarantined", reason=reason, quote=one.why, before=ended.example
    )


def _answered(tools: Tools, draft: Draft, suite: Suite, calls: Sequence[Call], passes: Passes) -> _Answers:
    """What the test author says that the calls must give; nothing where it can't be asked."""
    spec: FunctionSpec = draft.made_plan.spec(suite.function)
    if not tools.purse.may_spend("settle", spec.name, optional=True):
        return _Answers({}, {}, "no call is left to settle it")
    rounds = sum(case.provenance == "property" for case in suite.cases)
    try:
        asking = Asking("property", attempt=2 * rounds + 1, why=Why.PROPERTIES, there=suite.cases)
        context = draft.context(spec, [case for case in suite.cases if case.is_law])
        settled = settle_calls(tools, draft, context, calls, asking)
    except (BudgetSpent, ModelError) as error:
        return _Answers({}, {}, f"it could not be settled: {error}")
    cases = settled.in_order
    return _Answers({case.situation: case for case in cases}, passes(cases) if cases else {})
