"""What running tells of cases before there is an implementation: can they be evaluated, written down, seen to fail?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tdgen.build.draft import Draft, Tools
from tdgen.build.user_tests import STUB, stub_source
from tdgen.impl import with_entry
from tdgen.inputs import not_covered
from tdgen.judge import Expected, Oracle, candidate_probe
from tdgen.prompts.context import PromptContext, functions_named
from tdgen.testgen.problems import unobservable
from tdgen.testgen.queries import Query, Settled, settle
from tdgen.testgen.rendering import render_suite
from tdgen.types import Call, Case, FunctionSpec, Job, Plan, Suite


class CaseChecks:
    """What running tells of a function's cases before there is an implementation: faults, by the case's name.

    `values` are what the cases of the last question expect.
    """

    def __init__(self, tools: Tools, draft: Draft, spec: FunctionSpec) -> None:
        self._tools, self._draft, self._spec = tools, draft, spec
        self._sound: list[tuple[Case, Expected]] = []
        self.values: dict[str, Expected] = {}

    def __call__(self, cases: Sequence[Case]) -> Mapping[str, str]:
        """The faults of these cases."""
        if not cases:
            return {}
        tools, draft = self._tools, self._draft
        self.values = Oracle(
            tools.oracle, draft.made_plan.module, draft.types, public=draft.made_plan.public_state
        ).expectations(cases)
        found = _faults(tools, draft, self._spec, cases, self.values)
        self._sound += [(case, self.values[case.name]) for case in cases if case.name not in found]
        return found

    def seen_red(self, cases: Sequence[Case]) -> dict[str, Expected]:
        """What those of `cases` expect that were found to be sound just as they are."""
        return {case.name: value for case, value in self._sound if case in cases}


def settle_calls(tools: Tools, draft: Draft, context: PromptContext, calls: Sequence[Call], asking: Query) -> Settled:
    """What the test author says that calls of a planned function must give; see `tdgen.testgen.queries.settle`.

    A call that a case makes already is not put to the author again.
    """
    new = not_covered(calls, context.spec, asking.there, context.plan.types)
    places = [place for place, call in enumerate(calls) if call in new]
    covered = frozenset(range(len(calls))) - {*places}
    if not places:
        return Settled({}, covered=covered)
    evaluate = CaseChecks(tools, draft, context.spec)
    settled = settle(tools.model, context, [calls[place] for place in places], evaluate=evaluate, asking=asking)
    return settled.at(places)._replace(covered=covered)


def not_red(tools: Tools, draft: Draft, cases: Sequence[Case]) -> dict[str, str]:
    """Which of the cases do not fail as they should where nothing is written, and what they do instead."""
    made = draft.made_plan
    if not cases:
        return {}
    job = Job(
        module=made.module,
        source=stubs(made, draft.types),
        probes=tuple(candidate_probe(case) for case in cases),
        limits=tools.settings.limits,
    )
    found = {}
    for case, observation in zip(cases, tools.sandbox.run(job).observations, strict=True):
        unit = made.spec(case.function).unit
        raised = observation.raised.type if observation.raised else ""
        if observation.status == "returned":
            found[observation.name] = (
                f"it ends well where nothing is written: it never calls the {unit}, or catches whatever that raises "
                "(`except BaseException`)"
            )
        elif raised not in (f"{made.module}.{STUB}", f"__main__.{STUB}"):
            told = observation.raised.message if observation.raised else observation.detail
            found[observation.name] = (
                f"it fails before the {unit} is called: {raised or observation.status} {told}".strip()
            )
    return found


def stubs(made: Plan, types: str) -> str:
    """A module in which every function and class of the plan raises a BaseException that no case can expect."""
    names = [spec.name for spec in made.functions]
    return with_entry(f"{types}\n\n{stub_source(made.functions)}", made.script_call(names))


def _faults(
    tools: Tools, draft: Draft, spec: FunctionSpec, cases: Sequence[Case], values: Mapping[str, Expected]
) -> dict[str, str]:
    """Cases whose expectation can't be evaluated, that can't be written down, or that do not fail on a stub."""
    found = {case.name: problem for case in cases if (problem := next(unobservable(case, spec), ""))}
    found |= {name: value.problem for name, value in values.items() if value.problem}
    found |= _unattended([case for case in cases if case.name not in found], spec, draft)
    found |= _unwritable([case for case in cases if case.name not in found], spec, draft.made_plan)
    return found | not_red(tools, draft, [case for case in cases if case.name not in found])


def _unattended(cases: Sequence[Case], spec: FunctionSpec, draft: Draft) -> dict[str, str]:
    """Cases that name a planned function which is not there when theirs is judged; nothing before the order is known.

    Those of the user's are never among them: they belong to the last of the functions that they name.
    """
    if draft.dependencies is None:
        return {}
    there = {spec.name, *draft.dependencies.below(spec.name)}
    absent = {case.name: functions_named(case, draft.made_plan) - there for case in cases}
    return {
        name: f"it names {min(others)}, which {spec.name} neither calls nor is judged with: write it without"
        for name, others in absent.items()
        if others
    }


def _unwritable(cases: Sequence[Case], spec: FunctionSpec, made: Plan) -> dict[str, str]:
    """Cases that can't stand in a pytest file: they name what nobody knows, or would change the test around them."""
    found: dict[str, str] = {}
    try:
        render_suite(Suite(function=spec.name, cases=tuple(cases)), spec, made)
    except ValueError as error:
        for case in cases if len(cases) > 1 else ():
            found |= _unwritable([case], spec, made)
        if len(cases) == 1:
            found[cases[0].name] = f"it can't stand in a test file: {error}"
    return found
