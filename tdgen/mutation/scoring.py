"""Mutants by which a suite is scored: each one is a small fault that a strong suite finds."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.carrying import carry_out
from tdgen.mutation.changes import Change, Effect, effect, print_after
from tdgen.mutation.code import Code
from tdgen.mutation.live import live_nodes
from tdgen.mutation.mutant import Mutant
from tdgen.mutation.operators import arithmetic, bounds, calls, comparing, conditions, flow, returning, values

MOST = 200


def mutants(source: str, function: str, *, most: int = MOST) -> tuple[Mutant, ...]:
    """At most `most` mutants of a piece's code that `function` reaches, in the order of the text.

    Each parses, and differs from the source and from all others as a tree. Where there are more than `most`, they are
    taken evenly from all over the text. SyntaxError where the source does not parse.
    """
    code = Code(source)
    found = _distinct(code, (change for node in live_nodes(code, function) for change in changes(code, node)))
    found.sort(key=lambda held: (held[0].at.lineno, held[0].at.col_offset))
    if len(found) > most:
        found = [found[index * len(found) // most] for index in range(most)]
    made = (carry_out(code, change, done) for change, done in found)
    return tuple(mutant for mutant in made if mutant)


def changes(code: Code, node: ast.expr | ast.stmt) -> Iterator[Change]:
    """All that the operators know to change at a node."""
    if isinstance(node, ast.stmt):
        yield from _of_statement(code, node)
    elif not _is_inside_pattern(node):
        yield from _of_expression(code, node)


def _of_statement(code: Code, node: ast.stmt) -> Iterator[Change]:
    yield from flow.statements(code, node)
    if isinstance(node, ast.AugAssign):
        yield from arithmetic.augmented(code, node)
    elif isinstance(node, ast.Return):
        yield from returning.returns(code, node, _variables(code, node))
    elif isinstance(node, ast.If | ast.While):
        yield from conditions.tests(node)
    elif isinstance(node, ast.For):
        yield from bounds.loops(node)
    elif isinstance(node, ast.Raise):
        yield from flow.raising(code, node)
    elif isinstance(node, ast.Try):
        yield from flow.catching(code, node)


def _of_expression(code: Code, node: ast.expr) -> Iterator[Change]:
    if isinstance(node, ast.Constant):
        yield from values.constants(code, node)
    elif isinstance(node, ast.Compare):
        yield from comparing.comparisons(node)
    elif isinstance(node, ast.BinOp):
        yield from arithmetic.binary(node)
    elif isinstance(node, ast.BoolOp):
        yield from conditions.joined(node)
    elif isinstance(node, ast.UnaryOp):
        yield from arithmetic.unary(node)
    elif isinstance(node, ast.IfExp):
        yield from conditions.tests(node)
    elif isinstance(node, ast.Call):
        yield from calls.calls(code, node)
        yield from bounds.ranges(node)
    else:
        yield from _of_collection(node)


def _of_collection(node: ast.expr) -> Iterator[Change]:
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        yield from conditions.filters(node)
    elif isinstance(node, ast.Slice):
        yield from bounds.slices(node)
    elif isinstance(node, ast.JoinedStr):
        yield from values.text_parts(node)
    elif isinstance(node, ast.Yield):
        yield from returning.yields(node)
    else:
        yield from values.collections(node)


def _is_inside_pattern(node: ast.expr) -> bool:
    return isinstance(node, ast.FormattedValue)


def _distinct(code: Code, found: Iterator[Change]) -> list[tuple[Change, Effect]]:
    seen = {print_after(code, Effect({}, frozenset()))}
    kept = []
    for change in found:
        done = effect(code, change)
        told = print_after(code, done)
        if told not in seen:
            seen.add(told)
            kept.append((change, done))
    return kept


def _variables(code: Code, node: ast.stmt) -> list[str]:
    """What the function around a statement binds, its parameters with it."""
    function = next((n for n in code.above(node) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)), None)
    if function is None:
        return []
    names = []
    for part in ast.walk(function):
        if isinstance(part, ast.arg):
            names.append(part.arg)
        elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            names.append(part.id)
    return list(dict.fromkeys(names))
