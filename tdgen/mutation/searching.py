"""Repairs to try, the likeliest first: single edits by how suspicious their line is and how often their kind heals."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from itertools import islice

from tdgen.mutation.carrying import carry_out
from tdgen.mutation.changes import Block, Change, Effect, effect, print_after
from tdgen.mutation.code import Code
from tdgen.mutation.fixes.bounds import slice_fixes
from tdgen.mutation.fixes.calls import call_fixes
from tdgen.mutation.fixes.conditions import condition_fixes
from tdgen.mutation.fixes.flow import flow_fixes
from tdgen.mutation.fixes.guess import Guess
from tdgen.mutation.fixes.inserted import insertions
from tdgen.mutation.fixes.numbers import number_fixes
from tdgen.mutation.fixes.operators import operator_fixes
from tdgen.mutation.fixes.returns import return_fixes
from tdgen.mutation.fixes.starts import keeping_fixes, start_fixes
from tdgen.mutation.fixes.variables import variable_fixes
from tdgen.mutation.live import live_nodes
from tdgen.mutation.mutant import Mutant
from tdgen.mutation.scope import Scope

MOST = 5000
UNSEEN = 0.5
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def repairs(
    source: str, function: str, *, suspicion: Mapping[int, float], names: Collection[str] = (), most: int = MOST
) -> Iterator[Mutant]:
    """Single edits of a source that does not do what it should, the likeliest to heal it first, at most `most`.

    `suspicion` is a share from 0 to 1 by line; lines inside functions that are absent are not edited, and where it is
    empty all are alike. What stands outside of functions no run tells of: it counts half of the most suspicious.
    `names` are functions at hand beside those of the source. SyntaxError where the source does not parse.
    """
    code = Code(source)
    for change, done in islice(_ranked(code, function, suspicion, names), most):
        if mutant := carry_out(code, change, done):
            yield mutant


def _ranked(
    code: Code, function: str, suspicion: Mapping[int, float], names: Collection[str]
) -> Iterator[tuple[Change, Effect]]:
    """The changes in order, none twice and none that changes nothing."""
    scope = Scope(code, names)
    nodes = [n for n in live_nodes(code, function) if isinstance(n, ast.stmt) or _of_lines(code, n, suspicion) > 0]
    guesses = [guess for node in nodes for guess in _guesses(code, scope, node)]
    weighed = [(guess.prior * _weight(code, guess.change, suspicion), guess.change) for guess in guesses]
    weighed.sort(key=lambda held: -held[0])
    seen = {print_after(code, Effect({}, frozenset()))}
    for weight, change in weighed:
        if weight <= 0:
            return
        done = effect(code, change)
        told = print_after(code, done)
        if told not in seen:
            seen.add(told)
            yield change, done


def _guesses(code: Code, scope: Scope, node: ast.expr | ast.stmt) -> Iterator[Guess]:
    if isinstance(node, ast.stmt):
        yield from keeping_fixes(code, node)
        yield from flow_fixes(code, node)
        yield from return_fixes(code, scope, node)
        yield from insertions(code, scope, node)
        return
    yield from variable_fixes(code, scope, node)
    if isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        yield from operator_fixes(node)
        yield from number_fixes(code, scope, node)
        yield from call_fixes(code, scope, node)
        yield from slice_fixes(scope, node)
        yield from condition_fixes(code, scope, node)
        yield from start_fixes(scope, node)


def _weight(code: Code, change: Change, suspicion: Mapping[int, float]) -> float:
    """How suspicious the lines are that a change is about."""
    weight = _of_lines(code, change.at, suspicion)
    if isinstance(change, Block) and suspicion:
        return max([weight, *(suspicion.get(line, 0.0) for line in _beside(code, change))])
    return weight


def _of_lines(code: Code, node: ast.expr | ast.stmt, suspicion: Mapping[int, float]) -> float:
    """The most suspicious of the lines from the start of a node's statement to its own end; a statement's own line."""
    if not suspicion:
        return 1.0
    statement = code.statement(node)
    if statement is None or not any(isinstance(n, _Function) for n in code.above(statement)):
        return UNSEEN * max(suspicion.values())
    last = node.lineno if isinstance(node, ast.stmt) else node.end_lineno or node.lineno
    return max(suspicion.get(line, 0.0) for line in range(statement.lineno, last + 1))


def _beside(code: Code, block: Block) -> Iterator[int]:
    """The lines of what stands beside the statement after it was moved, or something was added to it."""
    for body in block.bodies:
        held = body.statements
        if block.at in held:
            place = held.index(block.at)
            beside = [*held[max(place - 1, 0) : place], *held[place + 1 : place + 2], body.owner]
            yield from (part.lineno for part in beside if isinstance(part, ast.stmt) and code.has(part))
