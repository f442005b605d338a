"""Arithmetic and bit operators, alone and in assignments: another one, operands dropped, swapped, grouped otherwise."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.edits import Edit, each
from tdgen.mutation.nodes import assigned, call, is_display, is_text, with_fields
from tdgen.mutation.scope import Scope

_LIKELY: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Add,), ast.Div: (ast.FloorDiv, ast.Mult),
    ast.FloorDiv: (ast.Div, ast.Mult), ast.Mod: (ast.FloorDiv, ast.Mult), ast.Pow: (ast.Mult,),
    ast.LShift: (ast.RShift,), ast.RShift: (ast.LShift,), ast.BitAnd: (ast.BitOr,), ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitAnd, ast.BitOr),
}  # fmt: skip
_NUMERIC = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Div, ast.Mod, ast.Pow)
_BITWISE = (ast.BitAnd, ast.BitOr, ast.BitXor)


def likely_operator(_: Scope, node: ast.BinOp) -> Iterator[Edit]:
    """The operators that are most often taken for this one, where both sides may be numbers."""
    if not _joins(node) and not _formats(node):
        others = (with_fields(node, op=other()) for other in _LIKELY.get(type(node.op), ()))
        yield from each("arithmetic", node, others, 0.6)


def other_operator(_: Scope, node: ast.BinOp) -> Iterator[Edit]:
    """All other operators of the same family."""
    if not _formats(node):
        family = _NUMERIC if isinstance(node.op, _NUMERIC) else _BITWISE if isinstance(node.op, _BITWISE) else ()
        others = (with_fields(node, op=other()) for other in family if not isinstance(node.op, other))
        yield from each("arithmetic", node, others, 0.12)


def joined_dropped(scope: Scope, node: ast.BinOp) -> Iterator[Edit]:
    """Each side of a `+` that joins texts or lists alone."""
    if isinstance(node.op, ast.Add) and _joins(node):
        yield from operand_dropped(scope, node)


def operand_dropped(_: Scope, node: ast.BinOp) -> Iterator[Edit]:
    """Each side of an operator alone."""
    if not _formats(node):
        yield from each("operand dropped", node, [node.left, node.right], 0.3)


def operands_swapped(_: Scope, node: ast.BinOp) -> Iterator[Edit]:
    """`a - b` as `b - a`."""
    if not _formats(node):
        prior = 0.15 if isinstance(node.op, ast.Mult | ast.BitAnd | ast.BitOr | ast.BitXor) else 0.35
        yield from each("operands swapped", node, [ast.BinOp(node.right, node.op, node.left)], prior)


def regrouped(_: Scope, node: ast.BinOp) -> Iterator[Edit]:
    """`a - b - c` as `a - (b - c)`, and the other way round: parentheses that are missing, or too many."""
    left, right = node.left, node.right
    if isinstance(left, ast.BinOp) and not _formats(node):
        inner = ast.BinOp(left.right, node.op, right)
        yield from each("grouping", node, [ast.BinOp(left.left, left.op, inner)], 0.2)
    if isinstance(right, ast.BinOp) and not _formats(node):
        inner = ast.BinOp(left, node.op, right.left)
        yield from each("grouping", node, [ast.BinOp(inner, right.op, right.right)], 0.2)


def sign_dropped(_: Scope, node: ast.UnaryOp) -> Iterator[Edit]:
    """Without a sign or `not`; a constant's sign is seldom at fault."""
    if not isinstance(node.op, ast.UAdd):
        operator = "negation" if isinstance(node.op, ast.Not) else "sign"
        yield from each(operator, node, [node.operand], 0.0 if isinstance(node.operand, ast.Constant) else 0.5)


def augmented(_: Scope, node: ast.AugAssign) -> Iterator[Edit]:
    """`x += y` with the operators that are most often taken for it, and as `x = y`."""
    if not (isinstance(node.op, ast.Add) and is_display(node.value)):
        for other in _LIKELY.get(type(node.op), ()):
            prior = 0.6 if {type(node.op), other} == {ast.Add, ast.Sub} else 0.15
            yield from each("augmented assignment", node, [ast.AugAssign(node.target, other(), node.value)], prior)
    yield from each("augmented assignment", node, [assigned(node.target, node.value)], 0.4)


def other_augmented(_: Scope, node: ast.AugAssign) -> Iterator[Edit]:
    """`x += y` with any other operator."""
    ops = [op for op in (*_NUMERIC, *_BITWISE) if op is not ast.Pow and not isinstance(node.op, op)]
    others = (ast.AugAssign(node.target, op(), node.value) for op in ops)
    yield from each("augmented assignment", node, others, 0.15)


def accumulated(_: Scope, node: ast.Assign) -> Iterator[Edit]:
    """`x = y` as `x += y`, and as the larger or the smaller of both."""
    target = node.targets[0]
    if len(node.targets) == 1 and isinstance(target, ast.Name | ast.Attribute | ast.Subscript):
        for op, prior in ((ast.Add, 0.25), (ast.Sub, 0.08), (ast.Mult, 0.08)):
            yield from each("augmented assignment", node, [ast.AugAssign(target, op(), node.value)], prior)
        limits = (assigned(target, call(function, target, node.value)) for function in ("max", "min"))
        yield from each("bounded", node, limits, 0.12)


def _joins(node: ast.BinOp) -> bool:
    """Whether it joins or repeats what certainly is no number."""
    return isinstance(node.op, ast.Add | ast.Mult) and (is_display(node.left) or is_display(node.right))


def _formats(node: ast.BinOp) -> bool:
    return isinstance(node.op, ast.Mod) and is_text(node.left)
