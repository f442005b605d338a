"""Slices with other bounds: one dropped, one added, both moved."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.fixes.guess import Guess, name, swaps
from tdgen.mutation.operators.nodes import plus
from tdgen.mutation.scope import Scope


def slice_fixes(scope: Scope, node: ast.expr) -> Iterator[Guess]:
    """The guesses at a slice."""
    if not isinstance(node, ast.Slice):
        return
    lower, upper, step = node.lower, node.upper, node.step
    if (lower is None) != (upper is None):
        yield from swaps(0.3, "bound", node, [ast.Slice(upper, lower, step)])
    if lower and upper:
        yield from swaps(0.25, "bound", node, [ast.Slice(None, upper, step), ast.Slice(lower, None, step)])
    for other in scope.numbers(node):
        bound = name(other)
        if lower is None:
            yield from swaps(0.12, "bound", node, [ast.Slice(bound, upper, step)])
            yield from swaps(0.06, "bound", node, [ast.Slice(plus(bound, 1), upper, step)])
        if upper is None:
            yield from swaps(0.12, "bound", node, [ast.Slice(lower, bound, step)])
            yield from swaps(0.06, "bound", node, [ast.Slice(lower, plus(bound, 1), step)])
    one, last = ast.Constant(1), ast.UnaryOp(ast.USub(), ast.Constant(1))
    if lower is None:
        yield from swaps(0.15, "bound", node, [ast.Slice(one, upper, step)])
    if upper is None:
        yield from swaps(0.15, "bound", node, [ast.Slice(lower, last, step)])
    backwards = None if step is not None else last
    yield from swaps(0.06, "order", node, [ast.Slice(lower, upper, backwards)])
