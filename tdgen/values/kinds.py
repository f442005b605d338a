"""The plain data that stands on the host for what has a class of its own: small frozen values, without any code.

Values of builtins and of the standard library are themselves. An instance of a builtin's subclass (an OrderedDict, a
Counter, a list of one's own) is the builtin's value, a path is a pure path, and a pattern is told but never compiled.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple


@dataclass(frozen=True)
class Record:
    """An instance of a declared type: its qualified class, and its fields in order (an exception's is `args`).

    Of an `instance` of a planned class the fields are its public attributes and properties.
    """

    class_name: str
    kind: Literal["dataclass", "namedtuple", "exception", "instance"]
    fields: tuple[tuple[str, Any], ...]

    @property
    def items(self) -> tuple[Any, ...]:
        """The fields' values: the tuple that a named tuple is."""
        return tuple(value for _, value in self.fields)


@dataclass(frozen=True)
class Member:
    """A member of an Enum. `base` is what it is as the mixed-in builtin (IntEnum, StrEnum), where `mixed` says so."""

    class_name: str
    name: str
    value: Any
    mixed: bool = False
    base: Any = None


@dataclass(frozen=True)
class Iterated:
    """What an iterator or a dict's view yielded; `more` where it would have gone on."""

    class_name: str
    items: tuple[Any, ...]
    more: bool = False

    @property
    def view(self) -> str:
        """Which view of a dict it is (dict_keys, dict_values, dict_items), or empty for an iterator."""
        name = self.class_name.removeprefix("builtins.")
        return name if name in ("dict_keys", "dict_values", "dict_items") else ""


@dataclass(frozen=True)
class Pattern:
    """A compiled regular expression's source and flags."""

    source: str | bytes
    flags: int


@dataclass(frozen=True)
class ClassName:
    """A class, by its qualified name."""

    name: str


@dataclass(frozen=True)
class Opaque:
    """What can't be told as data (a function, an open file, an object of no declared type), and what it is."""

    class_name: str
    what: str


@dataclass(frozen=True)
class Cycle:
    """Where a container holds itself: so many containers up from here."""

    up: int


@dataclass(frozen=True)
class Unordered:
    """A set or dict whose items or keys the host can't hash or tell apart; a dict's items are pairs."""

    kind: Literal["set", "frozenset", "dict"]
    items: tuple[Any, ...]


@dataclass(frozen=True)
class Scalar:
    """One of numpy's numbers, texts or moments, with its dtype; a moment's value counts the dtype's unit or is None."""

    dtype: str
    value: Any


@dataclass(frozen=True)
class NaT:
    """What pandas has in the place of a moment that is missing."""


@dataclass(frozen=True)
class Array:
    """An array: its items in C order; those of datetime64 and timedelta64 count the dtype's unit or are None."""

    dtype: str
    shape: tuple[int, ...]
    items: Sequence[Any]


@dataclass(frozen=True)
class Index:
    """The labels of a table's rows or columns."""

    name: Any
    values: Array

    def __len__(self) -> int:
        return len(self.values.items)


@dataclass(frozen=True)
class Series:
    """One column of values with an index."""

    name: Any
    index: Index
    values: Array


@dataclass(frozen=True)
class Frame:
    """A DataFrame: its columns' labels in order, its rows' labels, and an array for each column."""

    columns: Index
    index: Index
    values: tuple[Array, ...]


TABULAR = frozenset({Array, Index, Series, Frame})


def table_parts(table: Any) -> Iterator[tuple[str | int, Any]]:
    """The parts of an array or a table, each with where it is: an attribute, or the number of an item or column.

    It is what `np.testing.assert_array_equal` with `strict=True` and `pd.testing.assert_frame_equal` compare, in an
    order in which a part can be compared where those before it agree: dtype and shape, labels and names, then the
    items. Not looked at are the width of texts, the class and the frequency of an index, and flags.
    """
    if type(table) is Array:
        yield from ((".dtype", table.dtype), (".shape", table.shape))
        yield from ((place, item_of(table, place)) for place in range(len(table.items)))
    elif type(table) is Frame:
        yield from ((".columns", table.columns), (".index", table.index))
        yield from enumerate(table.values)
    else:
        yield ".name", table.name
        if type(table) is Series:
            yield ".index", table.index
        yield "", table.values


def item_of(array: Array, place: int) -> Any:
    """The item at `place` of those in C order, a moment with its dtype."""
    item = array.items[place]
    return Scalar(array.dtype, item) if array.dtype.startswith(("datetime64", "timedelta64")) else item


class Apart(NamedTuple):
    """A container taken apart: what it is (equal of two that agree), what it holds, and whether that has an order.

    Of a dict the items are pairs of a key and a value.
    """

    head: str
    items: Sequence[Any]
    kind: Literal["row", "set", "dict"] = "row"


def _record(value: Record) -> Apart:
    if value.kind == "namedtuple":
        return Apart("tuple", value.items)
    names = [name for name, _ in value.fields]
    return Apart(repr((value.kind, known_name(value.class_name), names)), value.items)


_KINDS: dict[type, Callable[[Any], Apart]] = {
    list: lambda value: Apart("list", value),
    tuple: lambda value: Apart("tuple", value),
    collections.deque: lambda value: Apart("deque", value),
    slice: lambda value: Apart("slice", (value.start, value.stop, value.step)),
    set: lambda value: Apart("set", list(value), "set"),
    frozenset: lambda value: Apart("set", list(value), "set"),
    dict: lambda value: Apart("dict", list(value.items()), "dict"),
    Unordered: lambda value: (
        Apart("dict", value.items, "dict") if value.kind == "dict" else Apart("set", value.items, "set")
    ),
    Record: _record,
    Iterated: lambda value: Apart(
        f"iterated {value.view} {value.more}",
        value.items,
        "set" if value.view in ("dict_keys", "dict_items") else "row",
    ),
    ClassName: lambda value: Apart(f"class {known_name(value.name)}", ()),
    Scalar: lambda value: Apart(f"scalar {value.dtype}", (value.value,)),
    **dict.fromkeys(TABULAR, lambda value: Apart(type(value).__name__, [part for _, part in table_parts(value)])),
}
"""How each kind that holds others is taken apart; all else is one value."""
CONTAINERS = frozenset(_KINDS)


def taken_apart(value: Any) -> Apart | None:
    """What a container is and holds; None for a value without parts, and for an Enum's member."""
    apart = _KINDS.get(type(value))
    return apart(value) if apart is not None else None


def last_name(class_name: str) -> str:
    """A class's own name, without its module and what it is nested in."""
    return class_name.rpartition(".")[2]


def known_name(class_name: str) -> str:
    """What a class is known by: a declared type by its own name, in whichever module, a builtin by its module too."""
    return class_name if class_name.startswith("builtins.") else last_name(class_name)


def holds_opaque(value: Any) -> bool:
    """Whether something in the plain `value` is opaque, so that nothing can ever agree with it."""
    pending: list[Any] = [value]
    visited: dict[int, Any] = {}  # the part too: an id means it only while it lives
    while pending:
        part = pending.pop()
        if type(part) is Opaque:
            return True
        if id(part) not in visited and (apart := taken_apart(part)):
            visited[id(part)] = part
            pending.extend(apart.items)
    return False
