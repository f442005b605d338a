"""Comparisons: the boundary moved, the answer negated."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.changes import Swap
from tdgen.mutation.operators.nodes import with_fields

BOUNDARY: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip
NEGATION: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip


def comparisons(node: ast.Compare) -> Iterator[Swap]:
    """`<` as `<=` and as `>=`, `==` as `!=`, `in` as `not in`, for each operator of a chain."""
    for index, op in enumerate(node.ops):
        for told, table in (("boundary", BOUNDARY), ("comparison", NEGATION)):
            if other := table.get(type(op)):
                yield Swap(told, node, with_operator(node, index, other()))


def with_operator(node: ast.Compare, index: int, op: ast.cmpop) -> ast.expr:
    """The comparison with another operator at a place of its chain."""
    return with_fields(node, ops=[*node.ops[:index], op, *node.ops[index + 1 :]])
