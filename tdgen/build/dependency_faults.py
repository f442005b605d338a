"""Does what a function stands on do as its contract says? Asked where a green dependency may be at fault.

Where a failure has outlasted a repair, the test author says what the calls of green dependencies that the smallest
failing case makes must give, from their contracts alone. A dependency that gives anything else is reported once a
second, independent answer bears that out: the calls become cases of its suite, and it goes back to work. The function
at work waits until that has ended.

The calls are recorded inside the sandbox, by wrappers at the end of the module. What is recorded is the word of
generated code and proves nothing: it only says about which calls it is worth to ask.

To look for a call that is wrong while all that it was given is right is Shapiro's algorithmic debugging (1983), with
the contract in the place of the user who knows.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from tdgen.build.case_checks import query_calls, say_the_same
from tdgen.build.evaluator import Evaluator
from tdgen.build.function_state import DependencyFault, FunctionState
from tdgen.build.group import GroupBuild, Tried
from tdgen.errors import BudgetSpent, ModelError
from tdgen.inputs import not_covered
from tdgen.judge import call_probe
from tdgen.prompts.cases import claim_text
from tdgen.prompts.context import functions_named
from tdgen.protocols import Sandbox
from tdgen.source.syntax import expression_or_none
from tdgen.testgen.queries import Query
from tdgen.types import Call, Case, FunctionResult, FunctionSpec, Job, Limits, Verdict
from tdgen.types.cases import argument_value
from tdgen.values.decode import decode
from tdgen.values.readers import Unreadable

MOST_RECORDED: Final = 40
LONGEST_CALL: Final = 400
"""How many calls of a dependency are recorded, and how long one may be: what a person would read. Not tuned."""
_RECORDED = "_recorded_"
_RECORDER = f"""

{_RECORDED} = []


def _recording_(name, function, _within=[]):
    def recording(*given, **named):
        if not _within and len({_RECORDED}) < {MOST_RECORDED}:
            try:
                told = [repr(value) for value in given] + [key + "=" + repr(value) for key, value in named.items()]
                if sum(map(len, told)) <= {LONGEST_CALL}:
                    {_RECORDED}.append([name, *told])
            except Exception:
                pass
        _within.append(name)
        try:
            return function(*given, **named)
        finally:
            _within.pop()

    return recording


"""


def recorded_calls(
    sandbox: Sandbox, name: str, module: str, case: Case, functions: Sequence[str], limits: Limits
) -> dict[str, tuple[Call, ...]]:
    """The calls that a case makes of each of `functions`, those not made by one of these, in their order, each once.

    `module` is the source of the module called `name`. Left out are calls whose arguments can't be written down. A case
    that never ends tells nothing.
    """
    source = module + _RECORDER + "".join(f"{one} = _recording_({one!r}, {one})\n" for one in functions)
    probe = call_probe(case.name, case.done).model_copy(update={"after": (_RECORDED,)})
    observation = sandbox.run(Job(module=name, source=source, probes=(probe,), limits=limits)).observations[0]
    calls_by_function: dict[str, dict[str, Call]] = {one: {} for one in functions}
    for function, *arguments in _recorded(observation.after):
        if function in calls_by_function and all(map(_is_written_down, arguments)):
            call = Call(function=function, arguments=tuple(arguments), world=case.world)
            calls_by_function[function].setdefault(call.call_key, call)
    return {function: tuple(calls.values()) for function, calls in calls_by_function.items()}


def _recorded(after: Sequence[object]) -> Iterator[list[str]]:
    """What was recorded, as far as it is of the form that it should have."""
    try:
        plain = decode(after[0]) if after else None
    except Unreadable:
        return
    for one in plain if isinstance(plain, list) else []:
        if isinstance(one, list) and one and all(isinstance(text, str) for text in one):
            yield one


def _is_written_down(argument: str) -> bool:
    """Whether an argument's repr is the source of an equal value, as far as reading it can tell."""
    tree = expression_or_none(argument_value(argument))
    return tree is not None and not any(
        (isinstance(node, ast.Name) and node.id in ("nan", "inf"))
        or (isinstance(node, ast.Constant) and node.value is Ellipsis)
        for node in ast.walk(tree)
    )


MOST_FAULT_QUERIES: Final = 2
"""For one function: each is about the calls of one failing case. Not tuned."""
MOST_CALLS: Final = 4
"""Of how many calls a dependency is asked what they must give, as each fault costs a question. Not tuned."""


def may_report_fault(build: GroupBuild, state: FunctionState) -> bool:
    """Whether a function's dependencies are to be looked at: it fails after a repair, and two calls are to spare."""
    return any(attempt.rung == "repair" for attempt in state.history) and _can_report_fault(build, state)


def must_report_fault(build: GroupBuild, state: FunctionState) -> bool:
    """Whether the smallest failing case names a green function itself: either may be wrong, before any repair."""
    if not _can_report_fault(build, state):
        return False
    named = functions_named(state.failing_shown[0], build.plan)
    return any(result.function in named for result in _suspects(build, state))


def _can_report_fault(build: GroupBuild, state: FunctionState) -> bool:
    if build.fault_reports is None or build.is_blocked or not state.failing_shown:
        return False
    if state.fault_queries >= MOST_FAULT_QUERIES or not _suspects(build, state):
        return False
    return build.tools.purse.may_spend("settle", state.name, optional=True, calls=2)


def report_fault(build: GroupBuild, name: str) -> Tried:
    """Ask what the smallest failing case's calls of dependencies must give, and report one that does otherwise."""
    build = build.changed(name, fault_queries=build.states[name].fault_queries + 1)
    state = build.states[name]
    for suspect, calls in _asked(build, state):
        try:
            reported = _FaultQuery(build, state, suspect).reported(calls)
        except (BudgetSpent, ModelError) as error:
            text = f"what it asks of {suspect.function} was not settled: {error}"
            return Tried(build.noted(name, text), changed=False)
        for case, verdict in reported:
            by_contract = f"by its contract {claim_text(case)}, but it {verdict.actual or verdict.status}"
            build = build.noted(name, f"{by_contract}: {suspect.function} goes back to work")
        fault = DependencyFault(name, suspect.function, tuple(case for case, _ in reported))
        if reported and build.fault_reports is not None and build.fault_reports.bring(fault):
            return Tried(replace(build, faults=(*build.faults, fault)), changed=True)
    return Tried(build, changed=False)


def _suspects(build: GroupBuild, state: FunctionState) -> list[FunctionResult]:
    """Green functions that it calls, or that a failing case names, and may fault: none whose suite was handed in.

    No class: only calls of functions are recorded.
    """
    named = frozenset[str]().union(*(functions_named(case, build.plan) for case in state.failing_shown))
    return [
        result
        for result in build.below
        if result.function in named.union(state.spec.dependencies)
        and result.function not in build.draft.given
        and not build.plan.spec(result.function).is_async
        and build.plan.spec(result.function).interface is None
        and build.fault_reports is not None
        and build.fault_reports.admits(state.name, result.function)
    ]


def _asked(build: GroupBuild, state: FunctionState) -> list[tuple[FunctionResult, tuple[Call, ...]]]:
    """The suspects of which the smallest failing case asks what no case of theirs says, and these calls."""
    suspects = {result.function: result for result in _suspects(build, state)}
    module = build.evaluators[state.name].module(state.made.source, build.around(state))
    limits, case = build.tools.settings.limits, state.failing_shown[0]
    recorded = recorded_calls(build.tools.sandbox, build.plan.module, module, case, list(suspects), limits)
    asked_for = []
    for name, calls in recorded.items():
        cases = suspects[name].suite.cases
        if new := not_covered(calls, build.plan.spec(name), cases, build.plan.types):
            asked_for.append((suspects[name], new[:MOST_CALLS]))
    return asked_for


class _FaultQuery:
    """What one green dependency is asked, and what its contract says of that."""

    def __init__(self, build: GroupBuild, state: FunctionState, suspect: FunctionResult) -> None:
        self._build = build
        self._state = state
        self._suspect = suspect
        self._spec: FunctionSpec = build.plan.spec(suspect.function)
        self._evaluator = Evaluator(build.tools, build.draft, self._spec)

    def reported(self, calls: Sequence[Call]) -> list[tuple[Case, Verdict]]:
        """The calls that it fails as cases, each borne out by a second answer; none where it is right.

        BudgetSpent and ModelError pass through.
        """
        said = self._expectations(calls)
        failed = self._failed(said)
        wrong = [case for case in said if case.name in failed]
        if not wrong:
            return []
        again = {case.call_key: case for case in self._expectations([case.done for case in wrong], sample=1)}
        expected, second = (self._evaluator.oracle.expectations(some) for some in (wrong, again.values()))
        failed_again = self._failed(list(again.values()))
        reports = []
        for case in wrong:
            other = again.get(case.call_key)
            if other is None or other.name not in failed_again:
                continue
            if say_the_same(case, expected[case.name], other, second[other.name], self._spec):
                confirmed = case.model_copy(update={"confirmed": (*case.confirmed, "an independent sample")})
                reports.append((confirmed, failed[case.name]))
        return reports

    def _expectations(self, calls: Sequence[Call], sample: int = 0) -> list[Case]:
        """What the contract says of the calls."""
        build, cases = self._build, self._suspect.suite.cases
        asking = Query("caller", "caller", self._state.fault_queries, sample, there=cases)
        context = build.draft.context(self._spec, [case for case in cases if case.is_pinned])
        return query_calls(build.tools, build.draft, context, calls, asking).in_order

    def _failed(self, cases: Sequence[Case]) -> Mapping[str, Verdict]:
        """The cases that the dependency fails as it is, each called by itself."""
        best, evaluator = self._suspect.best, self._evaluator
        if best is None or not cases:
            return {}
        below = self._build.draft.required_dependencies.below(self._spec.name)
        around = {name: source for name, source in self._build.around(self._state).items() if name in below}
        observations = evaluator.watched(evaluator.module(best.source, around), cases).observations
        verdicts = evaluator.oracle.verdicts(self._spec, cases, observations, evaluator.oracle.expectations(cases))
        return {verdict.case: verdict for verdict in verdicts if not verdict.passed}
