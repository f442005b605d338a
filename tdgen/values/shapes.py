"""Annotations as shapes: which plain values a type admits, as far as reading tells; no line of code is run."""

from __future__ import annotations

import ast
import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePath
from typing import Any

from tdgen.source.syntax import expression_or_none, literal_or
from tdgen.types import SharedType


@dataclass(frozen=True)
class Constructed:
    """A value that is told by its constructor's call: a record of a shared type, or one of the standard library's."""

    name: str
    positional: tuple[Any, ...] = ()
    named: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Word:
    """A value that is told by a name: an enum's member (`Color.RED`)."""

    name: str


@dataclass(frozen=True)
class Shape:
    """What a type admits.

    `kind` is `any`, `unknown` (it can't be told), or names the type; `parts` are its parameters' shapes (a union's
    members, a tuple's places, a record's fields), `values` a Literal's, `names` a record's fields or an enum's members,
    `name` the shared type's.
    """

    kind: str
    parts: tuple[Shape, ...] = ()
    values: tuple[Any, ...] = ()
    names: tuple[str, ...] = ()
    name: str = ""


ANY = Shape("any")
UNKNOWN = Shape("unknown")
NONE = Shape("none")

_PLAIN: dict[str, type | tuple[type, ...]] = {
    "int": int, "float": (int, float), "complex": (int, float, complex), "str": str, "bool": bool,
    "bytes": bytes, "none": type(None), "decimal": Decimal, "fraction": Fraction, "datetime": dt.datetime,
    "date": dt.date, "timedelta": dt.timedelta, "path": PurePath, "list": list, "set": set,
    "frozenset": frozenset, "dict": dict, "tuple": tuple, "row": tuple,
    "sequence": (list, tuple, str, bytes), "iterable": (list, tuple, str, bytes, set, frozenset, dict),
}  # fmt: skip
_BY_NAME = {
    **{name: name for name in ("int", "float", "complex", "str", "bool", "bytes", "datetime", "date", "timedelta")},
    "Decimal": "decimal", "Fraction": "fraction", "Path": "path", "PurePath": "path", "None": "none", "Any": "any",
    "object": "any", "list": "list", "List": "list", "MutableSequence": "list", "set": "set", "Set": "set",
    "AbstractSet": "set", "MutableSet": "set", "frozenset": "frozenset", "FrozenSet": "frozenset", "dict": "dict",
    "Dict": "dict", "Mapping": "dict", "MutableMapping": "dict", "tuple": "row", "Tuple": "row",
    "Sequence": "sequence", "Iterable": "iterable", "Collection": "iterable",
}  # fmt: skip
_DEEPEST = 6  # a judgement: annotations that people write are not nested deeper


def shape_of(annotation: str, shared: Iterable[SharedType] = ()) -> Shape:
    """The shape of an annotation; `unknown` where it names what isn't known by reading, such as a Callable."""
    tree = expression_or_none(annotation)
    if tree is None:
        return UNKNOWN
    try:
        return _Reading({kind.name: kind for kind in shared}).shape(tree, 0)
    except RecursionError:  # a union of very many members is nested as deep
        return UNKNOWN


def fits(value: Any, shape: Shape) -> bool:
    """Whether a type admits a value; an int is a float as typing has it, a bool is an int, no float is an int."""
    kind = shape.kind
    plain = _PLAIN.get(kind)
    if plain is None:
        if kind in ("any", "unknown"):
            return True
        if kind == "union":
            return any(fits(value, part) for part in shape.parts)
        if kind == "literal":
            return any(type(value) is type(known) and value == known for known in shape.values)
        return _is_of(value, shape)
    is_plain = isinstance(value, plain)  # by name, as mypy would read all below by the type of `plain` alone
    if not is_plain:
        return isinstance(value, Constructed) and kind in ("sequence", "iterable")
    # A bool is no number where a float is asked for, and a datetime no date: both are rather slips of the pen.
    if isinstance(value, bool):
        return kind in ("bool", "int")
    if kind == "date" and isinstance(value, dt.datetime):
        return False
    if kind == "tuple":
        return len(value) == len(shape.parts) and all(map(fits, value, shape.parts))
    if isinstance(value, dict) and len(shape.parts) == 2:
        return all(fits(k, shape.parts[0]) and fits(v, shape.parts[1]) for k, v in value.items())
    return not shape.parts or all(fits(item, shape.parts[0]) for item in value)


def _is_of(value: Any, shape: Shape) -> bool:
    if shape.kind == "typed_dict":
        return isinstance(value, dict) or (isinstance(value, Constructed) and value.name == shape.name)
    if shape.kind == "enum":
        return isinstance(value, Word) and value.name.partition(".")[0] == shape.name
    if not isinstance(value, Constructed) or value.name != shape.name:
        return False
    named = dict(value.named)
    given = [*value.positional, *(named[name] for name in shape.names[len(value.positional) :] if name in named)]
    return all(fits(item, part) for item, part in zip(given, shape.parts, strict=False))


@dataclass(frozen=True)
class _Reading:
    """The way from an annotation's tree to its shape; a record that holds itself ends in `unknown`."""

    shared: Mapping[str, SharedType]

    def shape(self, node: ast.expr, depth: int) -> Shape:
        """The shape of one node."""
        if depth > _DEEPEST:
            return UNKNOWN
        match node:
            case ast.Constant(value=None):
                return NONE
            case ast.Constant(value=str() as quoted):
                return self.quoted(quoted, depth)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return union([self.shape(left, depth), self.shape(right, depth)])
            case ast.Subscript(value=base, slice=inside):
                items = inside.elts if isinstance(inside, ast.Tuple) else [inside]
                return self.generic(_last_name(base), items, depth + 1)
            case ast.Name() | ast.Attribute():
                name = _last_name(node)
                if name in self.shared:
                    return self.record(self.shared[name], depth + 1)
                return Shape(_BY_NAME[name]) if name in _BY_NAME else UNKNOWN
        return UNKNOWN

    def quoted(self, annotation: str, depth: int) -> Shape:
        """An annotation inside quotes."""
        tree = expression_or_none(annotation)
        return UNKNOWN if tree is None else self.shape(tree, depth + 1)

    def generic(self, name: str, items: Sequence[ast.expr], depth: int) -> Shape:
        """A type with parameters."""
        if name == "Literal":
            values = [_literal(item) for item in items]
            return UNKNOWN if _literal in values else Shape("literal", values=tuple(values))
        if name in ("Annotated", "Final"):
            return self.shape(items[0], depth)
        if name in ("Optional", "Union"):
            shapes = [self.shape(item, depth) for item in items]
            return union([*shapes, NONE] if name == "Optional" else shapes)
        kind = _BY_NAME.get(name, "unknown")
        dots = [item for item in items if isinstance(item, ast.Constant) and item.value is Ellipsis]
        if kind == "row" and not (len(items) == 2 and items[1] in dots):
            return Shape("tuple", tuple(self.shape(item, depth) for item in items))
        parts = tuple(self.shape(item, depth) for item in items if item not in dots)
        return Shape(kind, parts) if kind != "unknown" else UNKNOWN

    def record(self, kind: SharedType, depth: int) -> Shape:
        """A shared type."""
        names = tuple(field.name for field in kind.fields)
        if kind.kind == "enum":
            return Shape("enum", names=names, name=kind.name)
        if kind.kind == "type_var":
            return self.quoted(kind.base, depth) if kind.base else ANY
        if kind.kind in ("exception", "param_spec") or depth > _DEEPEST:
            return UNKNOWN
        parts = tuple(self.quoted(field.type, depth) for field in kind.fields)
        return Shape("typed_dict" if kind.kind == "typed_dict" else "record", parts, names=names, name=kind.name)


def union(shapes: Iterable[Shape]) -> Shape:
    """The shape that admits what any of `shapes` does."""
    members: list[Shape] = []
    for shape in shapes:
        for member in shape.parts if shape.kind == "union" else (shape,):
            if member not in members:
                members.append(member)
    if not members or any(member.kind in ("any", "unknown") for member in members):
        return UNKNOWN
    return members[0] if len(members) == 1 else Shape("union", tuple(members))


def admits_none(shape: Shape) -> bool:
    """Whether None is said to be a value of the type."""
    return shape.kind == "none" or (shape.kind == "union" and NONE in shape.parts)


def _literal(node: ast.expr) -> Any:
    """A Literal's value; this very function where it is none that can be read."""
    return literal_or(node, _literal)


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
