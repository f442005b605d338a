"""A statement that is missing: a guard, a jump, something counted or kept, or one that stands elsewhere already."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.edits import Edit
from tdgen.mutation.nodes import name, number
from tdgen.mutation.operators.returns import neutral_values
from tdgen.mutation.scope import ITEMS, NUMBER, Scope

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_MOST_VARIABLES = 8
_NEAR = 20


def added(scope: Scope, node: ast.stmt) -> Iterator[Edit]:
    """One more statement before each, and behind the last of a body."""
    if isinstance(node, _Function):
        return
    is_last = node is scope.code.siblings(node)[-1]
    for prior, statement in [*_new(scope, node), *_near(scope, node)]:
        yield Edit("statement added", node, {node: (statement, node)}, prior)
        if is_last:
            yield Edit("statement added", node, {node: (node, statement)}, prior)


def guards(scope: Scope, node: _Function) -> Iterator[Edit]:
    """`if not x: return …` at the start of the function, for each of its parameters."""
    first = next((statement for statement in node.body if not _is_docstring(statement)), node.body[-1])
    parameters = [argument.arg for argument in [*node.args.posonlyargs, *node.args.args]]
    for parameter in parameters:
        tests: list[ast.expr] = [ast.UnaryOp(ast.Not(), name(parameter))]
        if scope.may_be(parameter, NUMBER):
            tests.append(ast.Compare(name(parameter), [ast.Eq()], [ast.Constant(0)]))
        for test in tests:
            for value in [*map(name, parameters), *neutral_values()]:
                guard = ast.If(test, [ast.Return(value)], [])
                yield Edit("guard", first, {first: (guard, first)}, 0.05)


def _new(scope: Scope, node: ast.stmt) -> Iterator[tuple[float, ast.stmt]]:
    variables = scope.variables(node)[:_MOST_VARIABLES]
    if any(isinstance(above, ast.For | ast.While) for above in scope.code.above(node)):
        yield from ((0.03, statement) for statement in (ast.Break(), ast.Continue()))
    for text in variables:
        yield 0.015, ast.Return(name(text))
        if scope.kinds.get(text, set()) == {NUMBER}:
            for op in (ast.Add(), ast.Sub()):
                yield 0.02, ast.AugAssign(ast.Name(text, ast.Store()), op, ast.Constant(1))
        if ITEMS in scope.kinds.get(text, set()):
            for other in variables:
                if other != text:
                    yield from ((0.02, _kept(text, method, other)) for method in ("append", "add"))


def _kept(items: str, method: str, other: str) -> ast.stmt:
    return ast.Expr(ast.Call(ast.Attribute(name(items), method, ast.Load()), [name(other)], []))


def _near(scope: Scope, node: ast.stmt) -> Iterator[tuple[float, ast.stmt]]:
    """The other short statements that stand near in the function, each once more."""
    around = list(scope.code.above(node))
    function = next((above for above in around if isinstance(above, _Function)), None)
    for other in ast.walk(function) if function else ():
        if not isinstance(other, ast.stmt) or other is node or abs(other.lineno - node.lineno) > _NEAR:
            continue
        simple = isinstance(other, ast.Expr | ast.Assign | ast.AugAssign | ast.Return)
        guard = isinstance(other, ast.If) and len(other.body) == 1 and not other.orelse
        if (simple or guard) and not _is_docstring(other) and other not in around:
            # A start value that is set once more undoes what was done.
            is_start = isinstance(other, ast.Assign) and number(other.value) is not None
            yield (0.015 if is_start else 0.03), other


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
