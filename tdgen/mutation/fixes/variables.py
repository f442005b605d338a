"""Another variable, attribute, item or part of it in the place of a variable."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.code import Code
from tdgen.mutation.fixes.guess import Guess, name, names, swaps
from tdgen.mutation.operators.nodes import plus
from tdgen.mutation.scope import ITEMS, NUMBER, Scope


def variable_fixes(code: Code, scope: Scope, node: ast.expr) -> Iterator[Guess]:
    """The guesses at a name, an attribute or an item."""
    if isinstance(node, ast.Name):
        parent, field, _ = code.places[node]
        if isinstance(node.ctx, ast.Store):
            yield from _stored(scope, node)
        elif isinstance(parent, ast.Call) and field == "func":
            others = (other for other in scope.functions if other != node.id)
            yield from swaps(0.15, "function", node, names(others))
        elif node.id in scope.variables(node):
            yield from _read(scope, node)
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        yield from _attribute(code, scope, node)
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield from swaps(0.2, "item", node, [node.value])
        if not isinstance(node.slice, ast.Slice):
            yield from swaps(0.12, "item", node, [node.slice])
    if isinstance(node, ast.Tuple | ast.List) and len(node.elts) in (2, 3) and isinstance(node.ctx, ast.Load):
        yield from _reordered(node)


def _read(scope: Scope, node: ast.Name) -> Iterator[Guess]:
    others = [other for other in scope.variables(node) if other != node.id]
    for other in others:
        yield from swaps(0.4 * scope.alike(node.id, other), "variable", node, [name(other)])
    for attribute in scope.attributes:
        yield from swaps(0.12, "attribute", node, [ast.Attribute(name(node.id), attribute, ast.Load())])
    if scope.may_be(node.id, ITEMS):
        yield from _parts(scope, node, others)
    if scope.may_be(node.id, NUMBER):
        items = (other for other in others if scope.may_be(other, ITEMS))
        yield from swaps(0.1, "item", node, [ast.Subscript(name(x), name(node.id), ast.Load()) for x in items])
        yield from swaps(0.06, "constant", node, [ast.Constant(0), ast.Constant(1)])


def _parts(scope: Scope, node: ast.Name, others: list[str]) -> Iterator[Guess]:
    """`x[1:]`, `x[:-1]`, `x[i]`, `x[i:]`, `x[:i]`: of something that is a collection."""
    first, last = ast.Slice(ast.Constant(1)), ast.Slice(None, ast.UnaryOp(ast.USub(), ast.Constant(1)))
    ends = (ast.Constant(0), ast.UnaryOp(ast.USub(), ast.Constant(1)))
    yield from _subscripts(0.1, node, [first, last, *ends])
    for other in others:
        if scope.may_be(other, NUMBER):
            bound, after = name(other), plus(name(other), 1)
            yield from _subscripts(0.1, node, [bound, ast.Slice(bound), ast.Slice(None, bound)])
            yield from _subscripts(0.06, node, [ast.Slice(after), ast.Slice(None, after)])


def _subscripts(prior: float, node: ast.Name, slices: list[ast.expr]) -> Iterator[Guess]:
    yield from swaps(prior, "part", node, [ast.Subscript(name(node.id), part, ast.Load()) for part in slices])


def _stored(scope: Scope, node: ast.Name) -> Iterator[Guess]:
    for other in scope.variables(node):
        if other != node.id:
            prior = 0.15 * scope.alike(node.id, other)
            yield from swaps(prior, "variable", node, [ast.Name(other, ast.Store())])


def _attribute(code: Code, scope: Scope, node: ast.Attribute) -> Iterator[Guess]:
    parent = code.places[node].parent
    if isinstance(parent, ast.Call) and parent.func is node:
        return
    yield from swaps(0.3, "attribute", node, [node.value])
    for other in scope.attributes:
        if other != node.attr:
            yield from swaps(0.4, "attribute", node, [ast.Attribute(node.value, other, ast.Load())])
        yield from swaps(0.12, "attribute", node, [ast.Attribute(node, other, ast.Load())])


def _reordered(node: ast.Tuple | ast.List) -> Iterator[Guess]:
    for low in range(len(node.elts) - 1):
        elements = list(node.elts)
        elements[low : low + 2] = elements[low : low + 2][::-1]
        yield from swaps(0.35, "operands swapped", node, [type(node)(elements, ast.Load())])
