"""Another operator: comparisons, arithmetic, `and` as `or`; operands swapped, dropped, grouped otherwise."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.fixes.guess import Guess, swaps
from tdgen.mutation.operators.comparing import BOUNDARY, NEGATION, with_operator
from tdgen.mutation.operators.nodes import is_text, negated, with_fields

_ORDERINGS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_SAME = (ast.Eq, ast.NotEq)
_MIRRORED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
_LIKELY: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Add, ast.Pow), ast.Div: (ast.FloorDiv, ast.Mult),
    ast.FloorDiv: (ast.Div, ast.Mod), ast.Mod: (ast.FloorDiv, ast.Div), ast.Pow: (ast.Mult,),
    ast.LShift: (ast.RShift,), ast.RShift: (ast.LShift,), ast.BitAnd: (ast.BitOr, ast.BitXor),
    ast.BitOr: (ast.BitAnd, ast.BitXor), ast.BitXor: (ast.BitAnd, ast.BitOr),
}  # fmt: skip
_ALL = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Div, ast.Mod, ast.Pow)


def operator_fixes(node: ast.expr) -> Iterator[Guess]:
    """The guesses at an expression that is joined by operators."""
    if isinstance(node, ast.Compare):
        yield from _comparison(node)
    elif isinstance(node, ast.BinOp):
        yield from _arithmetic(node)
    elif isinstance(node, ast.BoolOp):
        yield from _condition(node)
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
        yield from swaps(0.5, "negation", node, [node.operand])
    elif isinstance(node, ast.IfExp):
        yield from swaps(0.4, "ternary", node, [ast.IfExp(node.test, node.orelse, node.body)])
        yield from swaps(0.25, "ternary", node, [node.body, node.orelse])


def _comparison(node: ast.Compare) -> Iterator[Guess]:
    for index, op in enumerate(node.ops):
        kind = type(op)
        ranked: dict[type[ast.cmpop], float] = {}
        if kind in BOUNDARY:
            ranked = {BOUNDARY[kind]: 0.9, _MIRRORED[kind]: 0.6, NEGATION[kind]: 0.5, ast.Eq: 0.1, ast.NotEq: 0.15}
        elif kind in _SAME:
            ranked = {NEGATION[kind]: 0.6, **dict.fromkeys(_ORDERINGS, 0.2), ast.In: 0.05}
        else:
            ranked = {NEGATION[kind]: 0.6, ast.Eq: 0.1}
        for other, prior in ranked.items():
            yield from swaps(prior, "comparison", node, [with_operator(node, index, other())])
    if len(node.ops) == 1:
        sides = ast.Compare(node.comparators[0], node.ops, [node.left])
        yield from swaps(0.2, "operands swapped", node, [sides])


def _arithmetic(node: ast.BinOp) -> Iterator[Guess]:
    if is_text(node.left) and isinstance(node.op, ast.Mod):
        return
    likely = _LIKELY.get(type(node.op), ())
    for other in likely:
        yield from swaps(0.6, "arithmetic", node, [with_fields(node, op=other())])
    for other in _ALL if isinstance(node.op, _ALL) else ():
        if other not in likely and not isinstance(node.op, other):
            yield from swaps(0.12, "arithmetic", node, [with_fields(node, op=other())])
    prior = 0.15 if isinstance(node.op, ast.Mult | ast.BitAnd | ast.BitOr | ast.BitXor) else 0.35
    yield from swaps(prior, "operands swapped", node, [ast.BinOp(node.right, node.op, node.left)])
    yield from swaps(0.3, "operand dropped", node, [node.left, node.right])
    yield from _regrouped(node)


def _regrouped(node: ast.BinOp) -> Iterator[Guess]:
    """`a - b - c` as `a - (b - c)`, and the other way round: parentheses that are missing, or too many."""
    left, right = node.left, node.right
    if isinstance(left, ast.BinOp):
        inner = ast.BinOp(left.right, node.op, right)
        yield from swaps(0.2, "grouping", node, [ast.BinOp(left.left, left.op, inner)])
    if isinstance(right, ast.BinOp):
        inner = ast.BinOp(left, node.op, right.left)
        yield from swaps(0.2, "grouping", node, [ast.BinOp(inner, right.op, right.right)])


def _condition(node: ast.BoolOp) -> Iterator[Guess]:
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield from swaps(0.7, "and/or", node, [with_fields(node, op=other)])
    for index, value in enumerate(node.values):
        rest = [*node.values[:index], *node.values[index + 1 :]]
        yield from swaps(0.4, "operand dropped", node, [rest[0] if len(rest) == 1 else with_fields(node, values=rest)])
        yield from swaps(0.4, "negation", value, [negated(value)])
    if len(node.values) == 2:
        yield from swaps(0.2, "operands swapped", node, [with_fields(node, values=node.values[::-1])])
