"""Off by one, off by a variable: constants, bounds, indices, and values that are counted with."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.code import Code
from tdgen.mutation.fixes.guess import Guess, name, names, swaps
from tdgen.mutation.operators.nodes import call, called, constant, is_display, number, shifted
from tdgen.mutation.scope import NUMBER, Scope


def number_fixes(code: Code, scope: Scope, node: ast.expr) -> Iterator[Guess]:
    """The guesses at an expression that may be a number."""
    if isinstance(node, ast.Constant):
        yield from _constant(scope, node)
    if number(node) is None and scope.seems(node, NUMBER) and not is_display(node):
        prior, told = _of_place(code, node)
        if prior:
            yield from swaps(prior, told, node, [shifted(node, 1), shifted(node, -1)])
            for other in scope.numbers(node):
                if not (isinstance(node, ast.Name) and node.id == other):
                    yield from _with(prior, node, other)


def _with(prior: float, node: ast.expr, other: str) -> Iterator[Guess]:
    told = "operand added"
    yield from swaps(prior * 0.3, told, node, [ast.BinOp(node, op, name(other)) for op in (ast.Add(), ast.Sub())])
    yield from swaps(prior * 0.15, told, node, [ast.BinOp(name(other), op, node) for op in (ast.Add(), ast.Sub())])
    yield from swaps(prior * 0.1, told, node, [ast.BinOp(node, ast.Mult(), name(other))])
    yield from swaps(prior * 0.1, "bounded", node, [call("max", node, name(other)), call("min", node, name(other))])


def _of_place(code: Code, node: ast.expr) -> tuple[float, str]:
    """How likely an expression is off by one where it stands."""
    parent, field, _ = code.places[node]
    if isinstance(parent, ast.Slice):
        return 0.6, "bound"
    if isinstance(parent, ast.Subscript) and field == "slice" and not isinstance(node, ast.Slice | ast.Tuple):
        return 0.5, "index"
    if isinstance(parent, ast.Call) and field == "args" and not isinstance(node, ast.Starred):
        return (0.7, "bound") if called(parent) == "range" else (0.3, "argument")
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mult | ast.Mod | ast.FloorDiv):
        return 0.25, "bound"
    if isinstance(parent, ast.Compare):
        return 0.35, "bound"
    if isinstance(parent, ast.Return | ast.Assign | ast.AugAssign) and field == "value":
        return (0.3 if isinstance(parent, ast.Return) else 0.2), "value"
    return 0.0, ""


def _constant(scope: Scope, node: ast.Constant) -> Iterator[Guess]:
    value = node.value
    if isinstance(value, bool):
        yield from swaps(0.6, "constant", node, [constant(not value)])
    elif isinstance(value, int):
        others = [value + 1, value - 1]
        yield from swaps(0.7, "constant", node, [constant(other) for other in others])
        yield from swaps(0.1, "constant", node, [constant(n) for n in (0, 1, 2, -value) if n not in (*others, value)])
        yield from swaps(0.1, "variable", node, names(scope.numbers(node)))
        yield from swaps(0.05, "constant", node, [ast.Constant(None), *_infinities()])
    elif isinstance(value, float):
        yield from swaps(0.2, "constant", node, [constant(value + 1), constant(value - 1), constant(-value)])
    elif isinstance(value, str):
        others_ = {"": [" ", "0"], " ": [""]}.get(value, [value.swapcase(), ""])
        yield from swaps(0.15, "text", node, [ast.Constant(other) for other in others_ if other != value])
    elif value is None:
        yield from swaps(0.08, "constant", node, [ast.Constant(0), *names(scope.variables(node))])


def _infinities() -> list[ast.expr]:
    infinity = call("float", ast.Constant("inf"))
    return [infinity, ast.UnaryOp(ast.USub(), infinity)]
