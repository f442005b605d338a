"""A data set's test, which is a program, as single hidden tests.

`assert f(3) == 4` becomes the call `f(3)` and the check `result == 4`, which is evaluated where no candidate runs, on
what the call gave back as plain data: so the data set's own relation decides, and no object can forge it. That is
possible where all that asserts stand beside are assignments and imports. A test that loops, or defines functions, is
run whole, as one hidden test, in one process with the code (`Tests.program`).
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import Final, NamedTuple

from tdgen.evaluation.problems import Problem
from tdgen.syntax import parse
from tdgen.types import Case, Check, Value

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
    body = _body(tree, problem)
    plain = (ast.Assert, ast.Assign, ast.Import, ast.ImportFrom, ast.Pass)
    if all(isinstance(node, plain) or _is_text(node) for node in body):
        return Tests(cases=tuple(_cases(body, problem)))
    return Tests(program=_program(problem, tree))


def _body(tree: ast.Module, problem: Problem) -> list[ast.stmt]:
    """The statements of `check(candidate)` where there is one, else of the module."""
    checks = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "check"]
    if problem.called == "candidate" and checks:
        others = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        return [*others, *checks[-1].body]
    return tree.body


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _cases(body: list[ast.stmt], problem: Problem) -> Iterator[Case]:
    before: list[str] = []
    for node in body:
        if isinstance(node, ast.Assert):
            calls = [n for n in ast.walk(node.test) if isinstance(n, ast.Call) and _calls(n, problem)]
            if calls:
                number = f"hidden_{node.lineno}_{node.col_offset}"
                yield _case(node.test, calls, number, "\n".join(before), problem)
        elif not isinstance(node, ast.Pass | ast.Expr):
            before.append(ast.unparse(node))


def _case(test: ast.expr, calls: list[ast.Call], name: str, setup: str, problem: Problem) -> Case:
    if len(calls) > 1:
        # What several calls have to do with each other can only be seen where they are made.
        whole = ast.unparse(_Renamed(problem).visit(copy.deepcopy(test)))
        return Case(
            name=name, function=problem.function, setup=setup, call=f"bool({whole})", expectation=Value(source="True")
        )
    call = ast.unparse(_Renamed(problem).visit(copy.deepcopy(calls[0])))
    check = ast.unparse(_Replaced(calls[0]).visit(test))
    return Case(name=name, function=problem.function, setup=setup, call=call, expectation=Check(source=check))


def _calls(node: ast.Call, problem: Problem) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id in (problem.called, problem.function)


class _Renamed(ast.NodeTransformer):
    """Calls the function by its own name."""

    def __init__(self, problem: Problem) -> None:
        self._names = {problem.called: problem.function}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._names.get(node.id, node.id)
        return node


class _Replaced(ast.NodeTransformer):
    """Puts `result` in the place of one call."""

    def __init__(self, call: ast.Call) -> None:
        self._call = call

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if node is self._call:
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
