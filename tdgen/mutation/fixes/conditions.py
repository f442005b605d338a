"""Conditions: negated, one more operand, another one altogether; loops that never end, given an end."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.code import Code
from tdgen.mutation.fixes.guess import Guess, name, swaps
from tdgen.mutation.operators.nodes import call, negated, with_fields
from tdgen.mutation.scope import ITEMS, Scope

_COMPARED = (ast.Lt, ast.LtE, ast.Eq, ast.NotEq)


def condition_fixes(code: Code, scope: Scope, node: ast.expr) -> Iterator[Guess]:
    """The guesses at a condition, and at a comprehension that may want one."""
    parent, field, _ = code.places[node]
    if field in {"test", "ifs"}:
        yield from _test(scope, node, isinstance(parent, ast.While))
    if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp):
        yield from _filters(scope, node)
    if isinstance(parent, ast.Return) and isinstance(node, ast.Compare | ast.BoolOp | ast.Call | ast.UnaryOp):
        yield from swaps(0.3, "negation", node, [negated(node)])
        for other, prior in _truths(scope, node):
            yield from swaps(prior * 0.4, "condition added", node, _joined(node, other))


def _test(scope: Scope, node: ast.expr, is_loop: bool) -> Iterator[Guess]:  # noqa: FBT001
    if isinstance(node, ast.Constant):
        for other, prior in _truths(scope, node):
            yield from swaps(min(prior * 4, 0.5), "condition", node, [other])
        yield from swaps(0.08, "condition", node, _comparisons(scope, node))
        return
    yield from swaps(0.5, "negation", node, [negated(node)])
    for other, prior in _truths(scope, node):
        yield from swaps(prior, "condition added", node, _joined(node, other))
        yield from swaps(prior * 0.4, "condition", node, [other])
    for other in _comparisons(scope, node):
        yield from swaps(0.03, "condition added", node, _joined(node, other))
    yield from swaps(0.08, "condition", node, [ast.Constant(value=True)] if not is_loop else [])
    yield from swaps(0.05, "condition", node, [ast.Constant(value=False)] if not is_loop else [])


def _joined(node: ast.expr, other: ast.expr) -> list[ast.expr]:
    """With one more operand, in front and behind."""
    found: list[ast.expr] = []
    for op in (ast.And(), ast.Or()):
        same = isinstance(node, ast.BoolOp) and type(node.op) is type(op)
        held = node.values if same and isinstance(node, ast.BoolOp) else [node]
        found += [ast.BoolOp(op, [*held, other]), ast.BoolOp(op, [other, *held])]
    return found


def _truths(scope: Scope, node: ast.expr) -> Iterator[tuple[ast.expr, float]]:
    """What can be asked of each variable at hand, with a prior."""
    inside = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    for text in scope.variables(node):
        prior = 0.12 if text in inside or scope.may_be(text, ITEMS) else 0.06
        yield name(text), prior
        yield ast.UnaryOp(ast.Not(), name(text)), prior
        for attribute in scope.attributes:
            yield ast.Attribute(name(text), attribute, ast.Load()), 0.08
        for op, prior in ((ast.IsNot(), 0.06), (ast.Is(), 0.06)):
            yield ast.Compare(name(text), [op], [ast.Constant(None)]), prior


def _comparisons(scope: Scope, node: ast.expr) -> Iterator[ast.expr]:
    """Numbers at hand compared with each other, and items asked for in collections."""
    numbers, items = scope.numbers(node)[:6], scope.items(node)[:6]
    for index, one in enumerate(numbers):
        for other in numbers[index + 1 :]:
            for op in _COMPARED:
                yield ast.Compare(name(one), [op()], [name(other)])
        for held in items:
            if held != one:
                yield ast.Compare(name(one), [ast.Lt()], [call("len", name(held))])
    for one in scope.variables(node)[:6]:
        for held in items:
            if held != one:
                yield ast.Compare(name(one), [ast.NotIn()], [name(held)])
                yield ast.Compare(name(one), [ast.In()], [name(held)])


def _filters(scope: Scope, node: ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp) -> Iterator[Guess]:
    for index, loop in enumerate(node.generators):
        loops = list(node.generators)
        for place in range(len(loop.ifs)):
            rest = [*loop.ifs[:place], *loop.ifs[place + 1 :]]
            loops[index] = ast.comprehension(loop.target, loop.iter, rest, loop.is_async)
            yield from swaps(0.4, "filter", node, [with_fields(node, generators=list(loops))])
        if index == len(node.generators) - 1:
            for other, prior in [*_truths(scope, node), *((c, 0.05) for c in _comparisons(scope, node))]:
                loops[index] = ast.comprehension(loop.target, loop.iter, [*loop.ifs, other], loop.is_async)
                yield from swaps(prior * 0.6, "filter", node, [with_fields(node, generators=list(loops))])
