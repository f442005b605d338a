"""What a whole module is tried by: its rendered tests, its import, and its run as a script.

A function's rendered test file, run beside a module; and whose fault it is that one of its tests does not pass.

How a module starts: imported with its warnings as errors, and where it has an entry, run as a script.

The lines that call the entry are tdgen's own. What the entry's cases say of a call, they say of the script too: so each
of them is run both ways.
"""

from __future__ import annotations

import ast

from tdgen.judge.compare import exception
from tdgen.protocols import Sandbox
from tdgen.source.syntax import expression_or_none, literal
from tdgen.testgen.rendering import node_ids, render_suite
from tdgen.types import (
    Case,
    Exits,
    FileJob,
    FileReport,
    FunctionSpec,
    Job,
    Limits,
    Plan,
    Probe,
    Suite,
    Value,
    file_of_tests,
)
from tdgen.values.encode import encode

IN_ORDER = FileJob(files={}, tests=())


class RenderedFile:
    """One function's suite as the file that the user gets; `isolated` where the function was seen to write files."""

    def __init__(self, suite: Suite, spec: FunctionSpec, plan: Plan, *, isolated: bool) -> None:
        self.suite, self._spec, self._plan, self._isolated = suite, spec, plan, isolated

    def run(self, sandbox: Sandbox, module: str, way: FileJob = IN_ORDER) -> FileReport:
        """What plain pytest says of it beside the source of `module`."""
        name = file_of_tests(self._spec.name)
        source = render_suite(self.suite, self._spec, self._plan, isolated=self._isolated)
        files = {**self._plan.module_files(module), name: source}
        return sandbox.run_files(way.model_copy(update={"files": files, "tests": (name,)}))

    def of(self, cases: frozenset[str]) -> RenderedFile:
        """The same file with some of its cases alone."""
        kept = tuple(case for case in self.suite.cases if case.name in cases)
        suite = self.suite.model_copy(update={"cases": kept, "held_out": self.suite.held_out & cases})
        return RenderedFile(suite, self._spec, self._plan, isolated=self._isolated)

    def faulty(self, sandbox: Sandbox, module: str, report: FileReport) -> frozenset[str]:
        """Of the cases whose tests did not pass in `report` those whose tests do not pass by themselves either.

        The judge passes each case in a process and a folder of its own. Where a test fails so as well, it is the file
        that says another thing than the judge; where it passes so, one call of the code disturbs another.
        """
        ids = node_ids(self.suite, self._spec, self._plan)
        failed = [name for name, test in ids.items() if report.outcomes.get(test) != "passed"]
        return frozenset(n for n in failed if not self.of(frozenset({n})).run(sandbox, module).passed)


_IMPORT = """
import re
import sys
import types
import warnings

warnings.filterwarnings("error", module=re.escape(name) + "$")
sys.modules[name] = types.ModuleType(name)
exec(compile(source, name + ".py", "exec", dont_inherit=True), sys.modules[name].__dict__)
"""


def import_fault(sandbox: Sandbox, name: str, source: str, limits: Limits) -> str:
    """What is wrong with importing a module in a clean process, a warning of its own included; empty for nothing."""
    given = {"name": encode(name), "source": encode(source)}
    probe = Probe(name="import", setup=_IMPORT, call="None", given=given)
    seen = sandbox.run(Job(module="importing", source="", probes=(probe,), limits=limits)).observations[0]
    if seen.status == "returned":
        return ""
    told = exception(seen.raised) if seen.raised else seen.detail
    return f"imported with warnings as errors (`python -W error`) the module fails: {told}"


def as_script(case: Case, spec: FunctionSpec) -> Case | None:
    """A case of a script's entry as the run of the script that does the same; None where none does.

    A call with other arguments than a command line gives, one in a setup of its own, one that gives what is no exit
    code, or raises, has none.
    """
    value = case.expectation
    if not isinstance(value, Value) or case.setup.strip() or case.after or case.logs is not None:
        return None
    code, words = _constant(value.source), _words(case, spec)
    if words is None or not (code is None or isinstance(code, int)):
        return None
    world, expectation = case.world.model_copy(update={"script": words}), Exits(code=(code or 0) & 0xFF)
    done = {"arguments": (), "call": f"{spec.name}()", "world": world}
    return case.model_copy(update={**done, "expectation": expectation})


def _words(case: Case, spec: FunctionSpec) -> tuple[str, ...] | None:
    """The command line's words with which the script makes the case's call; None where it can't."""
    call, made = expression_or_none(case.expression), expression_or_none(spec.script_call)
    if not isinstance(call, ast.Call) or not isinstance(made, ast.Call) or call.keywords:
        return None
    if ast.dump(call.func) != ast.dump(made.func) or ast.unparse(call.func) != spec.name:
        return None
    if not made.args:
        return None if call.args else ()
    given = [_constant(argument) for argument in call.args]
    if not isinstance(made.args[0], ast.Starred):
        given = given[0] if len(given) == 1 and isinstance(given[0], list) else [None]
    words = tuple(word for word in given if isinstance(word, str) and "\0" not in word)
    return words if len(words) == len(given) else None


def _constant(source: ast.expr | str) -> object:
    """A literal's value; Ellipsis where it is none."""
    try:
        return literal(source)
    except ValueError:
        return ...
