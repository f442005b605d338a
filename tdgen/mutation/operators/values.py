"""Values that stand in the text: numbers by one, texts and collections emptied, parts of f-strings, start values.

Another variable, attribute, item or part of it in the place of a variable; the parts of a tuple in another order.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.operators import Edit, each
from tdgen.source.scope import ITEMS, NUMBER, Scope
from tdgen.source.trees import call, constant, name, names, plus

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


def other_variable(scope: Scope, node: ast.Name) -> Iterator[Edit]:
    """Another variable read or stored, another function called."""
    parent, field, _ = scope.code.places[node]
    if isinstance(parent, ast.Call) and field == "func":
        yield from each("function", node, names(other for other in scope.functions if other != node.id), 0.15)
        return
    share = 0.15 if isinstance(node.ctx, ast.Store) else 0.4
    if isinstance(node.ctx, ast.Store) or node.id in scope.variables(node):
        for other in scope.variables(node):
            if other != node.id:
                yield from each("variable", node, [ast.Name(other, node.ctx)], share * scope.alike(node.id, other))


def part_of_variable(scope: Scope, node: ast.Name) -> Iterator[Edit]:
    """An attribute, an item or a part of a variable; for what may be a number, an item that it numbers."""
    if not isinstance(node.ctx, ast.Load) or node.id not in scope.variables(node):
        return
    parent, field, _ = scope.code.places[node]
    if isinstance(parent, ast.Call) and field == "func":
        return
    others = [other for other in scope.variables(node) if other != node.id]
    attributes = (ast.Attribute(name(node.id), attribute, ast.Load()) for attribute in scope.attributes)
    yield from each("attribute", node, attributes, 0.12)
    if scope.may_be(node.id, ITEMS):
        yield from _parts(scope, node, others)
    if scope.may_be(node.id, NUMBER):
        items = (other for other in others if scope.may_be(other, ITEMS))
        numbered = (ast.Subscript(name(item), name(node.id), ast.Load()) for item in items)
        yield from each("item", node, numbered, 0.1)
        yield from each("constant", node, [ast.Constant(0), ast.Constant(1)], 0.06)


def _parts(scope: Scope, node: ast.Name, others: list[str]) -> Iterator[Edit]:
    """`x[1:]`, `x[:-1]`, `x[i]`, `x[i:]`, `x[:i]`: of something that is a collection."""
    one, last = ast.Constant(1), ast.UnaryOp(ast.USub(), ast.Constant(1))
    parts: list[tuple[float, ast.expr]] = [
        (0.1, part) for part in (ast.Slice(one), ast.Slice(None, last), ast.Constant(0), last)
    ]
    for other in others:
        if scope.may_be(other, NUMBER):
            bound, after = name(other), plus(name(other), 1)
            parts += [(0.1, part) for part in (bound, ast.Slice(bound), ast.Slice(None, bound))]
            parts += [(0.06, part) for part in (ast.Slice(after), ast.Slice(None, after))]
    for prior, part in parts:
        yield from each("part", node, [ast.Subscript(name(node.id), part, ast.Load())], prior)


def attribute_or_item(scope: Scope, node: ast.Attribute | ast.Subscript) -> Iterator[Edit]:
    """Of an attribute or an item what it belongs to; another attribute, or one more."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        parent = scope.code.places[node].parent
        if isinstance(parent, ast.Call) and parent.func is node:
            return
        yield from each("attribute", node, [node.value], 0.3)
        for other in scope.attributes:
            if other != node.attr:
                yield from each("attribute", node, [ast.Attribute(node.value, other, ast.Load())], 0.4)
            yield from each("attribute", node, [ast.Attribute(node, other, ast.Load())], 0.12)
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield from each("item", node, [node.value], 0.2)
        if not isinstance(node.slice, ast.Slice):
            yield from each("item", node, [node.slice], 0.12)


def reordered(_: Scope, node: ast.Tuple | ast.List) -> Iterator[Edit]:
    """Neighbours in a short tuple or list swapped."""
    if len(node.elts) in (2, 3) and isinstance(node.ctx, ast.Load):
        for low in range(len(node.elts) - 1):
            elements = list(node.elts)
            elements[low : low + 2] = elements[low : low + 2][::-1]
            yield from each("operands swapped", node, [type(node)(elements, ast.Load())], 0.35)
