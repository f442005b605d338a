"""Is a suite worth anything? It should let no trivial body pass, and show each passage that binds its function.

A trivial body does nothing, always gives the same, or knows the shown cases by heart.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tdgen.build import verdicts_on
from tdgen.build.case_checks import CaseChecks
from tdgen.build.draft import CheckedSuite, Draft, Tools
from tdgen.build.versions import VersionRunner
from tdgen.errors import BudgetSpent, ReplyError
from tdgen.events import Noted, SuiteWritten
from tdgen.judge import Expected, Oracle
from tdgen.pipeline.testing import hold_out
from tdgen.source.fragment import assemble, trusted_fragment
from tdgen.source.syntax import is_literal
from tdgen.source.trees import import_lines
from tdgen.testgen.author import more_cases
from tdgen.types import (
    Case,
    ClassInterface,
    Exits,
    ExpectedException,
    FunctionSpec,
    Suite,
    Value,
    World,
    parameter_list,
)

_HEADING = re.compile(
    r"#{1,6} .*|(?:[\w`*]+\s+){0,2}[\w`*]+::?\**|"
    r"(?:```\w*\n)?(?:@.*\n)*(?:async )?def [^\"'#]*:\s*(?:\.\.\.|pass)(?:\n```)?"
)
"""A passage that only names what comes below it, such as `# Rules` or `Examples:`, or a signature without a body."""


def check_adequacy(tools: Tools, draft: Draft) -> Draft:
    """Above trust level quick: no trivial body passes a whole suite, and each passage has a case, or it is said.

    Return None, a constant, an argument, a table of the shown cases: where one passes, or no case shows a passage of
    the instruction that binds the function, the author is asked once for more cases; none is ever dropped. Suites that
    were handed in or kept are as their owner wants them.
    """
    if not tools.policy.checks_adequacy:
        return draft
    settled = {*draft.given, *draft.kept}
    specs = [spec for spec in draft.specs if spec.name not in settled and draft.suites[spec.name].cases]
    by_name = dict(
        zip((s.name for s in specs), tools.executor.map(lambda s: _checked(tools, draft, s), specs), strict=True)
    )
    for note in (note for checked in by_name.values() for note in checked.notes):
        tools.emit(Noted(text=note))
    return draft.with_suites(by_name)


def _checked(tools: Tools, draft: Draft, spec: FunctionSpec) -> CheckedSuite:
    as_it_was = draft.checked_suite(spec.name)
    elsewhere = [case for name, suite in draft.suites.items() if name != spec.name for case in suite.cases]
    unshown = _unshown(as_it_was.suite, spec, elsewhere)
    weak = [*_passing(tools, draft, spec, as_it_was), *(f"disregards “{line.rstrip('.')}”" for line in unshown)]
    if not weak:
        return as_it_was
    may_ask = tools.purse.may_spend("cases", spec.name, optional=True)
    stronger = _strengthened(tools, draft, spec, as_it_was, weak) if may_ask else as_it_was
    notes = [
        f"{spec.name}: an implementation that {behaviour} passes all cases, and its author has no case against it"
        for behaviour in _passing(tools, draft, spec, stronger)[:1]
    ]
    notes += [f"{spec.name}: no case shows “{line}”" for line in _unshown(stronger.suite, spec, elsewhere)]
    return stronger._replace(notes=tuple(notes))


def _unshown(suite: Suite, spec: FunctionSpec, elsewhere: Sequence[Case]) -> list[str]:
    """The passages, a line each, that bind the function and that no case shows, though one could; a heading needs none.

    Nor does an example of another function, one of the cases that are `elsewhere`, which does not name this one.
    """
    return [
        " ".join(passage.split())
        for passage in spec.passages
        if suite.showing(passage) == []
        and not _HEADING.fullmatch(passage)
        and (spec.name in passage or not any(case.spells_out(passage) for case in elsewhere))
    ]


def _strengthened(tools: Tools, draft: Draft, spec: FunctionSpec, was: CheckedSuite, weak: list[str]) -> CheckedSuite:
    """The suite with the cases that its author adds; as it was where no usable answer comes."""
    try:
        written = more_cases(
            tools.model,
            draft.context(spec),
            cases=was.suite.cases,
            weaknesses=weak,
            evaluate=CaseChecks(tools, draft, spec),
        )
    except (ReplyError, BudgetSpent) as error:
        tools.emit(Noted(text=str(error)))
        return was
    cases = (*was.suite.cases, *written.cases)
    without_case = (*was.suite.without_case, *written.without_case)
    suite = was.suite.model_copy(update={"cases": cases, "held_out": hold_out(cases), "without_case": without_case})
    tools.emit(SuiteWritten(suite=suite))
    oracle = Oracle.of(tools.oracle, draft.required_plan, draft.types)
    return CheckedSuite(suite, was.expected | dict(oracle.expectations(written.cases)))


def _passing(tools: Tools, draft: Draft, spec: FunctionSpec, checked: CheckedSuite) -> list[str]:
    """What the trivial bodies do that pass every case of the suite.

    They spell expected values out, so they run where those are evaluated, and no candidate ever does.
    """
    plan, suite = draft.required_plan, checked.suite
    oracle = Oracle.of(tools.oracle, plan, draft.types)
    bodies = trivial_bodies(spec, suite.cases, suite.visible)

    def module(body: Trivial) -> str:
        if plan.target:
            return tools.language.module(plan, {spec.name: body.source}, draft.types)
        return assemble(draft.types, [trusted_fragment(body.source)], entry=plan.script_call({spec.name}))

    runner = VersionRunner(tools.oracle, oracle, spec, module(bodies[0]), tools.settings.limits).within(0)
    behaviours = []
    for body in _left(runner, bodies, suite, checked.expected):
        verdicts = verdicts_on(module(body), suite, spec, oracle, checked.expected, tools.oracle, tools.settings.limits)
        if all(verdict.passed for verdict in verdicts):
            behaviours.append(body.description)
    return behaviours


def _left(
    runner: VersionRunner, bodies: Sequence[Trivial], suite: Suite, expected: Mapping[str, Expected]
) -> Sequence[Trivial]:
    """The bodies that no case tells from a right one where all of them share a process; a module apiece costs far more.

    The held-out cases come first: the table of the shown ones knows none of them. A case that runs the module as a
    script sees the module's own body, so it tells nothing here.
    """
    for case in sorted(suite.cases, key=lambda case: case.name not in suite.held_out):
        if bodies and case.world.script is None:
            passes = runner.passing([body.source for body in bodies], case, expected[case.name])
            bodies = [body for body, passed in zip(bodies, passes, strict=True) if passed is not False]
    return bodies


MOST_CONSTANTS = 12  # bodies that return one, of all that the cases expect: each is a run; not tuned


class Trivial(NamedTuple):
    """A trivial implementation: its source, and what it does, told to a person."""

    description: str
    source: str


def trivial_bodies(spec: FunctionSpec, cases: Sequence[Case], shown: Sequence[Case]) -> tuple[Trivial, ...]:
    """Return None, each constant or exception that the cases expect, each argument, and a table of the shown cases."""
    if spec.interface:
        return tuple(_trivial_classes(spec, cases))
    raised = dict.fromkeys(c.expectation.type for c in cases if isinstance(c.expectation, ExpectedException))
    any_parameters, parameters = "*args, **kwargs", parameter_list(spec.parameters, typed=False)
    names = [parameter.name.lstrip("*") for parameter in spec.parameters]
    bodies = [
        *((f"always returns {source}", any_parameters, f"return {source}") for source in _constants(cases)),
        *((f"always raises {name}", any_parameters, f"raise {name}") for name in raised),
        *((f"returns its argument {name}", parameters, f"return {name}") for name in names),
    ]
    define = f"{'async ' if spec.is_async else ''}def {spec.name}"
    trivials = [Trivial(what, _with_imports(f"{define}({taken}):\n    {body}\n")) for what, taken, body in bodies]
    answered = [case for case in shown if isinstance(case.expectation, Value | ExpectedException)]
    # of these their arguments alone say what to give back
    known = [c for c in answered if not (c.call or c.setup or c.after) and c.world == World()]
    if known:
        trivials.append(Trivial(f"looks {len(known)} of the shown cases up in a table", _table(spec, known)))
    return tuple(trivials)


def _trivial_classes(spec: FunctionSpec, cases: Sequence[Case]) -> Iterator[Trivial]:
    """A class whose methods do nothing, or all give one constant of the cases; one that can't be made."""
    interface = spec.interface or ClassInterface()
    raised = dict.fromkeys(c.expectation.type for c in cases if isinstance(c.expectation, ExpectedException))
    bodies = [(f"gives {source} whatever is done", f"return {source}") for source in _constants(cases)]
    bodies += [(f"always raises {name}", f"raise {name}") for name in raised]
    for text, body in bodies:
        lines = [f"class {spec.name}:"]
        if body.startswith("return"):
            lines += ["    def __init__(self, *args, **kwargs):", "        pass"]
            lines += [f"    {a.name} = {body.removeprefix('return ')}" for a in interface.attributes]
        for method in interface.methods:
            if method.kind != "setter" and (method.name != "__init__" or body.startswith("raise")):
                decorator = [f"    {line}" for line in method.above if method.kind != "abstract"]
                kind = "async def" if isinstance(method.node, ast.AsyncFunctionDef) else "def"
                given = "self" if method.kind == "property" else "*args, **kwargs"
                lines += [*decorator, f"    {kind} {method.name}({given}):", f"        {body}"]
        yield Trivial(text, _with_imports("\n".join(lines) + "\n"))


def _constants(cases: Iterable[Case]) -> list[str]:
    sources = [c.expectation.source.strip() for c in cases if isinstance(c.expectation, Value)]
    codes = [str(c.expectation.code) for c in cases if isinstance(c.expectation, Exits)]
    return list(dict.fromkeys(["None", *filter(is_literal, sources), *codes]))[:MOST_CONSTANTS]


def _table(spec: FunctionSpec, cases: Sequence[Case]) -> str:
    """A body that looks its arguments up among those of the cases: arrays, of which `==` tells nothing, by repr."""
    rows = []
    for case in cases:
        asked = case.expectation
        gives = f"_raise({asked.type})" if isinstance(asked, ExpectedException) else "None"
        gives = asked.source.strip() if isinstance(asked, Value) else gives
        rows.append(f"        (_key({', '.join(case.arguments)}), lambda: {gives}),")
    lines = [
        "def _key(*args, **kwargs):",
        "    return args, kwargs",
        "def _is(known, given):",
        "    try:",
        "        return bool(known == given)",
        "    except Exception:",
        "        return repr(known) == repr(given)",
        "def _raise(error):",
        "    raise error",
        f"{'async ' if spec.is_async else ''}def {spec.name}(*args, **kwargs):",
        "    for known, give in [",
        *rows,
        "    ]:",
        "        if _is(known, (args, kwargs)):",
        "            return give()",
    ]
    return _with_imports("\n".join(lines) + "\n")


def _with_imports(source: str) -> str:
    return "\n".join([*import_lines([source]), source])
