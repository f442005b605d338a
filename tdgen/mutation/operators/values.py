"""Values that stand in the text: numbers by one, texts and collections emptied, True and False, parts of f-strings."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.changes import Swap
from tdgen.mutation.code import Code
from tdgen.mutation.operators.nodes import constant

Value = str | bytes | float


def constants(code: Code, node: ast.Constant) -> Iterator[Swap]:
    """Another value of the same type; None stays."""
    place = code.places[node]
    old: ast.expr = node
    if isinstance(place.parent, ast.UnaryOp) and isinstance(place.parent.op, ast.USub):
        old = place.parent
    told = "default" if isinstance(code.places[old].parent, ast.arguments) else _told(node.value)
    for value in _others(node.value, negative=old is not node):
        yield Swap(told, old, constant(value))


def collections(node: ast.expr) -> Iterator[Swap]:
    """A collection that is written out, emptied."""
    if isinstance(node, ast.Dict) and node.keys:
        yield Swap("emptied", node, ast.Dict([], []))
    elif isinstance(node, ast.List) and node.elts and isinstance(node.ctx, ast.Load):
        yield Swap("emptied", node, ast.List([], ast.Load()))
    elif isinstance(node, ast.Set):
        yield Swap("emptied", node, ast.Call(ast.Name("set", ast.Load()), [], []))


def text_parts(node: ast.JoinedStr) -> Iterator[Swap]:
    """An f-string without each of its parts, and without each format."""
    for index, part in enumerate(node.values):
        rest = [*node.values[:index], *node.values[index + 1 :]]
        yield Swap("text part", node, ast.JoinedStr(rest) if rest else ast.Constant(""))
        if isinstance(part, ast.FormattedValue) and part.format_spec is not None:
            plain = ast.FormattedValue(part.value, part.conversion, None)
            yield Swap("format", node, ast.JoinedStr([*node.values[:index], plain, *node.values[index + 1 :]]))


def _others(value: object, *, negative: bool) -> list[Value]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        value = -value if negative else value
        return [value + 1, value - 1]
    if isinstance(value, float):
        value = -value if negative else value
        return [value + 1.0, -value] if value else [1.0]
    if isinstance(value, str):
        return _other_texts(value, "x")
    return _other_texts(value, b"x") if isinstance(value, bytes) else []


def _other_texts(value: str | bytes, other: str | bytes) -> list[Value]:
    if not value:
        return [other]
    return [value[:0], value[:-1] if len(value) > 1 else value.swapcase() if value != value.swapcase() else other]


def _told(value: object) -> str:
    return "text" if isinstance(value, str | bytes) else "constant"
