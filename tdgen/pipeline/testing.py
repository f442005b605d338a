"""Tests first: cases from contracts alone, and the proof that each of them can fail."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tdgen.events import Noted, RedSeen, SuiteWritten
from tdgen.judge import Expected, Oracle, candidate_probe
from tdgen.pipeline.draft import Draft, Tools, revised
from tdgen.testgen.author import Written, write_cases
from tdgen.testgen.holdout import hold_out
from tdgen.types import Case, FunctionSpec, Job, Plan, Revision, Suite

UNWRITTEN = "_Unwritten"


def write_tests(tools: Tools, draft: Draft) -> Draft:
    """Cases for every function at once; a kept or handed-in suite is taken as it is."""
    made = draft.made_plan
    given = {suite.function: suite for suite in draft.instruction.suites}
    given |= {name: result.suite for name, result in draft.kept.items()}
    asked = [spec for spec in made.functions if spec.name not in given]
    written = dict(
        zip((s.name for s in asked), tools.executor.map(lambda s: _write(tools, draft, s), asked), strict=True)
    )
    suites, revisions = {}, []
    for spec in made.functions:
        suite = given.get(spec.name)
        if suite is None:
            found = written[spec.name]
            suite = Suite(function=spec.name, cases=(*draft.law[spec.name], *found.cases))
            revisions += [_set_aside(spec.name, name, reason) for name, reason in found.set_aside.items()]
        suites[spec.name] = suite
        tools.emit(SuiteWritten(suite=suite))
    return revised(draft.having(suites=suites), tools, revisions)


def see_red(tools: Tools, draft: Draft) -> Draft:
    """Run every case on a stub: it must fail because nothing is written yet, and for no other reason.

    A case that does not is set aside: it would test nothing. Then a third of the generated cases is held out.
    """
    made = draft.made_plan
    oracle = Oracle(tools.oracle, made.module, draft.types)
    suites, expected, revisions = {}, {}, []
    for spec in made.functions:
        suite = draft.suites[spec.name]
        values = oracle.expectations(suite.cases)
        faults = _faults(tools, draft, suite.cases, values)
        cases = tuple(case for case in suite.cases if case.name not in faults)
        tools.emit(RedSeen(function=spec.name, red=len(cases), cases=len(suite.cases)))
        if not cases:
            tools.emit(Noted(text=f"{spec.name}: no case is left that can fail, so nothing can be said of it"))
        revisions += [_set_aside(spec.name, name, reason) for name, reason in faults.items()]
        suites[spec.name] = suite.model_copy(update={"cases": cases, "held_out": suite.held_out or hold_out(cases)})
        expected[spec.name] = values
    return revised(draft.having(suites=suites, expected=expected), tools, revisions)


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
    for observation in tools.sandbox.run(job).observations:
        raised = observation.raised.type if observation.raised else ""
        if observation.status == "returned":
            found[observation.name] = "it never calls the function: it ends well where nothing is written"
        elif raised != f"{made.module}.{UNWRITTEN}":
            told = observation.raised.message if observation.raised else observation.detail
            found[observation.name] = (
                f"it fails before the function is called: {raised or observation.status} {told}".strip()
            )
    return found


def stubs(made: Plan, types: str) -> str:
    """A module in which every function of the plan raises a BaseException that no case can expect."""
    raising = [f"def {spec.name}(*args, **kwargs):\n    raise {UNWRITTEN}()\n" for spec in made.functions]
    return "\n\n".join([types, f"class {UNWRITTEN}(BaseException):\n    pass\n", *raising])


def _write(tools: Tools, draft: Draft, spec: FunctionSpec) -> Written:
    made = draft.made_plan
    oracle = Oracle(tools.oracle, made.module, draft.types)
    return write_cases(
        tools.model,
        spec,
        made,
        types=draft.types,
        law=draft.law[spec.name],
        evaluate=_evaluation(tools, draft, oracle),
    )


def _evaluation(tools: Tools, draft: Draft, oracle: Oracle) -> Callable[[Sequence[Case]], Mapping[str, str]]:
    def evaluate(cases: Sequence[Case]) -> dict[str, str]:
        return _faults(tools, draft, cases, oracle.expectations(cases))

    return evaluate


def _faults(tools: Tools, draft: Draft, cases: Sequence[Case], values: Mapping[str, Expected]) -> dict[str, str]:
    """Cases whose expectation can't be evaluated, and cases that do not fail where nothing is written."""
    found = {name: value.problem for name, value in values.items() if value.problem}
    return found | not_red(tools, draft, [case for case in cases if case.name not in found])


def _set_aside(function: str, case: str, reason: str) -> Revision:
    return Revision(function=function, case=case, action="quarantined", reason=reason)
