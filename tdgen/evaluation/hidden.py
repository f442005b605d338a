"""Hidden tests, run on code that is sealed: in a sandbox, judged outside it, in which no solving ever ran."""

from __future__ import annotations

import ast
from typing import Final

from tdgen.errors import InputError
from tdgen.evaluation.asserts import MODULE, PROGRAM, Tests, hidden_tests
from tdgen.evaluation.judged import MOST_FAULTS, Judged
from tdgen.evaluation.problems import Problem
from tdgen.judge import Oracle, candidate_probe
from tdgen.protocols import Sandbox
from tdgen.syntax import is_literal, parse
from tdgen.types import (
    Case,
    Check,
    FileJob,
    FunctionSpec,
    Job,
    Limits,
    Probe,
    Returns,
    Tolerance,
    Value,
    Verdict,
)
from tdgen.values.plain import decode

LONGEST: Final = 300
FLOATS: Final = Tolerance(rel=1e-7, abs=1e-6)
"""How EvalPlus compares floats where the problem says nothing."""
_REFERENCE_LIMITS: Final = Limits(wall_s=20.0, cpu_s=40.0, memory_mb=1024)
_PROGRAM_LIMITS: Final = Limits(wall_s=30.0, cpu_s=60.0)
_LEAST_S: Final = 30.0
"""How long one hidden test may take at the least: data sets have references that take seconds."""


class FunctionJudge:
    """Runs one problem's hidden tests of a function: candidates in `sandbox`, what is expected in `oracle`."""

    def __init__(self, problem: Problem, sandbox: Sandbox, oracle: Sandbox, limits: Limits) -> None:
        """InputError where the problem has no test that can be run."""
        wall, cpu = max(limits.wall_s, _LEAST_S), max(limits.cpu_s, 2 * _LEAST_S)
        self._sandbox = sandbox
        self._limits = limits.model_copy(update={"wall_s": wall, "cpu_s": cpu})
        self._oracle = Oracle(oracle, MODULE, "", self._limits)
        self._spec = FunctionSpec(name=problem.function, purpose="", returns=Returns(type="Any"))
        try:
            self.tests = hidden_tests(problem) if problem.asserts else Tests(_worked_out(problem, oracle))
        except SyntaxError as error:
            raise InputError(f"the hidden tests of {problem.id} are no Python: {error.msg}") from None
        if not self.tests.number:
            raise InputError(f"{problem.id} has no hidden test that can be run")
        self._expected = self._oracle.expectations(self.tests.cases)

    def judge(self, source: str) -> Judged:
        """What the tests say of a module's source."""
        if not source.strip():
            return Judged(tests=self.tests.number, failed=self.tests.number, faults=("there is no code",))
        return self._program(source) if self.tests.program else self._cases(source)

    def _cases(self, source: str) -> Judged:
        cases = self.tests.cases
        probes = tuple(candidate_probe(case) for case in cases)
        # What hangs on one call is wrong: the tests after it are not waited for, and count as failed.
        job = Job(module=MODULE, source=source, probes=probes, limits=self._limits, stop_early=True)
        seen = self._sandbox.run(job).observations
        verdicts = self._oracle.verdicts(self._spec, cases, seen, self._expected)
        failed = [verdict for verdict in verdicts if not verdict.passed]
        calls = {case.name: case.expression for case in cases}
        faults = tuple(_told(calls[verdict.case], verdict) for verdict in failed[:MOST_FAULTS])
        return Judged(tests=len(cases), failed=len(failed), faults=faults)

    def _program(self, source: str) -> Judged:
        files = {f"{MODULE}.py": source, PROGRAM: self.tests.program}
        report = self._sandbox.run_files(FileJob(files=files, tests=(PROGRAM,), limits=_PROGRAM_LIMITS))
        right = report.passed and len(report.outcomes) == 1
        faults = () if right else (report.log[-LONGEST:].strip() or "it did not end by itself",)
        return Judged(tests=1, failed=int(not right), faults=faults, forgeable=True)


def _worked_out(problem: Problem, oracle: Sandbox) -> tuple[Case, ...]:
    """Cases of the problem's inputs, with what the reference gives for them; where it gives no value, there is none."""
    calls = [f"{problem.function}({given})" for given in problem.inputs]
    probes = tuple(Probe(name=str(n), call=f"repr({call})") for n, call in enumerate(calls))
    job = Job(module=MODULE, source=problem.reference, probes=probes, limits=_REFERENCE_LIMITS)
    seen = {one.name: one for one in oracle.run(job).observations}
    found = ((n, decode(one.value)) for n, one in seen.items() if one.status == "returned")
    values = [(int(n), text) for n, text in found if isinstance(text, str) and is_literal(text)]
    return tuple(_expecting(problem, n, calls[n], text) for n, text in values)


def _expecting(problem: Problem, number: int, call: str, value: str) -> Case:
    """Equal as Python has it; where there are floats, to within the problem's tolerance."""
    expectation: Value | Check = Check(source=f"result == {value}")
    if any(isinstance(node, ast.Constant) and isinstance(node.value, float) for node in ast.walk(parse(value))):
        tolerance = FLOATS if not problem.atol else Tolerance(rel=FLOATS.rel, abs=problem.atol)
        expectation = Value(source=value, tolerance=tolerance)
    return Case(name=f"hidden_{number}", function=problem.function, call=call, expectation=expectation)


def _told(call: str, verdict: Verdict) -> str:
    found = verdict.differences[0].sentence if verdict.differences else verdict.detail or verdict.status
    return f"{call}: {found}"[:LONGEST]
