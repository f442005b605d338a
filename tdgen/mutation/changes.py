"""A change that is not carried out yet: an expression in the place of another, or bodies with other statements."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from tdgen.mutation.code import Code


class Swap(NamedTuple):
    """An expression of the source replaced by another, which may hold nodes of the source."""

    operator: str
    old: ast.expr
    new: ast.expr

    @property
    def at(self) -> ast.expr:
        """Where it is."""
        return self.old


class Body(NamedTuple):
    """The statements that a field (`body`, `orelse`, ...) of a node is to hold: the source's own, or new ones."""

    owner: ast.AST
    field: str
    statements: tuple[ast.stmt, ...]


class Block(NamedTuple):
    """Bodies whose statements are dropped, added, moved or replaced; `at` is the statement that it is about."""

    operator: str
    at: ast.stmt
    bodies: tuple[Body, ...]


Change = Swap | Block


class Effect(NamedTuple):
    """What a change does to the tree: fields' new values by owner and name, and the nodes no longer as they were."""

    changed: dict[tuple[ast.AST, str], Any]
    dirty: frozenset[ast.AST]


def effect(code: Code, change: Change) -> Effect:
    """The change as its effect on the source's tree."""
    if isinstance(change, Swap):
        parent, field, index = code.places[change.old]
        value: Any = change.new
        if index >= 0:
            value = list(getattr(parent, field))
            value[index] = change.new
        changed = {(parent, field): value}
    else:
        changed = {(body.owner, body.field): list(body.statements) for body in change.bodies}
    dirty = {owner for owner, _ in changed}
    return Effect(changed, frozenset(dirty.union(*(code.above(owner) for owner in dirty))))


def print_after(code: Code, done: Effect) -> int:
    """The print of the whole tree after the effect."""
    return code.print_of(code.tree, done.changed, done.dirty)


def instead(code: Code, operator: str, old: ast.stmt, *new: ast.stmt) -> Block:
    """A statement replaced by others, or by `pass` where its body would be left without any."""
    owner, field, index = code.places[old]
    held = list(getattr(owner, field))
    held[index : index + 1] = new
    return Block(operator, old, (Body(owner, field, tuple(held) or (ast.Pass(),)),))
