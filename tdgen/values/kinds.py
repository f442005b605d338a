"""The plain data that stands on the host for what has a class of its own: small frozen values, without any code.

Values of builtins and of the standard library are themselves. An instance of a builtin's subclass (an OrderedDict, a
Counter, a list of one's own) is the builtin's value, a path is a pure path, and a pattern is told but never compiled.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast


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


def parts_of(table: Any) -> Iterator[tuple[str | int, Any]]:
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


def holds_opaque(value: Any) -> bool:
    """Whether something in the plain `value` is opaque, so that nothing can ever agree with it."""
    pending, visited = [value], set[int]()
    while pending:
        part = pending.pop()
        if type(part) is Opaque:
            return True
        if id(part) not in visited:
            visited.add(id(part))
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
    if type(value) in TABULAR:
        return (part for _, part in parts_of(value))
    return (value.value,) if type(value) is Scalar else ()
