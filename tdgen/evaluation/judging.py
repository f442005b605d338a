"""A problem of a data set, and what its hidden tests say of a module: right, wrong, or out of reach.

Hidden tests are run on code that is sealed: in a sandbox, judged outside it, in which no solving ever ran. A problem's
tests are single calls judged by tdgen's own relation, a pytest file over `import solution` (effects, programs and
classes need no less), or, where an instruction contradicts itself, the question whether that was said.

A data set's test is a program. `assert f(3) == 4` becomes the call `f(3)` and the check `result == 4`, which is
evaluated where no candidate runs, on what the call gave back as plain data: so the data set's own relation decides, and
no object can forge it. That is possible where all that asserts stand beside are assignments and imports. A test that
loops, or defines functions, is run whole, as one hidden test, in one process with the code (`Tests.program`).
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from tdgen.errors import InputError
from tdgen.judge import Oracle, candidate_probe
from tdgen.protocols import Sandbox
from tdgen.source import syntax
from tdgen.source.syntax import is_constant, is_literal, parse, parses
from tdgen.types import (
    Case,
    Check,
    ExpectedException,
    FileJob,
    FileReport,
    Frozen,
    FunctionSpec,
    Job,
    Limits,
    Probe,
    Returns,
    Tolerance,
    Value,
    Verdict,
)
from tdgen.values.decode import decode


class Problem(Frozen):
    """A problem. What is solved is `instruction` alone; everything below `functions` is hidden from whoever solves.

    `functions` are all that the instruction asks for by name, where it asks for more than `function`, `entry` the one
    that runs the module as a script, if any, and `kind` is the problem's kind where its data set has kinds.

    `asserts` is the source of a test over `called` (the name by which it calls the function: `candidate` where the test
    is a `check(candidate)`), with `helpers` that it needs. Or `inputs` holds the sources of argument lists, and
    what `reference` (a whole module) gives for them is expected, floats to within `atol`. Or `cases` are pairs of a
    call and the value it must give, or `raises` and the exception's name. Or `program` is a pytest file
    over `import solution`, all of whose tests `reference` passes. Or the instruction contradicts itself, and `refusal`
    has its two places, word for word.
    """

    id: str
    instruction: str
    function: str
    functions: tuple[str, ...] = ()
    entry: str = ""
    kind: str = ""
    called: str = ""
    asserts: str = ""
    helpers: str = ""
    inputs: tuple[str, ...] = ()
    reference: str = ""
    atol: float = 0.0
    cases: tuple[tuple[str, str], ...] = ()
    program: str = ""
    refusal: tuple[str, ...] = ()


def definition(source: str, function: str) -> ast.FunctionDef | None:
    """The definition of that name at the top of a module; None where there is none, or no module."""
    defined = syntax.definition(parse(source), function) if parses(source) else None
    return defined if isinstance(defined, ast.FunctionDef) else None


MODULE: Final = "solution"
PROGRAM: Final = "test_hidden.py"


class Tests(NamedTuple):
    """A problem's hidden tests: cases, each with its check; or the source of a pytest file with one test in it."""

    cases: tuple[Case, ...] = ()
    program: str = ""

    @property
    def number(self) -> int:
        """How many they are."""
        return len(self.cases) + bool(self.program)


def hidden_tests(problem: Problem) -> Tests:
    """The hidden tests in a test program; none where it holds no assert, SyntaxError where it is no Python."""
    tree = parse(problem.asserts)
    body = tree.body
    checks = [node for node in body if isinstance(node, ast.FunctionDef) and node.name == "check"]
    if problem.called == "candidate" and checks:
        others = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
        body = [*others, *checks[-1].body]
    plain = (ast.Assert, ast.Assign, ast.Import, ast.ImportFrom, ast.Pass)
    if all(isinstance(node, plain) or is_constant(node) for node in body):
        return Tests(cases=tuple(_cases(body, problem)))
    return Tests(program=_program(problem, tree))


def _cases(body: list[ast.stmt], problem: Problem) -> Iterator[Case]:
    before: list[str] = []
    for node in body:
        if isinstance(node, ast.Assert):
            calls = [
                n
                for n in ast.walk(node.test)
                if isinstance(n, ast.Call)
                and isinstance(n.func, ast.Name)
                and n.func.id in (problem.called, problem.function)
            ]
            if calls:
                number = f"hidden_{node.lineno}_{node.col_offset}"
                yield _case(node.test, calls, number, "\n".join(before), problem)
        elif not isinstance(node, ast.Pass | ast.Expr):
            before.append(ast.unparse(node))


def _case(test: ast.expr, calls: list[ast.Call], name: str, setup: str, problem: Problem) -> Case:
    # What several calls have to do with each other can only be seen where they are made.
    made = copy.deepcopy(calls[0] if len(calls) == 1 else test)
    for node in ast.walk(made):
        if isinstance(node, ast.Name) and node.id == problem.called:
            node.id = problem.function
    call = ast.unparse(made)
    if len(calls) > 1:
        return Case(
            name=name, function=problem.function, setup=setup, call=f"bool({call})", expectation=Value(source="True")
        )
    check = ast.unparse(_Replaced(calls[0]).visit(test))
    return Case(name=name, function=problem.function, setup=setup, call=call, expectation=Check(source=check))


@dataclass(frozen=True)
class _Replaced(ast.NodeTransformer):
    """Puts `result` in the place of one call."""

    call: ast.Call

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if node is self.call:
            return ast.Name("result", ast.Load())
        self.generic_visit(node)
        return node


def _program(problem: Problem, tree: ast.Module) -> str:
    """A pytest file that runs the test as it is."""
    if problem.called == "candidate":
        test = "def test_hidden():\n    check(candidate)\n"
        head = f"from {MODULE} import {problem.function} as candidate"
        return "\n\n".join([head, problem.helpers, ast.unparse(tree), test])
    body = ast.unparse(tree).replace("\n", "\n    ")
    return f"from {MODULE} import *\nfrom {MODULE} import {problem.function}\n\n\ndef test_hidden():\n    {body}\n"


MOST_FAULTS: Final = 5


class Judged(Frozen):
    """What hidden tests said of one piece of code: how many they are, how many it fails, and the first few, told.

    `forgeable` where they ran in one process with the code.
    """

    tests: int
    failed: int
    faults: tuple[str, ...] = ()
    forgeable: bool = False

    @property
    def right(self) -> bool:
        """Whether the code passes them all."""
        return self.tests > 0 and not self.failed


class Judge(Protocol):
    """Judges one problem by what is hidden."""

    def judge(self, source: str) -> Judged:
        """What is said of a module's source, or of a text where a refusal is right."""


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
            if problem.cases:
                stated = (_stated(problem, n, call, wanted) for n, (call, wanted) in enumerate(problem.cases))
                self.tests = Tests(tuple(stated))
            else:
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

    def verdicts(self, source: str) -> tuple[Verdict, ...]:
        """What its cases say of a module's source, one by one."""
        cases = self.tests.cases
        probes = tuple(candidate_probe(case) for case in cases)
        # What hangs on one call is wrong: the tests after it are not waited for, and count as failed.
        job = Job(module=MODULE, source=source, probes=probes, limits=self._limits, stop_early=True)
        return self._oracle.verdicts(self._spec, cases, self._sandbox.run(job).observations, self._expected)

    def _cases(self, source: str) -> Judged:
        cases = self.tests.cases
        failed = [verdict for verdict in self.verdicts(source) if not verdict.passed]
        calls = {case.name: case.expression for case in cases}
        faults = []
        for verdict in failed[:MOST_FAULTS]:
            difference = verdict.differences[0].sentence if verdict.differences else verdict.detail or verdict.status
            faults.append(f"{calls[verdict.case]}: {difference}"[:LONGEST])
        return Judged(tests=len(cases), failed=len(failed), faults=tuple(faults))

    def _program(self, source: str) -> Judged:
        files = {f"{MODULE}.py": source, PROGRAM: self.tests.program}
        limits = _PROGRAM_LIMITS.model_copy(update={"memory_mb": self._limits.memory_mb})
        report = self._sandbox.run_files(FileJob(files=files, tests=(PROGRAM,), limits=limits))
        right = report.passed and len(report.outcomes) == 1
        faults = () if right else (report.log[-LONGEST:].strip() or "it did not end by itself",)
        return Judged(tests=1, failed=int(not right), faults=faults, forgeable=True)


RAISES: Final = "raises "
_SEQUENCES_ALIKE: Final = (
    "def plain(value):\n    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value"
)


def _stated(problem: Problem, number: int, call: str, wanted: str) -> Case:
    """A case of a call and what it must do; a list and a tuple are one, as most languages know no difference."""
    if wanted.startswith(RAISES):
        expectation = ExpectedException(type=wanted.removeprefix(RAISES).strip())
        return Case(name=f"hidden_{number}", function=problem.function, call=call, expectation=expectation)
    case = _expecting(problem, number, call, wanted)
    if isinstance(case.expectation, Value):
        return case
    check = Check(source=f"plain(result) == plain({wanted})")
    return case.model_copy(update={"setup": _SEQUENCES_ALIKE, "expectation": check})


def _worked_out(problem: Problem, oracle: Sandbox) -> tuple[Case, ...]:
    """Cases of the problem's inputs, with what the reference gives for them; where it gives no value, there is none."""
    calls = [f"{problem.function}({given})" for given in problem.inputs]
    probes = tuple(Probe(name=str(n), call=f"repr({call})") for n, call in enumerate(calls))
    job = Job(module=MODULE, source=problem.reference, probes=probes, limits=_REFERENCE_LIMITS)
    observations = {one.name: one for one in oracle.run(job).observations}
    values_by_number = ((n, decode(one.value)) for n, one in observations.items() if one.status == "returned")
    values = [(int(n), text) for n, text in values_by_number if isinstance(text, str) and is_literal(text)]
    return tuple(_expecting(problem, n, calls[n], text) for n, text in values)


def _expecting(problem: Problem, number: int, call: str, value: str) -> Case:
    """Equal as Python has it; where there are floats, to within the problem's tolerance."""
    expectation: Value | Check = Check(source=f"result == {value}")
    if any(isinstance(node, ast.Constant) and isinstance(node.value, float) for node in ast.walk(parse(value))):
        tolerance = FLOATS if not problem.atol else Tolerance(rel=FLOATS.rel, abs=problem.atol)
        expectation = Value(source=value, tolerance=tolerance)
    return Case(name=f"hidden_{number}", function=problem.function, call=call, expectation=expectation)


HIDDEN: Final = "hidden_test.py"
_LIMITS: Final = Limits(wall_s=60.0, cpu_s=60.0)


def run_hidden(sandbox: Sandbox, program: str, source: str, memory_mb: int = _LIMITS.memory_mb) -> FileReport:
    """Run a hidden pytest file on a module's source."""
    files = {f"{MODULE}.py": source, HIDDEN: program}
    limits = _LIMITS.model_copy(update={"memory_mb": memory_mb})
    return sandbox.run_files(FileJob(files=files, tests=(HIDDEN,), limits=limits))


class ModuleJudge:
    """Runs one problem's hidden pytest file."""

    def __init__(self, problem: Problem, sandbox: Sandbox, oracle: Sandbox, memory_mb: int = _LIMITS.memory_mb) -> None:
        """InputError where the reference, which runs in `oracle`, does not pass all tests."""
        self._program, self._memory_mb = problem.program, memory_mb
        self._sandbox = sandbox
        report = run_hidden(oracle, problem.program, problem.reference)
        if not report.passed:
            raise InputError(f"the hidden tests of {problem.id} don't all pass on its own reference")
        self._ids = tuple(sorted(report.outcomes))

    def judge(self, source: str) -> Judged:
        """Count the tests that the reference passes and this source does not; all where pytest did not end in order."""
        if not source.strip():
            return self._judged(self._ids, "there is no code")
        report = run_hidden(self._sandbox, self._program, source, self._memory_mb)
        if not report.complete:
            return self._judged(self._ids, "pytest did not end by itself")
        return self._judged([name for name in self._ids if report.outcomes.get(name) != "passed"])

    def _judged(self, failed: tuple[str, ...] | list[str], why: str = "") -> Judged:
        # What pytest printed is left out: it holds seconds and addresses, and a replay would differ.
        faults = (why,) if why else tuple(f"{name} does not pass" for name in failed[:MOST_FAULTS])
        return Judged(tests=len(self._ids), failed=len(failed), faults=faults, forgeable=True)


LEAST_SHARE: Final = 1 / 3
"""How much of a place must be quoted at the least: a planner may quote a clause and leave the end of its row out."""


@dataclass(frozen=True)
class RefusalJudge:
    """Judges what was said of an instruction that contradicts itself."""

    problem: Problem

    def judge(self, text: str) -> Judged:
        """Right where a text (a refusal, a question, a model's answer) names both places."""
        text = " ".join(text.split())
        places = [" ".join(place.split()) for place in self.problem.refusal]
        if all(_is_named(place, places, text) for place in places):
            return Judged(tests=1, failed=0)
        return Judged(tests=1, failed=1, faults=("the two places that contradict each other are not both named",))


def _is_named(place: str, places: Sequence[str], text: str) -> bool:
    """Whether a passage of the place stands in the text, long enough, that is not in the other place as well."""
    least = max(1, round(len(place) * LEAST_SHARE))
    others = [other for other in places if other != place]
    for start in range(len(place) - least + 1):
        end = start + least
        # The longest passage from here on that the text holds: what is in it is not in the other place by any part.
        while end <= len(place) and place[start:end] in text:
            end += 1
        passage = place[start : end - 1]
        if len(passage) >= least and not any(passage in other for other in others):
            return True
    return False
