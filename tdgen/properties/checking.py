"""Properties tried on an implementation in the sandbox, and what becomes of an input that falsifies one.

A property may itself be wrong, luck, or endless: each of these is told apart from a finding, and none of them is one.

Whether the implementation or the property is wrong, nobody knows of the property as a whole. So the calls that
falsified it become cases, which the test author settles from the contract alone. An implementation that does what they
say is right, and the property was wrong. In the finished module, where all the functions are that properties speak of,
they are run once more: it is too late then to mend a function that breaks one, and it ends undecided.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal, NamedTuple

from tdgen.build.case_checks import query_calls
from tdgen.build.draft import Draft, Tools, revised
from tdgen.build.evaluator import verdicts_on
from tdgen.build.group import GroupBuild, Tried
from tdgen.errors import BudgetSpent, ModelError
from tdgen.events import FunctionEnded, Noted
from tdgen.inputs import not_covered
from tdgen.inputs.literals import Unreadable, read, written
from tdgen.judge import Oracle
from tdgen.properties.author import functions_in
from tdgen.properties.watched import WatchedCall, Watching, read_watched
from tdgen.protocols import Sandbox, suite_files
from tdgen.source.syntax import parse
from tdgen.testgen.queries import Query
from tdgen.types import (
    Call,
    Case,
    FileJob,
    FileReport,
    FunctionResult,
    FunctionSpec,
    Limits,
    Plan,
    Property,
    Revision,
    Suite,
    file_of_properties,
)

SECONDS = 5.0
LIMITS = Limits(wall_s=4 * SECONDS, cpu_s=2 * SECONDS, output_kb=64)
"""Where many processes share a processor, as many seconds of it take several times as long."""
OTHER_SEED = 20_407
MOST_CALLS = 4
"""A seed other than 0, for a second run, and how many calls of a broken property become cases. Any seed would do."""
_STREAMS = frozenset({"Iterator", "Iterable", "Generator"})

Ending = Literal["held", "falsified", "flaky", "endless", "broken"]


class PropertyRun(NamedTuple):
    """What came of one property: how it ended, why, and where it was falsified by which example and calls."""

    ending: Ending
    reason: str = ""
    example: str = ""
    calls: tuple[Call, ...] = ()
    types: tuple[str, ...] = ()


class PropertyRunner:
    """Tries properties of one function in a sandbox, each run for `seconds` of processor time at most."""

    def __init__(self, sandbox: Sandbox, spec: FunctionSpec, plan: Plan, *, seconds: float = SECONDS) -> None:
        self._sandbox, self._spec, self._plan, self._seconds = sandbox, spec, plan, seconds
        # A busy machine must not decide what holds: processor time counts, and other time for what sleeps.
        self._limits = LIMITS.model_copy(update={"cpu_s": seconds})

    def tried(self, prop: Property, module: str) -> PropertyRun:
        """The property tried on a module's source, twice: with the examples of the file as it is saved, then others."""
        first = self.once(prop, module)
        return first if first.ending != "held" else self.once(prop, module, other=True)

    def once(self, prop: Property, module: str, *, other: bool = False) -> PropertyRun:
        """The property tried once; where the smallest example takes too long to find, any will do."""
        watching = Watching(self._spec.name, seed=OTHER_SEED if other else 0)
        for way in (watching, watching._replace(shrink=False)):
            report = self._run(prop, module, way)
            is_cut = report.log.rstrip().endswith("SIGXCPU") or report.resources.wall_s >= self._limits.wall_s
            if report.complete or not is_cut:
                break
        else:
            return PropertyRun("endless", f"it does not end within {self._seconds:g} s")
        if report.passed:
            return PropertyRun("held")
        watched = read_watched(report.log, prop.name)
        if watched is None:
            return PropertyRun("broken", f"its file does not run: {_last_words(report.log)}")
        kinds = {name.rpartition(".")[2] for name in watched.types if name.startswith("hypothesis.")}
        if "Flaky" in kinds:
            return PropertyRun("flaky", "it does not come out the same when the same example is run again")
        if "HypothesisException" in kinds:
            return PropertyRun("broken", f"Hypothesis can't run it: {watched.message}", types=tuple(watched.types))
        example = ", ".join(f"{name}={value or '…'}" for name, value in watched.example.items())
        calls = {call.call_key: call for call in map(self._call, watched.calls) if call is not None}
        return PropertyRun(
            "falsified", watched.message, example, tuple(calls.values())[:MOST_CALLS], tuple(watched.types)
        )

    def _run(self, prop: Property, module: str, watching: Watching) -> FileReport:
        name = file_of_properties(self._spec.name)
        files = {
            **self._plan.module_files(module),
            name: suite_files().render_properties([prop], self._spec, self._plan),
            "conftest.py": watching.conftest(),
        }
        overlay = self._plan.overlay(module)
        return self._sandbox.run_files(FileJob(files=files, tests=(name,), limits=self._limits, overlay=overlay))

    def _call(self, call: WatchedCall) -> Call | None:
        """The call as a case makes it; None where an argument is more than a value that can be spelled out."""
        try:
            arguments = [literal_source(text, self._plan) for text in call.args]
            arguments += [
                f"{name}={literal_source(text, self._plan)}"
                for name, text in call.kwargs.items()
                if name.isidentifier()
            ]
        except (Unreadable, SyntaxError):
            return None
        plain = f"{self._spec.name}({', '.join(arguments)})"
        if self._spec.is_async:
            return Call(function=self._spec.name, call=f"asyncio.run({plain})")
        if self._spec.returns.type.partition("[")[0].rpartition(".")[2] in _STREAMS:
            return Call(function=self._spec.name, call=f"list({plain})")
        return Call(function=self._spec.name, arguments=tuple(arguments))


def literal_source(text: str, plan: Plan) -> str:
    """A value's source written anew; Unreadable or SyntaxError where it would have to be run."""
    body = parse(text).body
    only = body[0] if len(body) == 1 else None
    if not isinstance(only, ast.Expr):
        raise Unreadable(text)
    return written(read(only.value, [one.name for one in plan.types]))


def can_try(sandbox: Sandbox) -> str:
    """Why no property can be tried in a sandbox; nothing where they can."""
    name = "test_hypothesis.py"
    files = {name: "from hypothesis import given\n\n\ndef test_it_is_there():\n    assert given\n"}
    report = sandbox.run_files(FileJob(files=files, tests=(name,)))
    return "" if report.passed else f"hypothesis does not load in the sandbox: {_last_words(report.log)}"


def _last_words(log: str) -> str:
    """The last line of a log that says what went wrong."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    errors = [line.removeprefix("E").strip() for line in lines if line.startswith("E ")]
    return " ".join((errors or lines or ["it says nothing"])[-1].split())[:300]


MOST_SETTLED = 8  # examples that falsify properties, asked about in one question; not tuned

Passes = Callable[[Sequence[Case]], Mapping[str, bool]]
"""Which cases the implementation passes, by name."""


class CheckedProperties(NamedTuple):
    """What came of a function's properties: those that stand, cases that join its suite, what was set aside and why.

    `failed` are those of the cases that the implementation fails, by the property that led to each.
    """

    properties: tuple[Property, ...]
    cases: tuple[Case, ...] = ()
    failed: Mapping[str, Case] = {}
    revisions: tuple[Revision, ...] = ()
    notes: tuple[str, ...] = ()


class _Answers(NamedTuple):
    """What was said of calls, by their call keys, which of the cases pass, and why nothing was said."""

    cases: Mapping[str, Case]
    passed: Mapping[str, bool]
    problem: str = ""


def runner_of(tools: Tools, spec: FunctionSpec, plan: Plan) -> PropertyRunner:
    """A runner of one function's properties, for as long as the policy gives each."""
    return PropertyRunner(tools.sandbox, spec, plan, seconds=tools.policy.property_seconds)


def check_properties(
    tools: Tools,
    draft: Draft,
    suite: Suite,
    tried: Mapping[str, PropertyRun],
    passes: Passes,
    *,
    refused: Collection[str] = (),
) -> CheckedProperties:
    """What becomes of a suite's properties that were tried; those not in `tried` stay as they are.

    The implementation passes all the suite's cases. `refused` are expressions on which a trial has set a case aside.
    """
    spec = draft.required_plan.spec(suite.function)

    def new(one: PropertyRun) -> list[Call]:
        fresh = not_covered(one.calls, spec, suite.cases, draft.required_plan.types)
        return [call for call in fresh if call.expression not in refused]

    falsified = {name: one for name, one in tried.items() if one.ending == "falsified"}
    calls = {call.call_key: call for one in falsified.values() for call in new(one)}
    asked = list(calls.values())[:MOST_SETTLED]
    answers = _answered(tools, draft, suite, asked, passes) if asked else _Answers({}, {})
    standing, revisions, notes = [], [], []
    failed: dict[str, Case] = {}
    for one in suite.properties:
        ended = tried.get(one.name, PropertyRun("held"))
        settled = [answers.cases[c.call_key] for c in ended.calls if c.call_key in answers.cases]
        against = [case for case in settled if not answers.passed.get(case.name)]
        if ended.ending == "held" or against:
            standing.append(one)
            if against:
                failed[one.name] = against[0]
            continue
        reason = _reason(ended, new(ended), settled, answers.problem)
        revision = Revision(
            function=spec.name, case=one.name, action="quarantined", reason=reason, quote=one.why, before=ended.example
        )
        revisions.append(revision)
        is_known = ended.calls and not new(ended)
        if ended.ending == "falsified" and not settled and not is_known:
            notes.append(f"the property {one.name} is taken as open: {reason}")
    return CheckedProperties(tuple(standing), tuple(answers.cases.values()), failed, tuple(revisions), tuple(notes))


def _reason(ended: PropertyRun, new: Sequence[Call], settled: Sequence[Case], problem: str) -> str:
    """Why a property that does not hold is set aside."""
    if ended.ending != "falsified":
        return ended.reason
    if settled:
        text = ", ".join(f"`{case.expression}`" for case in settled)
        return f"it is false: what the contract says of {text} is what the implementation does"
    if new:
        return problem or f"it does not hold for `{new[0].expression}`, of which the contract settles nothing"
    if ended.calls:
        return f"it is false: `{ended.calls[0].expression}` does what its case says, or is not settled by the contract"
    return f"it does not hold for {ended.example or 'an example'}, which can't be told as a call"


def _answered(tools: Tools, draft: Draft, suite: Suite, calls: Sequence[Call], passes: Passes) -> _Answers:
    """What the test author says that the calls must give; nothing where it can't be asked."""
    spec: FunctionSpec = draft.required_plan.spec(suite.function)
    if not tools.purse.may_spend("settle", spec.name, optional=True):
        return _Answers({}, {}, "no call is left to settle it")
    rounds = sum(case.provenance == "property" for case in suite.cases)
    try:
        asking = Query("property", "properties", rounds + 1, there=suite.cases)
        context = draft.context(spec, [case for case in suite.cases if case.is_pinned])
        result = query_calls(tools, draft, context, calls, asking)
    except (BudgetSpent, ModelError) as error:
        return _Answers({}, {}, f"it could not be settled: {error}")
    cases = result.in_order
    return _Answers({case.call_key: case for case in cases}, passes(cases) if cases else {})


MOST_CASES = 12
"""From properties, in one suite: what is falsified again and again is not mended by ever more cases. Not tuned."""


def strengthen_by_properties(build: GroupBuild, name: str) -> Tried:
    """Run a green function's properties on its best attempt: its suite may have grown, so that a repair is due.

    What falsifies a property is settled by the test author, and joins the suite as a case. Where the attempt passes
    it, or nothing is settled, the property is set aside: a wrong one never keeps anything from being green. A property
    over functions that are not there yet waits for the finished module.
    """
    state = build.states[name]
    if state.best is None or not state.green or build.is_blocked or name in build.draft.kept:
        return Tried(build, changed=False)
    around = build.around(state)
    there = {name, *around}
    due = [one for one in state.suite.properties if functions_in(one.source, build.plan) <= there]
    if not due or sum(case.provenance == "property" for case in state.suite.cases) >= MOST_CASES:
        return Tried(build, changed=False)
    evaluator, trier = build.evaluators[state.name], runner_of(build.tools, state.spec, build.plan)
    module = evaluator.module(state.best.source, around)

    def passes(cases: Sequence[Case]) -> Mapping[str, bool]:
        observations = evaluator.watched(module, cases).observations
        verdicts = evaluator.oracle.verdicts(state.spec, cases, observations, evaluator.oracle.expectations(cases))
        return {verdict.case: verdict.passed for verdict in verdicts}

    tried = {one.name: trier.tried(one, module) for one in due}
    # the calls on which a case was set aside by arbiters
    refused = {revision.call for revision in state.revisions if revision.action == "quarantined" and revision.call}
    checked = check_properties(build.tools, build.draft, state.suite, tried, passes, refused=refused)
    suite = state.suite.model_copy(update={"properties": checked.properties})
    build = build.changed(name, suite=suite).revised(name, checked.revisions)
    for note in checked.notes:
        build = build.noted(name, note)
    return build.grown(name, checked.cases)


def check_in_module(tools: Tools, draft: Draft) -> Draft:
    """Try all properties on the finished module: wrong ones fall, and a function that breaks one is undecided."""
    if not all(result.outcome == "green" for result in draft.results.values()):
        return draft
    suites = [result.suite for result in draft.results.values() if result.suite.properties]
    ended = tools.executor.map(partial(_tried, tools, draft), suites)
    checked_by_function = {suite.function: checked for suite, checked in zip(suites, ended, strict=True)}
    results = {
        name: _with(result, checked_by_function[name]) if name in checked_by_function else result
        for name, result in draft.results.items()
    }
    for name, checked in checked_by_function.items():
        if checked.failed:
            tools.emit(FunctionEnded(function=name, outcome="undecided", reason=results[name].reason))
    notes = [f"{name}: {note}" for name, checked in checked_by_function.items() for note in checked.notes]
    for note in notes:
        tools.emit(Noted(text=note))
    draft = replace(draft, results=results, notes=(*draft.notes, *notes))
    return revised(
        draft, tools, [revision for checked in checked_by_function.values() for revision in checked.revisions]
    )


def _with(result: FunctionResult, checked: CheckedProperties) -> FunctionResult:
    """A function's result after its properties were tried on the finished module."""
    suite = result.suite.model_copy(update={"properties": checked.properties})
    if not checked.failed:
        return result.model_copy(update={"suite": suite})
    name, case = next(iter(checked.failed.items()))
    reason = f"it breaks the property {name}: `{case.expression}` does not give what the contract says"
    return result.model_copy(update={"suite": suite, "outcome": "undecided", "reason": reason})


def _tried(tools: Tools, draft: Draft, suite: Suite) -> CheckedProperties:
    """What becomes of one function's properties in the finished module."""
    plan, spec = draft.required_plan, draft.required_plan.spec(suite.function)
    oracle = Oracle.of(tools.oracle, plan, draft.types)

    def passes(cases: Sequence[Case]) -> dict[str, bool]:
        some = Suite(function=spec.name, cases=tuple(cases))
        expected, limits = oracle.expectations(cases), tools.settings.limits
        verdicts = verdicts_on(draft.module_source, some, spec, oracle, expected, tools.sandbox, limits)
        return {verdict.case: verdict.passed for verdict in verdicts}

    trier = runner_of(tools, spec, plan)
    tried = {one.name: trier.tried(one, draft.module_source) for one in suite.properties}
    return check_properties(tools, draft, suite, tried, passes)
