"""What is returned, and whether: `return` in front of a call, another value, one more at the end."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.changes import Block, Body, instead
from tdgen.mutation.code import Code
from tdgen.mutation.fixes.guess import Guess, names, swaps
from tdgen.mutation.operators.nodes import constant
from tdgen.mutation.scope import Scope


def neutral_values() -> list[ast.expr]:
    """What functions return where there is nothing to do."""
    empty: list[ast.expr] = [ast.List([], ast.Load()), ast.List([ast.List([], ast.Load())], ast.Load())]
    return [*(constant(value) for value in (0, 1, -1, "", None, True, False)), *empty, ast.Dict([], [])]


def return_fixes(code: Code, scope: Scope, node: ast.stmt) -> Iterator[Guess]:
    """The guesses at a statement that returns, or should."""
    if isinstance(node, ast.Expr):
        yield from _missing(code, scope, node)
    elif isinstance(node, ast.Return) and node.value is not None:
        value = node.value
        others = names(v for v in scope.variables(node) if not (isinstance(value, ast.Name) and v == value.id))
        # A name in the place of a name is another variable: that is guessed there.
        if not isinstance(value, ast.Name):
            yield from swaps(0.25, "return", value, others)
        yield from swaps(0.06, "return", value, neutral_values())
        yield Guess(0.06, instead(code, "return", node, ast.Expr(ast.Yield(value))))
        yield Guess(0.06, instead(code, "return", node, ast.Expr(ast.YieldFrom(value))))
    elif isinstance(node, ast.FunctionDef):
        yield from _at_end(scope, node)


def _missing(code: Code, scope: Scope, node: ast.Expr) -> Iterator[Guess]:
    value = node.value
    if isinstance(value, ast.Yield | ast.YieldFrom):
        other = ast.YieldFrom(value.value) if isinstance(value, ast.Yield) and value.value else None
        anew: ast.expr = other or ast.Yield(value.value)
        yield Guess(0.3, instead(code, "return", node, ast.Expr(anew)))
    elif isinstance(value, ast.Call):
        own = isinstance(value.func, ast.Name)
        yield Guess(0.6 if own else 0.12, instead(code, "return", node, ast.Return(value)))
        if own:
            yield Guess(0.2, instead(code, "return", node, ast.Expr(ast.YieldFrom(value))))
            for target in scope.variables(node):
                stored = ast.Assign([ast.Name(target, ast.Store())], value, lineno=0)
                yield Guess(0.1, instead(code, "kept", node, stored))


def _at_end(scope: Scope, node: ast.FunctionDef) -> Iterator[Guess]:
    last = node.body[-1]
    if isinstance(last, ast.Return | ast.Raise):
        return
    for value in [*names(scope.variables(last)), *neutral_values()]:
        prior = 0.2 if isinstance(value, ast.Name) else 0.08
        body = Body(node, "body", (*node.body, ast.Return(value)))
        yield Guess(prior, Block("return", last, (body,)))
