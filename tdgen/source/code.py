"""A source with its syntax tree: what each node hangs from, the tree after an edit, and hashes of trees.

The hash of a tree is equal for two trees exactly where `ast.dump` is (chance collisions of 64 bits aside). Those of the
source's own nodes are kept, so that the hash of an edited tree costs only the path from the edit to the top.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from tdgen.source.syntax import parse

_UNHASHED = frozenset({"ctx", "kind", "type_comment", "type_ignores"})
_SHARED = (ast.expr_context, ast.operator, ast.boolop, ast.unaryop, ast.cmpop)

Replacements = Mapping[ast.AST, tuple[ast.AST, ...]]
"""Nodes of a tree, and what comes in the place of each."""


class Place(NamedTuple):
    """What a node hangs from: its parent, the parent's field, and where in it, if the field is a list (else -1)."""

    parent: ast.AST
    field: str
    at: int


class Code:
    """A source and its tree. SyntaxError where it does not parse, or is nested too deeply."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tree: ast.Module = parse(source)
        self.places: dict[ast.AST, Place] = {}
        self._hashes: dict[ast.AST, int] = {}
        try:
            self._enter(self.tree)
        except RecursionError:
            raise SyntaxError("nested too deeply to be changed") from None

    def _enter(self, node: ast.AST) -> None:
        for field, value in ast.iter_fields(node):
            for index, item in enumerate(value) if isinstance(value, list) else [(-1, value)]:
                if isinstance(item, ast.AST) and not isinstance(item, _SHARED):
                    self.places[item] = Place(node, field, index)
                    self._enter(item)
        self._hashes[node] = self.tree_hash(node)

    def has(self, node: ast.AST) -> bool:
        """Whether it is the source's own, not one that an edit made."""
        return node in self._hashes

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes that hold it, the nearest first."""
        place = self.places.get(node)
        while place:
            yield place.parent
            place = self.places.get(place.parent)

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The nearest statement that holds it, or itself."""
        return next((part for part in (node, *self.above(node)) if isinstance(part, ast.stmt)), None)

    def siblings(self, node: ast.AST) -> list[ast.stmt]:
        """The statements of the body that a statement stands in, with itself."""
        place = self.places[node]
        statements: list[ast.stmt] = getattr(place.parent, place.field)
        return statements

    def tree_hash(self, node: Any) -> int:
        """The hash of a tree that may hold nodes of the source as they are there."""
        if not isinstance(node, ast.AST):
            return hash((type(node).__name__, repr(node)))
        if (known := self._hashes.get(node)) is not None:
            return known
        kind: Any = type(node)
        parts: list[Any] = [kind]
        for field in _hashed(kind):
            value = getattr(node, field, None)
            if isinstance(value, list):
                parts.append(tuple([self.tree_hash(item) for item in value]))
            else:
                parts.append(self.tree_hash(value))
        return hash(tuple(parts))

    def edited(self, node: ast.AST, replacements: Replacements) -> Any:
        """The tree at a node of the source after an edit: nodes on the way are copied, all others shared.

        SyntaxError where it is nested more deeply than Python can follow.
        """
        above = {part for old in replacements for part in self.above(old)}
        try:
            return _in_place(node, replacements, above)[0]
        except RecursionError:
            raise SyntaxError("it is nested too deeply to be edited") from None


def _in_place(node: ast.AST, replacements: Replacements, above: Collection[ast.AST]) -> list[ast.AST]:
    """What stands in the place of a node; inside of what is new the source's nodes are as they were."""
    new = replacements.get(node, (node,))
    return [_copied(item, replacements, above) if item is node else item for item in new]


def _copied(node: ast.AST, replacements: Replacements, above: Collection[ast.AST]) -> ast.AST:
    if node not in above:
        return node
    fields: dict[str, Any] = {}
    for field, value in ast.iter_fields(node):
        fields[field] = value
        if isinstance(value, list):
            items = [new for item in value for new in _in_place(item, replacements, above)]
            fields[field] = items or (value and [ast.Pass()])
        elif isinstance(value, ast.AST):
            (fields[field],) = _in_place(value, replacements, above)
    kind: Any = type(node)
    copy: ast.AST = ast.copy_location(kind(**fields), node)
    return copy


@cache
def _hashed(kind: type[ast.AST]) -> tuple[str, ...]:
    return tuple(field for field in kind._fields if field not in _UNHASHED)
