"""Tests first: cases from contracts alone, the proof that each of them can fail, and which of them no prompt shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from tdgen.build.case_checks import CaseChecks
from tdgen.build.draft import Draft, Tools, revised
from tdgen.build.module_checks import Gate
from tdgen.errors import BudgetSpent, InputError, ReplyError
from tdgen.events import Noted, RedSeen, SuiteWritten
from tdgen.judge import Expected
from tdgen.prompts.cases import claim_text
from tdgen.protocols import property_tests
from tdgen.testgen.author import Written, more_cases, write_cases
from tdgen.testgen.class_problems import unused_methods, without_methods
from tdgen.testgen.pinned import named_apart, read_cases
from tdgen.types import Case, Example, FileReport, FunctionSpec, Revision, Suite, digest


def write_tests(tools: Tools, draft: Draft) -> Draft:
    """Cases for every function at once; a kept or handed-in suite is taken as it is.

    InputError where one of the user's own tests can't be tried: what is pinned must not be set aside.
    """
    draft = _with_runnable_gates(tools, draft)
    given = {name: _with_tests(suite, draft) for name, suite in draft.given.items()}
    for spec in draft.specs:
        pinned = given[spec.name].cases if spec.name in given else draft.pinned[spec.name]
        own = [case for case in pinned if case.provenance == "user"]
        for name, problem in CaseChecks(tools, draft, spec)(own).items():
            raise InputError(f"your own test {name!r} of {spec.name} can't be tried: {problem}")
    given |= {name: result.suite for name, result in draft.kept.items()}
    asked = [spec for spec in draft.specs if spec.name not in given]
    written = dict(
        zip((s.name for s in asked), tools.executor.map(lambda s: _write(tools, draft, s), asked), strict=True)
    )
    stopped = next((limit for _, _, limit in written.values() if limit), draft.stopped)
    suites, expected, revisions = {}, {}, []
    for spec in draft.specs:
        suite = given.get(spec.name)
        if suite is None:
            authored, expected[spec.name], _ = written[spec.name]
            cases = (*draft.pinned[spec.name], *authored.cases)
            properties = authored.promised.properties
            suite = Suite(function=spec.name, cases=cases, properties=properties, without_case=authored.without_case)
            set_aside = {**authored.set_aside, **authored.promised.set_aside}
            revisions += [
                Revision(function=spec.name, case=name, action="quarantined", reason=reason)
                for name, reason in set_aside.items()
            ]
        suites[spec.name] = suite
        tools.emit(SuiteWritten(suite=suite))
    notes = [_reading(example) for example in draft.required_plan.read_examples if example.function in written]
    for note in notes:
        tools.emit(Noted(text=note))
    now = replace(draft, suites=suites, expected=expected, stopped=stopped, notes=(*draft.notes, *notes))
    return revised(now, tools, revisions)


def add_properties(tools: Tools, draft: Draft) -> Draft:
    """Properties of functions whose contracts have any, where the trust level asks for them or a suite has some."""
    if not tools.policy.properties and not any(suite.properties for suite in draft.suites.values()):
        return draft
    added: Draft = property_tests().add_properties(tools, draft)
    return added


def see_red(tools: Tools, draft: Draft) -> Draft:
    """Run every case on a stub, all functions at once: it must fail because nothing is written yet.

    A case that fails for another reason, or not at all, is set aside: it would test nothing. What failed while its
    author wrote it is not run again. Then a third of the generated cases is held out.
    """
    reds = tools.executor.map(lambda spec: _red(tools, draft, spec), draft.specs)
    suites, expected, revisions, notes = {}, {}, [], list[str]()
    for spec, (values, faults) in zip(draft.specs, reds, strict=True):
        suite = draft.suites[spec.name]
        cases = tuple(case for case in suite.cases if case.name not in faults)
        tools.emit(RedSeen(function=spec.name, red=len(cases), cases=len(suite.cases)))
        if unused := unused_methods(spec, cases):
            notes.append(f"{spec.name}: no case uses {', '.join(unused)}")
            tools.emit(Noted(text=notes[-1]))
        if not cases:
            tools.emit(Noted(text=f"{spec.name}: no case is left that can fail, so nothing can be said of it"))
        claims = {case.name: claim_text(case) for case in suite.cases}
        revisions += [
            Revision(function=spec.name, case=name, action="quarantined", reason=f"{claims[name]}: {reason}")
            for name, reason in faults.items()
        ]
        suites[spec.name] = suite.model_copy(update={"cases": cases, "held_out": suite.held_out or hold_out(cases)})
        expected[spec.name] = values
    return revised(replace(draft, suites=suites, expected=expected, notes=(*draft.notes, *notes)), tools, revisions)


def _red(tools: Tools, draft: Draft, spec: FunctionSpec) -> tuple[dict[str, Expected], Mapping[str, str]]:
    """What a function's cases expect, and what is wrong with those that do not fail as they should."""
    known = draft.expected.get(spec.name, {})
    cases = [case for case in draft.suites[spec.name].cases if case.name not in known]
    evaluate = CaseChecks(tools, draft, spec)
    faults = evaluate(cases)
    return {**known, **evaluate.values}, faults


def _write(tools: Tools, draft: Draft, spec: FunctionSpec) -> tuple[Written, dict[str, Expected], str]:
    """The function's cases; none where they can't be had: the others' work is not lost with it.

    With them what those expect that were seen to fail where nothing is written, and which limit was in the way.
    """
    evaluate = CaseChecks(tools, draft, spec)
    try:
        written = _asked_for(tools, draft, spec, evaluate)
        read = read_cases(draft.required_plan, spec.name, [*draft.pinned[spec.name], *written.cases])
        faults = evaluate(read)
        cases = (*written.cases, *(case for case in read if case.name not in faults))
        expected = {case.name: value for case, value in evaluate.sound if case in cases}
        return written._replace(cases=cases), expected, ""
    except ReplyError as error:
        tools.emit(Noted(text=str(error)))
        return Written((), {}), {}, ""
    except BudgetSpent as error:
        tools.emit(Noted(text=f"{spec.name} has no cases: {error}"))
        return Written((), {}), {}, str(error)


def _asked_for(tools: Tools, draft: Draft, spec: FunctionSpec, evaluate: CaseChecks) -> Written:
    """What the author writes; of a class that was verified before but for some methods what shows these alone.

    Cases of the earlier suite stay that use none of these methods.
    """
    context, changed = draft.context(spec), draft.changed.get(spec.name)
    own = [case for case in changed.before.suite.cases if not case.is_pinned] if changed else []
    untouched = without_methods(own, changed.methods) if changed else []
    problems = evaluate(untouched)
    left = [case for case in untouched if case.name not in problems]
    if not (changed and left):
        beside = tools.policy.properties_with_cases
        return write_cases(tools.model, context, evaluate=evaluate, properties=beside)
    methods = ", ".join(changed.methods)
    weakness = f"does not do what the contract now says of {methods}, which has changed since they were written"
    there = [*context.pinned, *left]
    written = more_cases(tools.model, context, cases=there, weaknesses=[weakness], evaluate=evaluate)
    return written._replace(cases=(*left, *written.cases))


def _reading(example: Example) -> str:
    """What is said of an example of the user's that is not pinned."""
    return (
        f"{example.function}: “{' '.join(example.quote.split())}” is not pinned, as it does not spell the example out: "
        f"it is tested as `{example.call}`, {example.expect} `{example.value}`"
    )


def _with_tests(suite: Suite, draft: Draft) -> Suite:
    """A suite that was handed in, with those of the user's own tests that it lacks."""
    there = {case.call_key for case in suite.cases}
    pinned = draft.pinned.get(suite.function, ())
    tests = [case for case in pinned if case.provenance == "user" and case.call_key not in there]
    return suite.model_copy(update={"cases": (*named_apart(tests, suite.cases), *suite.cases)})


def _with_runnable_gates(tools: Tools, draft: Draft) -> Draft:
    """The draft with the gates as they can be held: see `UserTestGate.on_stubs` and `ProjectTestGate.on_stubs`."""
    if draft.only:
        return draft
    plan = draft.required_plan
    module, several = tools.language.unwritten(plan, draft.types), len(draft.gates) > 1

    def run(gate: Gate, source: str) -> FileReport:
        return tools.sandbox.run_files(gate.job(plan, source))

    gates = [gate.on_stubs(partial(run, gate), module, draft.types, of_several=several) for gate in draft.gates]
    return replace(draft, gates=tuple(gates))


def hold_out(cases: Sequence[Case]) -> frozenset[str]:
    """The names of the held-out cases: a third of the generated ones, at least one of three, and never a pinned one.

    The only case of its kind (the only error, say) stays visible as long as there are others to choose from. A case
    that does what another does is never held out: the other would show it.
    """
    generated = [case for case in cases if not case.is_pinned]
    if len(generated) < 3:
        return frozenset()
    kinds = Counter(case.kind for case in generated)
    deeds = Counter(case.call_key for case in cases)
    alone = [case for case in generated if deeds[case.call_key] == 1]
    ranked = sorted(alone, key=lambda case: (kinds[case.kind] == 1, digest([case.name, case.call_key])))
    return frozenset(case.name for case in ranked[: max(1, len(generated) // 3)])
