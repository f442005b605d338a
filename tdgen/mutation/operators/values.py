"""Values that stand in the text: numbers by one, texts and collections emptied, parts of f-strings, start values."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.edits import Edit, each
from tdgen.mutation.nodes import call, constant, names
from tdgen.mutation.scope import Scope

_EMPTY_LIST = ast.List([], ast.Load())


def constants(scope: Scope, node: ast.Constant) -> Iterator[Edit]:
    """Another value of the same type, next to this one; None stays. A sign belongs to its number."""
    parent = scope.code.places[node].parent
    is_negative = isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub)
    old: ast.expr = parent if is_negative and isinstance(parent, ast.expr) else node
    is_default = isinstance(scope.code.places[old].parent, ast.arguments)
    operator = "default" if is_default else "text" if isinstance(node.value, str | bytes) else "constant"
    for value, prior in _next_to(node.value, -1 if is_negative else 1):
        if value != "" or not isinstance(parent, ast.JoinedStr):  # there it is a part dropped
            yield from each(operator, old, [constant(value)], prior)


def _next_to(value: object, sign: int) -> Iterator[tuple[str | bytes | float, float]]:
    if isinstance(value, bool):
        yield not value, 0.6
    elif isinstance(value, int):
        yield sign * value + 1, 0.7
        yield sign * value - 1, 0.7
    elif isinstance(value, float):
        yield sign * value + 1.0, 0.2
        if value:
            yield -sign * value, 0.2
    elif isinstance(value, str | bytes):
        other = "x" if isinstance(value, str) else b"x"
        swapped = value.swapcase() if value != value.swapcase() else other
        if value:
            yield value[:0], 0.15
        yield (value[:-1] if len(value) > 1 else swapped if value else other), 0.0


def other_constants(scope: Scope, node: ast.Constant) -> Iterator[Edit]:
    """Values further off, and variables in the place of a value."""
    value = node.value
    if isinstance(value, int) and not isinstance(value, bool):
        others = [n for n in (0, 1, 2, -value) if n not in (value, value + 1, value - 1)]
        infinity = call("float", ast.Constant("inf"))
        yield from each("constant", node, map(constant, others), 0.1)
        yield from each("variable", node, names(scope.numbers(node)), 0.1)
        yield from each("constant", node, [ast.Constant(None), infinity, ast.UnaryOp(ast.USub(), infinity)], 0.05)
    elif isinstance(value, float):
        yield from each("constant", node, [constant(value - 1)], 0.2)
    elif isinstance(value, str):
        texts = {"": [" ", "0"], " ": []}.get(value, [value.swapcase()])
        yield from each("text", node, (ast.Constant(text) for text in texts if text != value), 0.15)
    elif value is None:
        yield from each("constant", node, [ast.Constant(0), *names(scope.variables(node))], 0.08)


def emptied(_: Scope, node: ast.expr) -> Iterator[Edit]:
    """A collection that is written out, emptied."""
    if isinstance(node, ast.Dict) and node.keys:
        yield from each("emptied", node, [ast.Dict([], [])])
    elif isinstance(node, ast.List) and node.elts and isinstance(node.ctx, ast.Load):
        yield from each("emptied", node, [_EMPTY_LIST], 0.15)
    elif isinstance(node, ast.Set):
        yield from each("emptied", node, [call("set")])


def text_parts(_: Scope, node: ast.JoinedStr) -> Iterator[Edit]:
    """An f-string without each of its parts, and without each format."""
    for index, part in enumerate(node.values):
        before, behind = node.values[:index], node.values[index + 1 :]
        rest = [*before, *behind]
        yield from each("text part", node, [ast.JoinedStr(rest) if rest else ast.Constant("")])
        if isinstance(part, ast.FormattedValue) and part.format_spec is not None:
            plain = ast.FormattedValue(part.value, part.conversion, None)
            yield from each("format", node, [ast.JoinedStr([*before, plain, *behind])])


def starts(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """Another collection or number to start with: `[]` as `[[]]`, `{}` or a set, infinity negative."""
    if isinstance(node, ast.List) and isinstance(node.ctx, ast.Load):
        if node.elts:
            yield from each("start", node, node.elts[:1], 0.15)
            return
        yield from each("start", node, [ast.List([_EMPTY_LIST], ast.Load())], 0.25)
        nested = (ast.List([ast.Constant(value)], ast.Load()) for value in (0, 1, "", None))
        yield from each("start", node, nested, 0.08)
        yield from each("start", node, [ast.Dict([], []), call("set")], 0.1)
        yield from each("start", node, (ast.List([it], ast.Load()) for it in names(scope.variables(node))), 0.1)
    elif isinstance(node, ast.Dict) and not node.keys:
        yield from each("start", node, [_EMPTY_LIST, call("set")], 0.1)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id == "set" and not node.args:
            yield from each("start", node, [_EMPTY_LIST, ast.Dict([], [])], 0.1)
        if node.func.id == "float":
            yield from each("start", node, [ast.UnaryOp(ast.USub(), node), ast.Constant(0)], 0.25)
