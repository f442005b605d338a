"""Is a suite right? At trust level strict each generated case is worked out a second time before there is any code.

The second answer sees the contract and the calls, and not what the cases expect. A case that it does not bear out goes
on trial.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tdgen.build.arbitration import ask_arbiters, with_changed_cases
from tdgen.build.case_checks import query_calls, say_the_same
from tdgen.build.draft import CheckedSuite, Draft, Tools, revised, together, with_corrections
from tdgen.errors import BudgetSpent, ModelError
from tdgen.events import Noted
from tdgen.judge import Expected, Oracle
from tdgen.testgen.queries import Query
from tdgen.types import Case, FunctionSpec

MOST_AT_ONCE = 16
"""How many cases, the first ones, are worked out again. Not tuned."""
CONFIRMED = "an independent sample"


def confirm_cases(tools: Tools, draft: Draft) -> Draft:
    """At trust level strict: every generated case is borne out by a second working, or arbitrated."""
    if not tools.policy.confirms_cases:
        return draft
    given = {*draft.given, *draft.kept}
    specs = [spec for spec in draft.specs if spec.name not in given]
    done = zip(specs, tools.executor.map(lambda spec: _confirmed(tools, draft, spec), specs), strict=True)
    confirmed_by_function = {spec.name: confirmed for spec, confirmed in done}
    confirmed_suites = confirmed_by_function.values()
    draft = revised(draft, tools, [revision for confirmed in confirmed_suites for revision in confirmed.revisions])
    corrections = together(confirmed.corrections for confirmed in confirmed_suites)
    return with_corrections(tools, draft, corrections).with_suites(confirmed_by_function)


def _confirmed(tools: Tools, draft: Draft, spec: FunctionSpec) -> CheckedSuite:
    before = draft.checked_suite(spec.name)
    cases = [case for case in before.suite.cases if not case.is_pinned][:MOST_AT_ONCE]
    if not cases or not tools.purse.may_spend("settle", spec.name, optional=True, calls=2):
        return before
    try:
        agreed = _agreed(tools, draft, spec, cases, before.expected)
        if agreed is None:
            return before
        doubtful = [case for case in cases if case.name not in agreed]
        context = draft.context(spec)
        judgement = ask_arbiters(tools, draft, context, doubtful, variant="confirm") if doubtful else None
    except (BudgetSpent, ModelError) as error:
        tools.emit(Noted(text=f"{spec.name}: its cases were not worked out a second time: {error}"))
        return before
    changed: dict[str, Case | None] = {
        case.name: case.model_copy(update={"confirmed": (*case.confirmed, CONFIRMED)})
        for case in cases
        if case.name in agreed
    }
    changed |= judgement.changed if judgement else {}
    now = with_changed_cases(tools, draft, before, changed)
    if judgement is None:
        return now
    return now._replace(revisions=judgement.revisions, corrections=judgement.corrections_beside(before.suite))


def _agreed(
    tools: Tools, draft: Draft, spec: FunctionSpec, cases: Sequence[Case], expected: Mapping[str, Expected]
) -> set[str] | None:
    """The names of the cases that a second working bears out; None where nothing usable was said at all."""
    calls = [case.done for case in cases]
    result = query_calls(tools, draft, draft.context(spec), calls, Query("model", "confirm"))
    if not result.cases and not result.open:
        return None
    second = Oracle.of(tools.oracle, draft.required_plan, draft.types).expectations(result.cases.values())
    names = set()
    for place, other in result.cases.items():
        case = cases[place]
        if say_the_same(case, expected[case.name], other, second[other.name], spec):
            names.add(case.name)
    return names
