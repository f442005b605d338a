"""A statement that is missing: a guard, a jump, something counted or kept, or one that stands elsewhere already."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.changes import Block, Body
from tdgen.mutation.code import Code
from tdgen.mutation.fixes.guess import Guess, name
from tdgen.mutation.fixes.returns import neutral_values
from tdgen.mutation.operators.nodes import number
from tdgen.mutation.scope import ITEMS, NUMBER, Scope

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_MOST_VARIABLES = 8
_NEAR = 20


def insertions(code: Code, scope: Scope, node: ast.stmt) -> Iterator[Guess]:
    """The guesses at what should stand before a statement, and behind the last of a body."""
    if isinstance(node, _Function):
        yield from _guards(scope, node)
        return
    owner, field, index = code.places[node]
    held: list[ast.stmt] = getattr(owner, field)
    places = [index, index + 1] if index == len(held) - 1 else [index]
    for prior, statement in [*_new(code, scope, node), *_others(code, node)]:
        for place in places:
            body = Body(owner, field, (*held[:place], statement, *held[place:]))
            yield Guess(prior, Block("statement added", node, (body,)))


def _guards(scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Guess]:
    """`if not x: return …` at the start of the function, for each of its parameters."""
    at = next((i for i, s in enumerate(node.body) if not _is_docstring(s)), len(node.body) - 1)
    parameters = [argument.arg for argument in [*node.args.posonlyargs, *node.args.args]]
    for parameter in parameters:
        tests: list[ast.expr] = [ast.UnaryOp(ast.Not(), name(parameter))]
        if scope.may_be(parameter, NUMBER):
            tests.append(ast.Compare(name(parameter), [ast.Eq()], [ast.Constant(0)]))
        for test in tests:
            for value in [*map(name, parameters), *neutral_values()]:
                guard = ast.If(test, [ast.Return(value)], [])
                body = Body(node, "body", (*node.body[:at], guard, *node.body[at:]))
                yield Guess(0.05, Block("guard", node.body[at], (body,)))


def _new(code: Code, scope: Scope, node: ast.stmt) -> Iterator[tuple[float, ast.stmt]]:
    variables = scope.variables(node)[:_MOST_VARIABLES]
    if any(isinstance(above, ast.For | ast.While) for above in code.above(node)):
        yield from ((0.03, statement) for statement in (ast.Break(), ast.Continue()))
    for text in variables:
        yield 0.015, ast.Return(name(text))
        if scope.kinds.get(text, set()) == {NUMBER}:
            yield from ((0.02, ast.AugAssign(ast.Name(text, ast.Store()), op, ast.Constant(1))) for op in _by_one())
        if ITEMS in scope.kinds.get(text, set()):
            for other in variables:
                if other != text:
                    yield 0.02, _kept(text, "append", other)
                    yield 0.02, _kept(text, "add", other)


def _by_one() -> tuple[ast.operator, ast.operator]:
    return ast.Add(), ast.Sub()


def _kept(held: str, method: str, other: str) -> ast.stmt:
    return ast.Expr(ast.Call(ast.Attribute(name(held), method, ast.Load()), [name(other)], []))


def _others(code: Code, node: ast.stmt) -> Iterator[tuple[float, ast.stmt]]:
    """The other short statements that stand near in the function, each once more."""
    around = list(code.above(node))
    function = next((above for above in around if isinstance(above, _Function)), None)
    for other in ast.walk(function) if function else ():
        if not isinstance(other, ast.stmt) or abs(other.lineno - node.lineno) > _NEAR:
            continue
        simple = isinstance(other, ast.Expr | ast.Assign | ast.AugAssign | ast.Return)
        guard = isinstance(other, ast.If) and len(other.body) == 1 and not other.orelse
        if (simple or guard) and not _is_docstring(other) and other not in around:
            # A start value that is set once more undoes what was done.
            is_start = isinstance(other, ast.Assign) and number(other.value) is not None
            yield (0.015 if is_start else 0.03), other


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
