"""Conditions: negated, forced, an operand less or more, another one altogether, `and` as `or`, filters dropped."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.edits import Edit, each
from tdgen.mutation.nodes import call, is_not, name, negated, with_fields, without
from tdgen.mutation.scope import ITEMS, Scope

_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_COMPARED = (ast.Lt, ast.LtE, ast.Eq, ast.NotEq)


def negated_test(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """A condition negated; of a comparison, and of `not`, that is their own operators' work."""
    if not _is_test(scope, node) or isinstance(node, ast.Constant) or is_not(node):
        return
    if not (isinstance(node, ast.Compare) and len(node.ops) == 1):
        operator = "filter" if scope.code.places[node].field == "ifs" else "condition"
        yield from each(operator, node, [negated(node)], 0.5)


def forced_test(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """A condition that always holds, or never; a loop is only turned off, which repairs nothing."""
    parent = scope.code.places[node].parent
    if _is_test(scope, node) and not isinstance(node, ast.Constant):
        if isinstance(parent, ast.If):
            yield from each("condition", node, [ast.Constant(value=True)], 0.08)
        if isinstance(parent, ast.If | ast.While):
            yield from each("condition", node, [ast.Constant(value=False)], 0.05 if isinstance(parent, ast.If) else 0.0)


def ternary(_: Scope, node: ast.IfExp) -> Iterator[Edit]:
    """`a if x else b` the other way round, and each side alone."""
    yield from each("ternary", node, [ast.IfExp(node.test, node.orelse, node.body)], 0.4)
    yield from each("ternary", node, [node.body, node.orelse], 0.25)


def and_or(_: Scope, node: ast.BoolOp) -> Iterator[Edit]:
    """`and` as `or`, and without each operand."""
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield from each("condition", node, [with_fields(node, op=other)], 0.7)
    for index in range(len(node.values)):
        rest = without(node.values, index)
        new = rest[0] if len(rest) == 1 else with_fields(node, values=rest)
        yield from each("operand dropped", node, [new], 0.4)


def operand_negated(_: Scope, node: ast.BoolOp) -> Iterator[Edit]:
    """An operand of `and` or `or` negated, and two swapped."""
    for value in node.values:
        yield from each("negation", value, [negated(value)], 0.4)
    if len(node.values) == 2:
        yield from each("operands swapped", node, [with_fields(node, values=node.values[::-1])], 0.2)


def filter_dropped(_: Scope, node: _Comprehension) -> Iterator[Edit]:
    """A comprehension without each of its filters."""
    for index, loop in enumerate(node.generators):
        for place in range(len(loop.ifs)):
            yield from _filtered(node, index, without(loop.ifs, place), 0.4)


def filter_added(scope: Scope, node: _Comprehension) -> Iterator[Edit]:
    """A comprehension with one more filter."""
    last = len(node.generators) - 1
    for other, prior in [*_truths(scope, node), *((c, 0.05) for c in _comparisons(scope, node))]:
        yield from _filtered(node, last, [*node.generators[last].ifs, other], prior * 0.6)


def other_test(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """A condition with one more operand, and another one; for a constant always another one."""
    if not _is_test(scope, node):
        return
    if isinstance(node, ast.Constant):
        for other, prior in _truths(scope, node):
            yield from each("condition", node, [other], min(prior * 4, 0.5))
        yield from each("condition", node, _comparisons(scope, node), 0.08)
        return
    for other, prior in _truths(scope, node):
        yield from each("condition added", node, _joined(node, other), prior)
        yield from each("condition", node, [other], prior * 0.4)
    for other in _comparisons(scope, node):
        yield from each("condition added", node, _joined(node, other), 0.03)


def returned_test(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """What is returned, if it may be a condition: negated, and with one more operand."""
    if isinstance(scope.code.places[node].parent, ast.Return):
        yield from each("negation", node, [negated(node)], 0.3)
        for other, prior in _truths(scope, node):
            yield from each("condition added", node, _joined(node, other), prior * 0.4)


def _is_test(scope: Scope, node: ast.expr) -> bool:
    parent, field, _ = scope.code.places[node]
    return field in {"test", "ifs"} and not isinstance(parent, ast.Assert)


def _filtered(node: _Comprehension, index: int, tests: list[ast.expr], prior: float) -> Iterator[Edit]:
    loops = list(node.generators)
    loops[index] = ast.comprehension(loops[index].target, loops[index].iter, tests, loops[index].is_async)
    yield from each("filter", node, [with_fields(node, generators=loops)], prior)


def _joined(node: ast.expr, other: ast.expr) -> Iterator[ast.expr]:
    """With one more operand, in front and behind."""
    for op in (ast.And(), ast.Or()):
        operands = node.values if isinstance(node, ast.BoolOp) and type(node.op) is type(op) else [node]
        yield ast.BoolOp(op, [*operands, other])
        yield ast.BoolOp(op, [other, *operands])


def _truths(scope: Scope, node: ast.expr) -> Iterator[tuple[ast.expr, float]]:
    """What can be asked of each variable at hand, with a prior."""
    inside = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    for text in scope.variables(node):
        prior = 0.12 if text in inside or scope.may_be(text, ITEMS) else 0.06
        yield name(text), prior
        yield ast.UnaryOp(ast.Not(), name(text)), prior
        for attribute in scope.attributes:
            yield ast.Attribute(name(text), attribute, ast.Load()), 0.08
        for op in (ast.IsNot(), ast.Is()):
            yield ast.Compare(name(text), [op], [ast.Constant(None)]), 0.06


def _comparisons(scope: Scope, node: ast.expr) -> Iterator[ast.expr]:
    """Numbers at hand compared with each other, and items asked for in collections."""
    numbers, items = scope.numbers(node)[:6], scope.items(node)[:6]
    for index, one in enumerate(numbers):
        for other in numbers[index + 1 :]:
            yield from (ast.Compare(name(one), [op()], [name(other)]) for op in _COMPARED)
        for collection in items:
            if collection != one:
                yield ast.Compare(name(one), [ast.Lt()], [call("len", name(collection))])
    for one in scope.variables(node)[:6]:
        for collection in items:
            if collection != one:
                yield from (ast.Compare(name(one), [op], [name(collection)]) for op in (ast.NotIn(), ast.In()))
