"""QuixBugs as a benchmark of repair: 40 programs with a fault in one line, their own tests as cases in three shares.

The tests are read from the data as they are. `assert f(*[1, 2]) == 3` is the call `f(1, 2)` that gives 3; a test
that is a function becomes a call of it with every assert at its top level turned into a value that it gives back.
**Dealing**: of the tests that the faulty program fails, in their order, the first is visible, the second hidden,
the third held out, and so round again; those that it passes are dealt out by the same round. So the fault shows in
the visible share, and in the hidden one wherever two tests show it.
"""

from __future__ import annotations

import ast
import importlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from simulated.bench import Bench

from tdgen.errors import InputError
from tdgen.types import Case, FunctionSpec, Parameter, Plan, Returns, Suite, Value

FILE = "quixbugs_python.jsonl"
SHARES = ("visible", "hidden", "held out")


class Program(NamedTuple):
    """A faulty program, the right one, and its tests in three shares."""

    name: str
    faulty: str
    right: str
    text: str
    visible: tuple[Case, ...] = ()
    hidden: tuple[Case, ...] = ()
    held_out: tuple[Case, ...] = ()
    shows_in_hidden: bool = False

    @property
    def spec(self) -> FunctionSpec:
        """Its contract; the programs say nothing of types."""
        node = next(n for n in ast.parse(self.right).body if isinstance(n, ast.FunctionDef) and n.name == self.name)
        count = len(node.args.args) - len(node.args.defaults)
        defaults = [None] * count + [ast.unparse(default) for default in node.args.defaults]
        return FunctionSpec(
            name=self.name,
            purpose=self.text,
            parameters=tuple(
                Parameter(name=arg.arg, type="Any", default=default)
                for arg, default in zip(node.args.args, defaults, strict=True)
            ),
            returns=Returns(type="Any"),
        )

    @property
    def plan(self) -> Plan:
        """A plan of this one function."""
        return Plan(module=f"quix_{self.name}", functions=(self.spec,))

    @property
    def suite(self) -> Suite:
        """The visible and the held-out share."""
        names = frozenset(case.name for case in self.held_out)
        return Suite(function=self.name, cases=(*self.visible, *self.held_out), held_out=names)

    @property
    def taken(self) -> str:
        """What it would have taken: the line that differs."""
        faulty, right = (ast.unparse(ast.parse(source)).splitlines() for source in (self.faulty, self.right))
        old = [line.strip() for line in faulty if line not in right]
        new = [line.strip() for line in right if line not in faulty]
        return f"{' / '.join(old) or 'nothing'} → {' / '.join(new) or 'nothing'}"


def load(path: Path, bench: Bench, most: int | None = None) -> list[Program]:
    """The first `most` programs, their tests dealt; InputError where it is of another kind, or a test is wrong."""
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()][:most]
        return [_dealt(row, bench) for row in rows]
    except (OSError, ValueError, KeyError, SyntaxError) as error:
        raise InputError(f"{path} can't be read as QuixBugs' programs: {error!r}") from None


def failures(spec: FunctionSpec, source: str, cases: Sequence[Case], bench: Bench) -> int:
    """How many of the cases a source fails."""
    verdicts = bench.on_cases(source, spec, cases)
    return len(cases) - sum(verdict.passed for verdict in verdicts)


def cases_of(tests: str, function: str) -> list[Case]:
    """The tests' text as cases."""
    tree = ast.parse(tests)
    asserts = [node for node in tree.body if isinstance(node, ast.Assert)]
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]
    before = [node for node in tree.body if node not in functions and not isinstance(node, ast.Assert | ast.Expr)]
    setup = "\n".join(map(ast.unparse, before))
    plain = [_of_assert(node, function, number) for number, node in enumerate(asserts, 1)]
    return plain + [_of_function(node, function, setup) for node in functions]


def _dealt(row: dict[str, str], bench: Bench) -> Program:
    program = Program(row["name"], _spelled_out(row["buggy_program"]), _spelled_out(row["solution"]), row["docstring"])
    program = program._replace(text=program.text.strip().strip('"').strip())
    cases = cases_of(row["tests"], program.name)
    if failures(program.spec, program.right, cases, bench):
        raise InputError(f"the right {program.name} fails its own tests, as they are read here")
    verdicts = bench.on_cases(program.faulty, program.spec, cases)
    passed = {verdict.case for verdict in verdicts if verdict.passed}
    shares: dict[str, list[Case]] = {share: [] for share in SHARES}
    failing = [case for case in cases if case.name not in passed]
    passing = [case for case in cases if case.name in passed]
    for place, case in [*enumerate(failing), *enumerate(passing)]:
        shares[SHARES[place % 3]].append(case)
    return program._replace(
        visible=tuple(shares["visible"]),
        hidden=tuple(shares["hidden"]),
        held_out=tuple(shares["held out"]),
        shows_in_hidden=len(failing) > 1,
    )


def _of_assert(node: ast.Assert, function: str, number: int) -> Case:
    test = ast.parse(ast.unparse(node.test), mode="eval").body
    for call in ast.walk(test):
        if isinstance(call, ast.Call) and len(call.args) == 1 and isinstance(call.args[0], ast.Starred):
            inner = call.args[0].value
            call.args = inner.elts if isinstance(inner, ast.List | ast.Tuple) else call.args
    left, expected = _parted(test)
    plain = isinstance(left, ast.Call) and isinstance(left.func, ast.Name) and left.func.id == function
    return Case(
        name=f"test_{number}",
        function=function,
        arguments=tuple(map(ast.unparse, left.args)) if plain and isinstance(left, ast.Call) else (),
        call="" if plain else ast.unparse(left),
        expectation=Value(source=expected),
    )


def _of_function(node: ast.FunctionDef, function: str, setup: str) -> Case:
    """The test as a call of itself that gives back, in order, what each of its asserts looks at."""
    expected: list[str] = []
    body: list[ast.stmt] = ast.parse("seen = []").body
    for statement in node.body:
        if isinstance(statement, ast.Assert):
            left, value = _parted(statement.test)
            expected.append(value)
            body += ast.parse(f"seen.append({ast.unparse(left)})").body
        else:
            body.append(statement)
    body += ast.parse("def f():\n    return seen").body[0].body  # type: ignore[attr-defined]
    written = ast.FunctionDef(name=node.name, args=node.args, body=body, decorator_list=[], lineno=1, col_offset=0)
    return Case(
        name=node.name,
        function=function,
        setup=f"{setup}\n{ast.unparse(ast.fix_missing_locations(written))}",
        call=f"{node.name}()",
        expectation=Value(source=f"[{', '.join(expected)}]"),
    )


def _parted(test: ast.expr) -> tuple[ast.expr, str]:
    """What an assert looks at, and what it must be: the literal beside ==, else that the whole is true."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        try:
            ast.literal_eval(test.comparators[0])
        except ValueError:
            pass
        else:
            return test.left, ast.unparse(test.comparators[0])
    return ast.Call(ast.Name("bool", ast.Load()), [test], []), "True"


def _spelled_out(source: str) -> str:
    """The source with every `from module import *` as the names of it that are used."""
    tree = ast.parse(source)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return "\n".join(_named(line, used) for line in source.splitlines()) + "\n"


def _named(line: str, used: set[str]) -> str:
    words = line.split()
    if words[:1] != ["from"] or words[2:] != ["import", "*"]:
        return line
    names: Iterator[str] = (name for name in importlib.import_module(words[1]).__all__ if name in used)
    return f"from {words[1]} import {', '.join(names)}"
