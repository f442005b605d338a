"""Checks of whole modules: the rendered test files, the script as a program, the user's own test files.

A module is imported with its warnings as errors. Where it has an entry it is also run as a script: the lines that call
the entry are tdgen's own. What the entry's cases say of a call they say of the script too, so each is run both
ways.

The user's own test files are run as they are, as far as what they need is there. In place of what is not written yet
stand stubs, so that a file can be imported that names all of it. A test that comes upon a stub says nothing about what
is there. Only a green can be taken away here, never given.
"""

from __future__ import annotations

import ast
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tdgen.errors import InputError
from tdgen.judge.compare import exception
from tdgen.protocols import Sandbox, suite_files
from tdgen.solution.package import USER_TESTS, is_users
from tdgen.source.syntax import expression_or_none, literal_or
from tdgen.specs.declarations import STUB, stub_head, stub_of
from tdgen.types import (
    Case,
    Exits,
    FileJob,
    FileReport,
    FunctionSpec,
    Job,
    Limits,
    Observation,
    Plan,
    Probe,
    Suite,
    Value,
    file_of_tests,
)

IN_ORDER = FileJob(files={}, tests=())


@dataclass(frozen=True)
class RenderedFile:
    """One function's suite as the file that the user gets; `isolated` where the function was seen to write files."""

    suite: Suite
    spec: FunctionSpec
    plan: Plan
    isolated: bool = field(kw_only=True)

    def run(self, sandbox: Sandbox, module: str, way: FileJob = IN_ORDER) -> FileReport:
        """What plain pytest says of it beside the source of `module`."""
        name = file_of_tests(self.spec.name)
        source = suite_files().render_suite(self.suite, self.spec, self.plan, isolated=self.isolated)
        files, overlay = {**self.plan.module_files(module), name: source}, self.plan.overlay(module)
        return sandbox.run_files(way.model_copy(update={"files": files, "tests": (name,), "overlay": overlay}))

    @property
    def ids(self) -> dict[str, str]:
        """By each case's name the id that pytest gives to its test."""
        return suite_files().node_ids(self.suite, self.spec, self.plan)

    def of(self, cases: frozenset[str]) -> RenderedFile:
        """The same file with some of its cases alone."""
        kept = tuple(case for case in self.suite.cases if case.name in cases)
        return replace(
            self, suite=self.suite.model_copy(update={"cases": kept, "held_out": self.suite.held_out & cases})
        )

    def faulty(self, sandbox: Sandbox, module: str, report: FileReport) -> frozenset[str]:
        """Of the cases whose tests did not pass in `report` those whose tests do not pass by themselves either.

        The judge passes each case in a process and a folder of its own. Where a test fails so as well, it is the file
        that says another thing than the judge; where it passes so, one call of the code disturbs another.
        """
        failed = [name for name, test in self.ids.items() if report.outcomes.get(test) != "passed"]
        return frozenset(n for n in failed if not self.of(frozenset({n})).run(sandbox, module).passed)


def import_fault(sandbox: Sandbox, name: str, source: str, limits: Limits) -> str:
    """What is wrong with importing a module in a clean process, a warning of its own included; empty for nothing."""
    observation = observed_import(sandbox, name, source, limits, warnings_as_errors=True)
    if observation.status == "returned":
        return ""
    text = exception(observation.raised) if observation.raised else observation.detail
    return f"imported with warnings as errors (`python -W error`) the module fails: {text}"


def observed_import(
    sandbox: Sandbox, name: str, source: str, limits: Limits, *, warnings_as_errors: bool = False
) -> Observation:
    """What a module was seen to do when it is imported in a process of its own."""
    probes = (Probe(name="import", call="None"),)
    job = Job(module=name, source=source, probes=probes, limits=limits, warnings_as_errors=warnings_as_errors)
    (observation,) = sandbox.run(job).observations
    return observation


def as_script(case: Case, spec: FunctionSpec) -> Case | None:
    """A case of a script's entry as the run of the script that does the same; None where none does.

    A call with other arguments than a command line gives, one in a setup of its own, one that gives what is no exit
    code, or raises, has none.
    """
    value = case.expectation
    if not isinstance(value, Value) or case.setup.strip() or case.after or case.logs is not None:
        return None
    code, words = literal_or(value.source, ...), _words(case, spec)
    if words is None or not (code is None or isinstance(code, int)):
        return None
    world, expectation = case.world.model_copy(update={"script": words}), Exits(code=(code or 0) & 0xFF)
    done = {"arguments": (), "call": f"{spec.name}()", "world": world}
    return case.model_copy(update={**done, "expectation": expectation})


def _words(case: Case, spec: FunctionSpec) -> tuple[str, ...] | None:
    """The command line's words with which the script makes the case's call; None where it can't."""
    call, script_call = expression_or_none(case.expression), expression_or_none(spec.script_call)
    if not isinstance(call, ast.Call) or not isinstance(script_call, ast.Call) or call.keywords:
        return None
    if ast.dump(call.func) != ast.dump(script_call.func) or ast.unparse(call.func) != spec.name:
        return None
    if not script_call.args:
        return None if call.args else ()
    given = [literal_or(argument, ...) for argument in call.args]
    if not isinstance(script_call.args[0], ast.Starred):
        given = given[0] if len(given) == 1 and isinstance(given[0], list) else [None]
    words = tuple(word for word in given if isinstance(word, str) and "\0" not in word)
    return words if len(words) == len(given) else None


_MOST_TOLD = 3  # failing tests that a message names
_LONGEST = 1_200  # of a log that is shown, its end: some 300 tokens; neither is tuned
_SAYS_SO = re.compile(r"skip|xfail", re.IGNORECASE)
_HOPELESS = re.compile(r"fixture '[^']*' not found")


@dataclass(frozen=True)
class Gate(ABC):
    """A file of tests that must not fail; `needs` are the planned functions that each test needs which is no case."""

    file: str
    needs: Mapping[str, frozenset[str]]
    source: str = ""  # of one that the user handed in

    @abstractmethod
    def job(self, plan: Plan, module: str, tests: Collection[str] = (), absent: Sequence[FunctionSpec] = ()) -> FileJob:
        """What runs these tests of the file, or all, with a module's source, in which units are `absent` as yet."""

    @abstractmethod
    def on_stubs(self, run: Callable[[str], FileReport], stubs: str, types: str, *, of_several: bool) -> Gate:
        """The gate with those tests that can be held to; `run` runs the file with a module's source.

        `stubs` is a module in which nothing is written, `types` one in which nothing is but types.
        """

    def refusal(self, report: FileReport, tests: Collection[str]) -> str:
        """What a run of the file says against those of its tests, or why it could not be run; empty for nothing."""
        about = {ran: outcome for ran, outcome in report.outcomes.items() if _test(ran) in tests}
        failed = [ran for ran, outcome in about.items() if not _is_good(outcome, self.source)]
        against = [ran for ran in failed if STUB not in report.reasons.get(ran, "")]
        reasons = {ran: report.reasons.get(ran) or about[ran] for ran in against[:_MOST_TOLD]}
        return "\n".join(f"{_name(ran)}: {_cut(reason)}" for ran, reason in reasons.items())

    def of(self, function: str, present: Collection[str]) -> list[str]:
        """The tests that are about a function, among others perhaps, and can be run with what is there."""
        return [test for test, names in self.needs.items() if function in names and names <= set(present)]

    def named_by(self, failed: Collection[str]) -> frozenset[str]:
        """The planned functions that failed tests of this file need, as far as these are no cases."""
        tests = {_test(ran) for ran in failed if ran.partition("::")[0] == self.file}
        return frozenset[str]().union(*(names for test, names in self.needs.items() if test in tests))


@dataclass(frozen=True)
class UserTestGate(Gate):
    """A file that the user handed in: it must be possible to run it."""

    def job(self, plan: Plan, module: str, tests: Collection[str] = (), absent: Sequence[FunctionSpec] = ()) -> FileJob:
        """The whole file, with stubs of what is absent: pytest could not import it else."""
        source = "\n\n".join([module, *stub_head(absent), *map(stub_of, absent)]) if absent else module
        files = {**plan.module_files(source), self.file: self.source}
        return FileJob(files=files, tests=(self.file,), overlay=plan.overlay(source))

    def on_stubs(self, run: Callable[[str], FileReport], stubs: str, types: str, *, of_several: bool) -> Gate:
        """All of it; InputError where it fails on stubs for a reason of its own, whatever is written."""
        must_be_runnable(run(stubs), self.file, of_several=of_several)
        return self

    def refusal(self, report: FileReport, tests: Collection[str]) -> str:
        """As of each gate; and that the file can't be imported, or that its run did not come to its end."""
        if self.file in report.reasons:
            reason = report.reasons[self.file]
            return "" if STUB in reason else f"the file can't be imported: {_cut(reason)}"
        if text := super().refusal(report, tests):
            return text
        if not report.complete and set(tests) - {_test(ran) for ran in report.outcomes}:
            return f"the run did not come to its end: {_cut(report.log)}"
        return ""


@dataclass(frozen=True)
class ProjectTestGate(Gate):
    """A file of a project's tests, run as that project runs it; `file` is its path there.

    Only a test that fails says something: what keeps the file from being run has nothing to do with what is written.
    """

    def job(self, plan: Plan, module: str, tests: Collection[str] = (), absent: Sequence[FunctionSpec] = ()) -> FileJob:
        """The tests by their ids."""
        ids = tuple(f"{self.file}::{test}" for test in tests or self.needs)
        return FileJob(files={}, tests=ids, overlay=plan.overlay(module), project_tests="run")

    def on_stubs(self, run: Callable[[str], FileReport], stubs: str, types: str, *, of_several: bool) -> Gate:
        """Those tests that don't pass on the project as it is and come upon stubs in their place.

        As it is, a file can't be imported that imports what is to be added.
        """
        waiting = {_test(ran) for ran, reason in run(stubs).reasons.items() if STUB in reason}
        as_it_is = run(types)
        failed = {_test(ran) for ran, outcome in as_it_is.outcomes.items() if outcome in ("failed", "error")}
        failed |= set(self.needs) if self.file in as_it_is.reasons else set()
        return replace(self, needs={test: names for test, names in self.needs.items() if test in failed & waiting})


def user_files(tests: Sequence[str]) -> dict[str, str]:
    """The user's files by the names that they have beside the rendered ones."""
    return {f"{USER_TESTS}{f'_{n}' if n > 1 else ''}.py": source for n, source in enumerate(tests, start=1)}


def failed_tests(report: FileReport, files: Mapping[str, str]) -> dict[str, str]:
    """The tests that did not pass and why; a skip or an expected failure passes in a user's file that speaks of it."""
    reasons = {name: reason for name, reason in report.reasons.items() if name in files}
    for ran, outcome in report.outcomes.items():
        file = ran.partition("::")[0]
        if not _is_good(outcome, files.get(file, "") if is_users(file) else ""):
            reasons[ran] = report.reasons.get(ran) or outcome
    return reasons


def must_be_runnable(report: FileReport, file: str, *, of_several: bool) -> None:
    """InputError where a file fails for a reason of its own, whatever is written: seen on stubs alone."""
    what = f"your test file {file.removeprefix(USER_TESTS).strip('_.py') or '1'}" if of_several else "your test file"
    reason = report.reasons.get(file, "")
    if reason and STUB not in reason:
        lines = reason.splitlines()
        wrong = [line[1:].strip() for line in lines if line.startswith("E ")][-2:] or lines[-1:]
        raise InputError(f"{what} can't be imported, whatever is written: {' '.join(wrong)[:300]}")
    for ran, text in report.reasons.items():
        if hopeless := _HOPELESS.search(text):
            raise InputError(f"{what}: {_name(ran)} can't be run, whatever is written: {hopeless[0]}")


def _is_good(outcome: str, source: str) -> bool:
    """Whether a test passes, `source` being the user's file that it is of; "" for any other test."""
    return outcome == "passed" or (outcome in ("skipped", "xfailed", "xpassed") and bool(_SAYS_SO.search(source)))


def _name(ran: str) -> str:
    return ran.partition("::")[2] or ran


def _test(ran: str) -> str:
    return _name(ran).partition("[")[0]


def _cut(text: str) -> str:
    """The end of it, where the reason stands."""
    return text if len(text) <= _LONGEST else f"…{text[-_LONGEST:]}"
