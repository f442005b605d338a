"""Arithmetic and bit operators, alone, in assignments and with one operand."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.changes import Block, Swap, instead
from tdgen.mutation.code import Code
from tdgen.mutation.operators.nodes import is_display, is_text, with_fields

OTHERS: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Add,), ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Mult, ast.Div), ast.Mod: (ast.FloorDiv, ast.Mult), ast.Pow: (ast.Mult,),
    ast.LShift: (ast.RShift,), ast.RShift: (ast.LShift,), ast.BitAnd: (ast.BitOr,), ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitAnd, ast.BitOr),
}  # fmt: skip


def binary(node: ast.BinOp) -> Iterator[Swap]:
    """Another operator; where `+` joins texts or lists, each side alone."""
    if isinstance(node.op, ast.Mod) and is_text(node.left):
        return
    if isinstance(node.op, ast.Add) and (is_display(node.left) or is_display(node.right)):
        yield Swap("operand dropped", node, node.left)
        yield Swap("operand dropped", node, node.right)
        return
    for other in OTHERS.get(type(node.op), ()):
        if not (isinstance(node.op, ast.Mult) and (is_display(node.left) or is_display(node.right))):
            yield Swap("arithmetic", node, with_fields(node, op=other()))


def unary(node: ast.UnaryOp) -> Iterator[Swap]:
    """Without its sign or its `not`."""
    told = "negation" if isinstance(node.op, ast.Not) else "sign"
    if not isinstance(node.op, ast.UAdd):
        yield Swap(told, node, node.operand)


def augmented(code: Code, node: ast.AugAssign) -> Iterator[Block]:
    """`x += y` with another operator, as `x = y`, and not at all."""
    if not (isinstance(node.op, ast.Add) and is_display(node.value)):
        for other in OTHERS.get(type(node.op), ()):
            yield instead(code, "augmented assignment", node, ast.AugAssign(node.target, other(), node.value))
    yield instead(code, "augmented assignment", node, assigned(node.target, node.value))
    yield instead(code, "statement dropped", node, ast.Pass())


def assigned(target: ast.expr, value: ast.expr) -> ast.Assign:
    """`target = value`."""
    return ast.Assign([target], value, lineno=0)
