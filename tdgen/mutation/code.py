"""A source text with its syntax tree: where each node stands in the text, what it hangs from, and prints of trees.

A print is a hash over a tree's shape: equal for two trees exactly where `ast.dump` is (chance collisions of 64 bits
aside). The prints of a source's own nodes are kept, so that the print of a changed tree costs only the path from the
change to the top.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from tdgen.replies.lines import line_starts
from tdgen.syntax import parse

UNPRINTED = frozenset({"ctx", "kind", "type_comment", "type_ignores"})
_SHARED = (ast.expr_context, ast.operator, ast.boolop, ast.unaryop, ast.cmpop)
_MISSING = object()

Changed = Mapping[tuple[ast.AST, str], Any]


class Place(NamedTuple):
    """What a node hangs from: its parent, the parent's field, and where in it, if the field is a list (else -1)."""

    parent: ast.AST
    field: str
    at: int


class Code:
    """A source and its tree. SyntaxError where it does not parse, or is nested too deeply."""

    def __init__(self, source: str) -> None:
        self.tree: ast.Module = parse(source)
        self.data = source.encode("utf-8")
        self.starts = line_starts(self.data)
        self.places: dict[ast.AST, Place] = {}
        self._prints: dict[ast.AST, int] = {}
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
        self._prints[node] = self.fresh_print(node)

    def fresh_print(self, node: Any) -> int:
        """The print of a tree, or of a part of one, that may hold nodes of the source as they are there."""
        if not isinstance(node, ast.AST):
            return hash((type(node).__name__, repr(node)))
        if (known := self._prints.get(node)) is not None:
            return known
        kind: Any = type(node)
        parts: list[Any] = [kind]
        for field in _printed(kind):
            value = getattr(node, field, None)
            if isinstance(value, list):
                parts.append(tuple([self.fresh_print(item) for item in value]))
            else:
                parts.append(self.fresh_print(value))
        return hash(tuple(parts))

    def print_of(self, node: Any, changed: Changed, dirty: Collection[ast.AST]) -> int:
        """The print of a tree with the fields in `changed`; `dirty` are the nodes whose kept print no longer holds."""
        if node not in dirty and self.has(node):
            return self._prints[node]
        if not isinstance(node, ast.AST):
            return self.fresh_print(node)
        kind: Any = type(node)
        parts: list[Any] = [kind]
        for field in _printed(kind):
            value = changed.get((node, field), _MISSING)
            value = getattr(node, field, None) if value is _MISSING else value
            if isinstance(value, list):
                parts.append(tuple([self.print_of(item, changed, dirty) for item in value]))
            else:
                parts.append(self.print_of(value, changed, dirty))
        return hash(tuple(parts))

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes that hold it, the nearest first."""
        place = self.places.get(node)
        while place:
            yield place.parent
            place = self.places.get(place.parent)

    def has(self, node: Any) -> bool:
        """Whether it is a node, and the source's own, not one that a change made."""
        return node in self._prints

    def start(self, node: ast.expr | ast.stmt) -> int:
        """The offset in bytes where it begins."""
        return self.starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        """The offset in bytes where it ends."""
        return self.starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)

    def text(self, node: ast.expr | ast.stmt) -> str:
        """What stands there."""
        return self.data[self.start(node) : self.end(node)].decode("utf-8")

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The nearest statement that holds it, or itself."""
        if isinstance(node, ast.stmt):
            return node
        return next((above for above in self.above(node) if isinstance(above, ast.stmt)), None)


def rebuilt(value: Any, changed: Changed, dirty: Collection[ast.AST]) -> Any:
    """The tree with the fields in `changed`: nodes on the way are copied, all others shared."""
    if isinstance(value, list):
        return [rebuilt(item, changed, dirty) for item in value]
    if not isinstance(value, ast.AST) or value not in dirty:
        return value
    fields = {f: rebuilt(changed.get((value, f), getattr(value, f, None)), changed, dirty) for f in value._fields}
    return ast.copy_location(type(value)(**fields), value)


@cache
def _printed(kind: type[ast.AST]) -> tuple[str, ...]:
    return tuple(field for field in kind._fields if field not in UNPRINTED)
