"""A source with its syntax tree: what each node hangs from, the tree after an edit, and hashes of trees.

The hash of a tree is equal for two trees exactly where `ast.dump` is (chance collisions of 64 bits aside). Those of the
source's own nodes are kept, so that the hash of an edited tree costs only the path from the edit to the top.
"""

from __future__ import annotations

import ast
import dataclasses
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cache, cached_property
from typing import Any, NamedTuple

from tdgen.source.syntax import Function, parse
from tdgen.source.trees import called, is_display, number

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


NUMBER = "number"
ITEMS = "items"
MOST_VARIABLES = 12
MOST_ATTRIBUTES = 6
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_GIVES_NUMBER = frozenset({"len", "sum", "int", "float", "abs", "round", "ord", "index", "count", "find"})
_GIVES_ITEMS = frozenset({"list", "sorted", "set", "dict", "tuple", "str", "defaultdict", "deque", "split", "range"})
_TAKES_ITEMS = frozenset({"len", "sum", "sorted", "set", "enumerate", "zip", "list", "reversed", "any", "all", "iter"})
_OF_ITEMS = frozenset(
    {"append", "extend", "pop", "add", "remove", "insert", "items", "keys", "values", "get", "sort", "index", "count"}
)
_ITEM_TYPES = frozenset({"str", "list", "dict", "set", "tuple", "List", "Dict", "Set", "Tuple", "Sequence", "Iterable"})


@dataclasses.dataclass(eq=False)
class Scope:
    """The names of a piece, for any of its nodes."""

    code: Code
    _variables: dict[ast.AST, list[str]] = dataclasses.field(default_factory=dict)
    _near: dict[tuple[object, ...], list[str]] = dataclasses.field(default_factory=dict)

    @cached_property
    def functions(self) -> tuple[str, ...]:
        """The functions of the piece."""
        return tuple(dict.fromkeys(node.name for node in ast.walk(self.code.tree) if isinstance(node, Function)))

    @cached_property
    def kinds(self) -> dict[str, set[str]]:
        """What kinds of thing each name seems to be."""
        kinds: dict[str, set[str]] = {}
        for node in ast.walk(self.code.tree):
            for part, kind in [*_used_in_expression(node), *_used_in_statement(node)]:
                if isinstance(part, ast.Name):
                    kinds.setdefault(part.id, set()).add(kind)
        return kinds

    @cached_property
    def attributes(self) -> tuple[str, ...]:
        """The attributes that are used most, methods aside."""
        used = (node for node in ast.walk(self.code.tree) if isinstance(node, ast.Attribute))
        counts = Counter(node.attr for node in used if called(self.code.places[node].parent) != node.attr)
        return tuple(attribute for attribute, _ in counts.most_common(MOST_ATTRIBUTES))

    @cached_property
    def _globals(self) -> list[str]:
        body = self.code.tree.body
        return [name for node in body if not isinstance(node, Function) for name in _stored(node)]

    @cached_property
    def _lines(self) -> dict[str, list[int]]:
        """The lines on which each name stands."""
        lines: dict[str, list[int]] = {}
        for node in ast.walk(self.code.tree):
            if isinstance(node, ast.Name):
                lines.setdefault(node.id, []).append(node.lineno)
        return lines

    def variables(self, node: ast.AST) -> list[str]:
        """The variables at hand at a node, at most MOST_VARIABLES: of the functions and comprehensions around it."""
        names: list[str] = []
        for above in [node, *self.code.above(node)]:
            if isinstance(above, Function | ast.Lambda | _Comprehension):
                if above not in self._variables:
                    self._variables[above] = list(_bound(above))
                names += self._variables[above]
        names = list(dict.fromkeys([*names, *self._globals]))
        if len(names) <= MOST_VARIABLES:
            return names
        line = getattr(node, "lineno", 1)
        key = (line, *names)
        if key not in self._near:  # of too many names those that are used nearest to the line
            far = {name: min((abs(line - at) for at in self._lines.get(name, ())), default=line) for name in names}
            self._near[key] = sorted(names, key=lambda name: far[name])[:MOST_VARIABLES]
        return self._near[key]

    def alike(self, one: str, other: str) -> float:
        """A share from 0 to 1: how likely it is that two names hold the same kind of thing."""
        kinds, others = self.kinds.get(one), self.kinds.get(other)
        if not kinds or not others:
            return 0.6
        return 1.0 if kinds & others else 0.25

    def of_kind(self, node: ast.AST, kind: str) -> list[str]:
        """The variables at hand that may be of a kind."""
        return [name for name in self.variables(node) if self.may_be(name, kind)]

    def may_be(self, name: str, kind: str) -> bool:
        """Whether nothing speaks against it."""
        kinds = self.kinds.get(name)
        return not kinds or kind in kinds

    def seems(self, node: ast.expr, kind: str) -> bool:
        """Whether an expression may be of a kind."""
        if isinstance(node, ast.Name):
            return self.may_be(node.id, kind)
        if isinstance(node, ast.Compare | ast.BoolOp) or is_display(node):
            return kind == ITEMS and is_display(node)
        if isinstance(node, ast.Constant):
            return kind == NUMBER and isinstance(node.value, int | float) and not isinstance(node.value, bool)
        return True


def _stored(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id


def _bound(node: ast.AST) -> Iterator[str]:
    """What a function or comprehension binds itself, not the functions in it."""
    if isinstance(node, _Comprehension):
        for loop in node.generators:
            yield from _stored(loop.target)
        return
    if isinstance(node, Function | ast.Lambda):
        yield from (a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg) and a.arg not in {"self", "cls"})
    waiting: list[ast.AST] = list(node.body) if isinstance(node, Function) else []
    while waiting:
        part = waiting.pop(0)
        if isinstance(part, Function | ast.Lambda | ast.ClassDef | _Comprehension):
            continue
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id
        waiting = [*ast.iter_child_nodes(part), *waiting]


def _used_in_expression(node: ast.AST) -> Iterator[tuple[ast.AST | None, str]]:
    if isinstance(node, ast.Subscript):
        yield node.value, ITEMS
        for part in [node.slice.lower, node.slice.upper] if isinstance(node.slice, ast.Slice) else []:
            yield part, NUMBER
    elif isinstance(node, ast.Call):
        yield from _used_in_call(node)
    elif isinstance(node, ast.BinOp):
        plain = isinstance(node.op, ast.Sub | ast.Div | ast.FloorDiv | ast.Pow | ast.LShift | ast.RShift)
        if plain or any(number(part) is not None for part in (node.left, node.right)):
            yield from ((part, NUMBER) for part in (node.left, node.right))
    elif isinstance(node, ast.Compare):
        if any(number(part) is not None for part in (node.left, *node.comparators)):
            yield from ((part, NUMBER) for part in [node.left, *node.comparators])
        if isinstance(node.ops[-1], ast.In | ast.NotIn):
            yield node.comparators[-1], ITEMS
    elif isinstance(node, ast.comprehension):
        yield node.iter, ITEMS


def _used_in_call(node: ast.Call) -> Iterator[tuple[ast.AST, str]]:
    if kind := NUMBER if called(node) == "range" else ITEMS if called(node) in _TAKES_ITEMS else "":
        yield from ((part, kind) for part in node.args)
    if isinstance(node.func, ast.Attribute) and node.func.attr in _OF_ITEMS:
        yield node.func.value, ITEMS


def _used_in_statement(node: ast.AST) -> Iterator[tuple[ast.AST | None, str]]:
    if isinstance(node, ast.For):
        yield node.iter, ITEMS
        if called(node.iter) == "range":
            yield node.target, NUMBER
        if called(node.iter) == "enumerate" and isinstance(node.target, ast.Tuple):
            yield node.target.elts[0], NUMBER
    elif isinstance(node, ast.Assign | ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        value = node.value
        if number(value) is not None or called(value) in _GIVES_NUMBER:
            yield from ((target, NUMBER) for target in targets)
        elif is_display(value) or called(value) in _GIVES_ITEMS:
            yield from ((target, ITEMS) for target in targets)
    elif isinstance(node, ast.arg) and node.annotation is not None:
        name = node.annotation.value if isinstance(node.annotation, ast.Subscript) else node.annotation
        if isinstance(name, ast.Name) and name.id in _ITEM_TYPES | {"int", "float"}:
            yield ast.Name(node.arg, ast.Load()), ITEMS if name.id in _ITEM_TYPES else NUMBER
