"""Bounds: of ranges, slices and indices, by one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.changes import Swap
from tdgen.mutation.operators.nodes import called, number, shifted


def slices(node: ast.Slice) -> Iterator[Swap]:
    """Each bound of a slice by one; numbers are changed as constants."""
    for bound in (node.lower, node.upper):
        if bound is not None and not _has_number(bound):
            yield from by_one(bound)


def ranges(node: ast.Call) -> Iterator[Swap]:
    """Each bound of a range by one; numbers are changed as constants."""
    if called(node) == "range" and isinstance(node.func, ast.Name):
        for bound in node.args[:2]:
            if not _has_number(bound) and not isinstance(bound, ast.Starred):
                yield from by_one(bound)


def loops(node: ast.For) -> Iterator[Swap]:
    """A loop that never runs."""
    yield Swap("loop", node.iter, ast.Tuple([], ast.Load()))


def by_one(bound: ast.expr) -> Iterator[Swap]:
    """The bound plus and minus one."""
    yield Swap("bound", bound, shifted(bound, 1))
    yield Swap("bound", bound, shifted(bound, -1))


def _has_number(bound: ast.expr) -> bool:
    ends_with = isinstance(bound, ast.BinOp) and number(bound.right) is not None
    return number(bound) is not None or ends_with
