"""Bounds of ranges, slices, indices and other numbers: by one, by a variable; slices with one bound less or more."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.edits import Edit, each
from tdgen.mutation.nodes import call, called, is_display, name, number, plus, shifted
from tdgen.mutation.scope import NUMBER, Scope


def bound_by_one(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """A bound of a slice or a range plus and minus one; where it ends in a number, that is changed as a constant."""
    parent, field, index = scope.code.places[node]
    of_slice = isinstance(parent, ast.Slice) and field != "step"
    of_range = isinstance(parent, ast.Call) and called(parent) == "range" and field == "args" and index < 2
    if not (of_slice or of_range) or isinstance(node, ast.Starred):
        return
    ends_in = node.right if isinstance(node, ast.BinOp) else node
    if number(ends_in) is None:
        yield from each("bound", node, [shifted(node, 1), shifted(node, -1)])


def off_by_one(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """Whatever may be a number by one, and by a variable, as likely as it is where it stands."""
    if number(node) is not None or is_display(node):
        return
    prior, operator = _of_place(scope, node)
    if not prior or not scope.seems(node, NUMBER):
        return
    yield from each(operator, node, [shifted(node, 1), shifted(node, -1)], prior)
    for text in scope.numbers(node):
        if not (isinstance(node, ast.Name) and node.id == text):
            other, ops = name(text), (ast.Add(), ast.Sub())
            yield from each("operand added", node, [ast.BinOp(node, op, other) for op in ops], prior * 0.3)
            yield from each("operand added", node, [ast.BinOp(other, op, node) for op in ops], prior * 0.15)
            yield from each("operand added", node, [ast.BinOp(node, ast.Mult(), other)], prior * 0.1)
            yield from each("bounded", node, [call("max", node, other), call("min", node, other)], prior * 0.1)


def _of_place(scope: Scope, node: ast.expr) -> tuple[float, str]:
    """How likely an expression is off by one where it stands."""
    parent, field, _ = scope.code.places[node]
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


def range_bounds(_: Scope, node: ast.Call) -> Iterator[Edit]:
    """A range that starts at one, ends one later, or is gone through backwards."""
    if called(node) != "range":
        return
    one = ast.Constant(1)
    if len(node.args) == 1:
        stop = node.args[0]
        yield from each("bound", node, [call("range", one, stop), call("range", one, plus(stop, 1))], 0.4)
    elif len(node.args) == 2:
        start, stop = node.args
        bounds = ([stop], [start, plus(stop, 1)], [plus(start, 1), plus(stop, 1)])
        yield from each("bound", node, (call("range", *arguments) for arguments in bounds), 0.2)
    yield from each("order", node, [call("reversed", node)], 0.12)


def slice_bounds(scope: Scope, node: ast.Slice) -> Iterator[Edit]:
    """A slice with one bound less, one more, or both moved."""
    lower, upper, step = node.lower, node.upper, node.step
    if (lower is None) != (upper is None):
        yield from each("bound", node, [ast.Slice(upper, lower, step)], 0.3)
    if lower and upper:
        yield from each("bound", node, [ast.Slice(None, upper, step), ast.Slice(lower, None, step)], 0.25)
    one, last = ast.Constant(1), ast.UnaryOp(ast.USub(), ast.Constant(1))
    added: list[tuple[float, ast.expr, ast.expr]] = []
    for other in scope.numbers(node):
        added += [(0.12, name(other), name(other)), (0.06, plus(name(other), 1), plus(name(other), 1))]
    for prior, low, high in [*added, (0.15, one, last)]:
        if lower is None:
            yield from each("bound", node, [ast.Slice(low, upper, step)], prior)
        if upper is None:
            yield from each("bound", node, [ast.Slice(lower, high, step)], prior)
    yield from each("order", node, [ast.Slice(lower, upper, None if step is not None else last)], 0.06)


def loop_never(_: Scope, node: ast.For) -> Iterator[Edit]:
    """A loop that never runs."""
    yield from each("loop", node.iter, [ast.Tuple([], ast.Load())])
