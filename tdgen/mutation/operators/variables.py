"""Another variable, attribute, item or part of it in the place of a variable; the parts of a tuple in another order."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.edits import Edit, each
from tdgen.mutation.nodes import name, names, plus
from tdgen.mutation.scope import ITEMS, NUMBER, Scope


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
