"""Trying to falsify a property of an implementation, in the sandbox and within bounds; by which calls it was falsified.

A property may itself be wrong, luck, or endless: each of these is told apart from a finding, and none of them is one.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Literal, NamedTuple

from tdgen.inputs.literals import Unreadable, read, written
from tdgen.protocols import Sandbox
from tdgen.source.syntax import parse
from tdgen.testgen.rendering.headers import property_file, render_properties
from tdgen.testgen.watched import Watched, WatchedCall, Watching, read_watched
from tdgen.types import Call, FileJob, FileReport, FunctionSpec, Limits, Plan, Property

SECONDS = 5.0
LIMITS = Limits(wall_s=SECONDS, cpu_s=2 * SECONDS, output_kb=64)
OTHER_SEED = 20_407
MOST_CALLS = 4
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

    def tried(self, found: Property, module: str) -> PropertyRun:
        """The property tried on a module's source, twice: with the examples of the file as it is saved, then others."""
        first = self.once(found, module)
        return first if first.ending != "held" else self.once(found, module, other=True)

    def once(self, found: Property, module: str, *, other: bool = False) -> PropertyRun:
        """The property tried once; where the smallest example takes too long to find, any will do."""
        watching = Watching(self._spec.name, seed=OTHER_SEED if other else 0)
        report = self._run(found, module, watching)
        if self._is_endless(report):
            report = self._run(found, module, watching._replace(shrink=False))
        return self._read(report, found)

    def _run(self, found: Property, module: str, watching: Watching) -> FileReport:
        name = property_file(self._spec.name)
        files = {
            **self._plan.module_files(module),
            name: render_properties([found], self._spec, self._plan),
            "conftest.py": watching.conftest(),
        }
        return self._sandbox.run_files(FileJob(files=files, tests=(name,), limits=self._limits))

    def _is_endless(self, report: FileReport) -> bool:
        """Whether a limit of time cut it off."""
        is_cut = report.log.rstrip().endswith("SIGXCPU") or report.resources.wall_s >= self._limits.wall_s
        return is_cut and not report.complete

    def _read(self, report: FileReport, found: Property) -> PropertyRun:
        if report.passed:
            return PropertyRun("held")
        if self._is_endless(report):
            return PropertyRun("endless", f"it does not end within {self._seconds:g} s")
        seen = read_watched(report.log, found.name)
        if seen is None:
            return PropertyRun("broken", f"its file does not run: {_last_words(report.log)}")
        kinds = {name.rpartition(".")[2] for name in seen.types if name.startswith("hypothesis.")}
        if "Flaky" in kinds:
            return PropertyRun("flaky", "it does not come out the same when the same example is run again")
        if "HypothesisException" in kinds:
            return PropertyRun("broken", f"Hypothesis can't run it: {seen.message}", types=tuple(seen.types))
        example = ", ".join(f"{name}={value or '…'}" for name, value in seen.example.items())
        return PropertyRun("falsified", seen.message, example, self._calls(seen), tuple(seen.types))

    def _calls(self, seen: Watched) -> tuple[Call, ...]:
        """The calls of the falsifying example that can be written down, each once."""
        told = (self._call(call) for call in seen.calls)
        return tuple({call.call_key: call for call in told if call is not None}.values())[:MOST_CALLS]

    def _call(self, call: WatchedCall) -> Call | None:
        """The call as a case makes it; None where an argument is more than a value that can be spelled out."""
        shared = [one.name for one in self._plan.types]
        try:
            arguments = [_literal(text, shared) for text in call.args]
            arguments += [
                f"{name}={_literal(text, shared)}" for name, text in call.kwargs.items() if name.isidentifier()
            ]
        except (Unreadable, SyntaxError):
            return None
        plain = f"{self._spec.name}({', '.join(arguments)})"
        if self._spec.is_async:
            return Call(function=self._spec.name, call=f"asyncio.run({plain})")
        if self._spec.returns.type.partition("[")[0].rpartition(".")[2] in _STREAMS:
            return Call(function=self._spec.name, call=f"list({plain})")
        return Call(function=self._spec.name, arguments=tuple(arguments))


def can_try(sandbox: Sandbox) -> str:
    """Why no property can be tried in a sandbox; nothing where they can."""
    name = "test_hypothesis.py"
    files = {name: "from hypothesis import given\n\n\ndef test_it_is_there():\n    assert given\n"}
    report = sandbox.run_files(FileJob(files=files, tests=(name,)))
    return "" if report.passed else f"hypothesis does not load in the sandbox: {_last_words(report.log)}"


def _literal(text: str, shared: Sequence[str]) -> str:
    """An argument's source written anew from the value that it spells; Unreadable where it would have to be run."""
    body = parse(text).body
    only = body[0] if len(body) == 1 else None
    if not isinstance(only, ast.Expr):
        raise Unreadable(text)
    return written(read(only.value, shared))


def _last_words(log: str) -> str:
    """The last line of a log that says what went wrong."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    errors = [line.removeprefix("E").strip() for line in lines if line.startswith("E ")]
    return " ".join((errors or lines or ["it says nothing"])[-1].split())[:300]
