"""The plain data that stands on the host for what has a class of its own: small frozen values, without any code.

Values of builtins and of the standard library are themselves. An instance of a builtin's subclass (an OrderedDict, a
Counter, a list of one's own) is the builtin's value, a path is a pure path, and a pattern is told but never compiled.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast


@dataclass(frozen=True)
class Record:
    """An instance of a declared type: its qualified class, and its fields in order (an exception's is `args`)."""

    class_name: str
    kind: Literal["dataclass", "namedtuple", "exception"]
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
    """One of numpy's numbers, texts or moments, with its dtype; a moment's value counts the dtype's unit."""

    dtype: str
    value: Any


@dataclass(frozen=True)
class Missing:
    """What stands where there is nothing: NaT, NA or masked."""

    name: str


@dataclass(frozen=True)
class Stamp:
    """A Timestamp (its count as a Scalar, its zone), Timedelta, Period or Interval of pandas, by its parts."""

    kind: str
    parts: tuple[Any, ...]


@dataclass(frozen=True)
class Array:
    """An array: its items in C order, those of a structured one as tuples; `extension` where it is one of pandas' own.

    Items of datetime64 and timedelta64 are ints that count the dtype's unit. A category's array has `categories`.
    """

    dtype: str
    shape: tuple[int, ...]
    items: Sequence[Any]
    extension: bool = False
    categories: Index | None = None
    ordered: bool = False


@dataclass(frozen=True)
class Index:
    """The labels of a table's rows or columns: one array for each level, `multi` where it is a MultiIndex."""

    names: tuple[Any, ...]
    levels: tuple[Array, ...]
    multi: bool = False

    def __len__(self) -> int:
        return self.levels[0].shape[0] if self.levels else 0

    def label(self, place: int) -> Any:
        """The label at that place, a tuple where there are several levels."""
        labels = tuple(item_of(level, place) for level in self.levels)
        return labels if self.multi else labels[0]


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


def item_of(array: Array, place: int) -> Any:
    """The item at `place` of those in C order, with its dtype where that matters: of moments and complex numbers."""
    item = array.items[place]
    return Scalar(array.dtype, item) if array.dtype.startswith(_TYPED) and type(item) in (int, complex) else item


_TYPED = ("datetime64", "timedelta64", "complex")


def holds_opaque(value: Any) -> bool:
    """Whether something in the plain `value` is opaque, so that nothing can ever agree with it."""
    pending, seen = [value], set[int]()
    while pending:
        part = pending.pop()
        if type(part) is Opaque:
            return True
        if id(part) not in seen:
            seen.add(id(part))
            pending.extend(_parts(part))
    return False


def _parts(value: Any) -> Iterable[Any]:
    """What is directly inside a plain value."""
    if type(value) in (list, tuple, set, frozenset, collections.deque):
        return cast("Iterable[Any]", value)
    if type(value) is dict:
        return (part for pair in value.items() for part in pair)
    if type(value) in (Record, Iterated, Unordered):
        return cast("Iterable[Any]", value.items)
    if type(value) is slice:
        return (value.start, value.stop, value.step)
    return _parts_of_table(value)


def _parts_of_table(value: Any) -> Iterable[Any]:
    """What is directly inside of an array or a table."""
    if type(value) is Array:
        return () if type(value.items) is range else (*value.items, value.categories)
    if type(value) is Index:
        return (*value.names, *value.levels)
    if type(value) is Series:
        return (value.name, value.index, value.values)
    if type(value) is Frame:
        return (value.columns, value.index, *value.values)
    return (value.value,) if type(value) is Scalar else value.parts if type(value) is Stamp else ()
