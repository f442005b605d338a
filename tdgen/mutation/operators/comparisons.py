"""Comparisons: the boundary moved, the answer negated, another operator, the sides swapped."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.edits import Edit, each
from tdgen.mutation.nodes import with_fields
from tdgen.mutation.scope import Scope

_BOUNDARY: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip
_NEGATION: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE,
}  # fmt: skip


def boundary(_: Scope, node: ast.Compare) -> Iterator[Edit]:
    """`<` as `<=`, for each operator of a chain."""
    for index, kind in _operators(node):
        if kind in _BOUNDARY:
            yield from _with_operator("boundary", node, index, _BOUNDARY[kind], 0.9)


def negation(_: Scope, node: ast.Compare) -> Iterator[Edit]:
    """`<` as `>=`, `==` as `!=`, `in` as `not in`, for each operator of a chain."""
    for index, kind in _operators(node):
        yield from _with_operator("comparison", node, index, _NEGATION[kind], 0.5 if kind in _BOUNDARY else 0.6)


def other_comparison(_: Scope, node: ast.Compare) -> Iterator[Edit]:
    """Operators that are seldom taken for this one, and the sides swapped."""
    for index, kind in _operators(node):
        others: dict[type[ast.cmpop], float] = {ast.Eq: 0.1}
        if kind in _BOUNDARY:
            others = {_MIRRORED[kind]: 0.6, ast.Eq: 0.1, ast.NotEq: 0.15}
        elif kind in (ast.Eq, ast.NotEq):
            others = {**dict.fromkeys(_BOUNDARY, 0.2), ast.In: 0.05}
        for other, prior in others.items():
            yield from _with_operator("comparison", node, index, other, prior)
    if len(node.ops) == 1:
        yield from each("operands swapped", node, [ast.Compare(node.comparators[0], node.ops, [node.left])], 0.2)


def _operators(node: ast.Compare) -> list[tuple[int, type[ast.cmpop]]]:
    return [(index, type(op)) for index, op in enumerate(node.ops)]


def _with_operator(operator: str, node: ast.Compare, index: int, op: type[ast.cmpop], prior: float) -> Iterator[Edit]:
    ops = [*node.ops[:index], op(), *node.ops[index + 1 :]]
    yield from each(operator, node, [with_fields(node, ops=ops)], prior)
