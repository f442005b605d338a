"""Small trees that operators put together: names, numbers, `not`, sums with one, calls."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any


def name(text: str) -> ast.Name:
    """A variable that is read."""
    return ast.Name(text, ast.Load())


def names(texts: Iterable[str]) -> list[ast.expr]:
    """Variables that are read."""
    return [name(text) for text in texts]


def constant(value: str | bytes | float | None) -> ast.expr:
    """A number, text, bool or None as an expression; negative numbers as Python reads them."""
    if isinstance(value, int | float) and not isinstance(value, bool) and value < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def negated(node: ast.expr) -> ast.expr:
    """`not node`, or what stands behind its `not`."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return node.operand
    return ast.UnaryOp(ast.Not(), node)


def is_not(node: ast.expr) -> bool:
    """Whether it is `not …`."""
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def shifted(node: ast.expr, by: int) -> ast.expr:
    """The node plus `by`, with the sign that reads best; a number, alone or at its end, takes it up."""
    if (value := number(node)) is not None:
        return constant(value + by)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        value = number(node.right)
        if value is not None:
            total = (value if isinstance(node.op, ast.Add) else -value) + by
            return plus(node.left, total) if total else node.left
    return plus(node, by)


def plus(node: ast.expr, by: int) -> ast.expr:
    """`node + 1` or `node - 1`."""
    return ast.BinOp(node, ast.Add() if by > 0 else ast.Sub(), ast.Constant(abs(by)))


def number(node: ast.AST | None) -> int | None:
    """The whole number that stands there, if it is one."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = number(node.operand)
        return None if value is None else -value
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    return None


def call(function: str, *arguments: ast.expr) -> ast.Call:
    """`function(arguments)`."""
    return ast.Call(name(function), list(arguments), [])


def called(node: ast.AST) -> str:
    """The name of the function or method that a call calls, or nothing."""
    if not isinstance(node, ast.Call):
        return ""
    func = node.func
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""


def is_text(node: ast.AST) -> bool:
    """Whether it is certainly a text."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def is_display(node: ast.AST) -> bool:
    """Whether it certainly is a text or a collection, not a number."""
    kinds = (ast.List, ast.ListComp, ast.Tuple, ast.Dict, ast.Set, ast.DictComp, ast.SetComp)
    return is_text(node) or isinstance(node, kinds)


def without(items: list[Any], index: int) -> list[Any]:
    """The items but one."""
    return [*items[:index], *items[index + 1 :]]


def assigned(target: ast.expr, value: ast.expr) -> ast.Assign:
    """`target = value`."""
    return ast.Assign([target], value, lineno=0)


def with_fields(node: ast.expr, **fields: object) -> ast.expr:
    """A copy with other fields."""
    values: dict[str, Any] = {f: fields.get(f, getattr(node, f)) for f in node._fields}
    return type(node)(**values)
