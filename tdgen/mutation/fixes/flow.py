"""Statements dropped, swapped with their neighbour, moved out or in; other jumps; `if` as `while`; branches swapped."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.changes import Block, Body, instead
from tdgen.mutation.code import Code
from tdgen.mutation.fixes.guess import Guess

_Holder = ast.For | ast.While | ast.If | ast.With | ast.Try


def flow_fixes(code: Code, node: ast.stmt) -> Iterator[Guess]:
    """The guesses at a statement's place, and at whether it should be there."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    owner, field, index = code.places[node]
    held: list[ast.stmt] = getattr(owner, field)
    yield Guess(0.25, instead(code, "statement dropped", node))
    if index + 1 < len(held):
        swapped = [*held[:index], held[index + 1], node, *held[index + 2 :]]
        yield Guess(0.25, _block("statements swapped", node, (owner, field, swapped)))
    yield from _out(code, node)
    yield from _in(code, node)
    yield from _jumps(code, node)
    if isinstance(node, ast.If | ast.While):
        yield from _branches(code, node)


def _block(told: str, at: ast.stmt, *bodies: tuple[ast.AST, str, list[ast.stmt]]) -> Block:
    return Block(told, at, tuple(Body(owner, field, tuple(held) or (ast.Pass(),)) for owner, field, held in bodies))


def _out(code: Code, node: ast.stmt) -> Iterator[Guess]:
    """The last statement of a body behind, the first before the statement that holds it."""
    owner, field, index = code.places[node]
    if not isinstance(owner, _Holder):
        return
    held: list[ast.stmt] = getattr(owner, field)
    above, place, at = code.places[owner]
    around: list[ast.stmt] = getattr(above, place)
    rest = [*held[:index], *held[index + 1 :]]
    for after in (True, False):
        is_edge = index == (len(held) - 1 if after else 0)
        prior = (0.35 if after else 0.2) if is_edge else 0.06
        outer = [*around[: at + after], node, *around[at + after :]]
        yield Guess(prior, _block("moved out", node, (owner, field, rest), (above, place, outer)))


def _in(code: Code, node: ast.stmt) -> Iterator[Guess]:
    """A statement at the end of the body of the one before, or at the start of the one behind."""
    owner, field, index = code.places[node]
    held: list[ast.stmt] = getattr(owner, field)
    rest = [*held[:index], *held[index + 1 :]]
    if index and isinstance(before := held[index - 1], _Holder):
        for part in ("body", "orelse"):
            inner: list[ast.stmt] = getattr(before, part, [])
            if inner:
                yield Guess(0.2, _block("moved in", node, (owner, field, rest), (before, part, [*inner, node])))
    if index + 1 < len(held) and isinstance(behind := held[index + 1], _Holder):
        yield Guess(0.12, _block("moved in", node, (owner, field, rest), (behind, "body", [node, *behind.body])))
    if index and isinstance(before, ast.If) and not before.orelse and isinstance(node, ast.If):
        chained = ast.If(before.test, before.body, [node])
        anew = [*held[: index - 1], chained, *held[index + 1 :]]
        yield Guess(0.15, _block("chained", node, (owner, field, anew)))


def _jumps(code: Code, node: ast.stmt) -> Iterator[Guess]:
    if isinstance(node, ast.Break):
        yield Guess(0.4, instead(code, "jump", node, ast.Continue()))
        yield Guess(0.2, instead(code, "jump", node, ast.Return(None)))
    elif isinstance(node, ast.Continue):
        yield Guess(0.4, instead(code, "jump", node, ast.Break()))
        yield Guess(0.1, instead(code, "jump", node, ast.Return(None)))


def _branches(code: Code, node: ast.If | ast.While) -> Iterator[Guess]:
    if isinstance(node, ast.While):
        yield Guess(0.1, instead(code, "loop", node, ast.If(node.test, node.body, node.orelse)))
        return
    yield Guess(0.12, instead(code, "loop", node, ast.While(node.test, node.body, node.orelse)))
    yield Guess(0.12, instead(code, "unconditional", node, *node.body))
    if node.orelse:
        yield Guess(0.2, instead(code, "branches swapped", node, ast.If(node.test, node.orelse, node.body)))
        yield Guess(0.12, instead(code, "branch dropped", node, ast.If(node.test, node.body, [])))
        yield Guess(0.12, instead(code, "branch dropped", node, ast.If(node.test, node.body, []), *node.orelse))
