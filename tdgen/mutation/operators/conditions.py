"""Conditions: negated, forced, one operand less, `and` as `or`, ternaries swapped, filters dropped."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.changes import Swap
from tdgen.mutation.operators.nodes import is_not, negated, with_fields

_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def tests(node: ast.If | ast.While | ast.IfExp) -> Iterator[Swap]:
    """A condition negated and forced; a comparison's negation is its operator's, a loop is only turned off."""
    test = node.test
    if isinstance(test, ast.Constant):
        return
    if not (is_not(test) or (isinstance(test, ast.Compare) and len(test.ops) == 1)):
        yield Swap("condition", test, negated(test))
    if isinstance(node, ast.IfExp):
        yield Swap("ternary", node, ast.IfExp(test, node.orelse, node.body))
        yield Swap("ternary", node, node.body)
        yield Swap("ternary", node, node.orelse)
        return
    if isinstance(node, ast.If):
        yield Swap("condition", test, ast.Constant(value=True))
    yield Swap("condition", test, ast.Constant(value=False))


def joined(node: ast.BoolOp) -> Iterator[Swap]:
    """`and` as `or`, and without each operand."""
    yield Swap("condition", node, with_fields(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And()))
    for index in range(len(node.values)):
        rest = [*node.values[:index], *node.values[index + 1 :]]
        yield Swap("operand dropped", node, rest[0] if len(rest) == 1 else with_fields(node, values=rest))


def filters(node: _Comprehension) -> Iterator[Swap]:
    """A comprehension without each of its filters, and with each negated."""
    for index, loop in enumerate(node.generators):
        for place, test in enumerate(loop.ifs):
            rest = [*loop.ifs[:place], *loop.ifs[place + 1 :]]
            other = ast.comprehension(loop.target, loop.iter, rest, loop.is_async)
            loops = [*node.generators[:index], other, *node.generators[index + 1 :]]
            yield Swap("filter", node, with_fields(node, generators=loops))
            if not (is_not(test) or (isinstance(test, ast.Compare) and len(test.ops) == 1)):
                yield Swap("filter", test, negated(test))
