"""Arrays and tables as `arrays` and `frames` tell them, read on the host into plain values that need no numpy.

The wire is hostile: shapes are held against the items that are there, and every part against the kind it must be.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tdgen.values.kinds import Array, Frame, Index, Missing, Scalar, Series, Stamp
from tdgen.values.readers import Unreadable, list_of, read_leaf, text_of

MAX_DIMENSIONS = 64
MAX_LENGTH = 2**31
_MISSING = frozenset({"masked", "NaT", "NA"})
_STAMPS = {"Timestamp": 2, "Timedelta": 1, "Period": 3, "Interval": 3}


class Decoder(Protocol):
    """What decodes the parts, as `plain` has it."""

    def decode(self, wire: Any, depth: int, level: int) -> Any:
        """The value of one node."""

    def all(self, items: list[Any], depth: int, level: int) -> tuple[Any, ...]:
        """Each of `items`."""

    def grow(self, size: int) -> None:
        """Count `size` more values; Unreadable where they are too many."""


def _ndarray(d: Decoder, wire: dict[str, Any], depth: int, level: int) -> Any:
    shape = tuple(list_of(wire, "shape"))
    if len(shape) > MAX_DIMENSIONS or not all(type(size) is int and 0 <= size < MAX_LENGTH for size in shape):
        raise Unreadable("an array of no readable shape")
    items = _records(d, wire, shape, depth, level) if "fields" in wire else _items(d, wire, depth, level)
    if len(items) != math.prod(shape):
        raise Unreadable("an array whose items don't fit its shape")
    return Array(_dtype(wire), shape, items)


def _items(d: Decoder, wire: dict[str, Any], depth: int, level: int) -> Sequence[Any]:
    """The items, or the range that they are."""
    told = wire.get("items")
    if type(told) is dict and told.get("$") == "range":
        items: range = read_leaf(told)
        bound = 2**61
        if not all(-bound < end < bound for end in (items.start, items.stop, items.step)):
            raise Unreadable("a range of no readable length")
        d.grow(len(items))
        return items
    return d.all(list_of(wire, "items"), depth, level)


def _records(d: Decoder, wire: dict[str, Any], shape: tuple[int, ...], depth: int, level: int) -> Sequence[Any]:
    """A structured array's items: a tuple of its fields' items each; of a field that is an array, its part."""
    count = math.prod(shape)
    d.grow(count)
    columns = []
    for pair in list_of(wire, "fields"):
        if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not str:
            raise Unreadable("a structured array's field is a name and an array")
        field = d.decode(pair[1], depth, level)
        if type(field) is not Array or field.shape[:1] != (count,):
            raise Unreadable("a structured array's field that doesn't fit it")
        size = math.prod(field.shape[1:])
        parts = [field.items[n * size : (n + 1) * size] for n in range(count)]
        columns.append([Array(field.dtype, field.shape[1:], part) if field.shape[1:] else part[0] for part in parts])
    return tuple(zip(*columns, strict=True)) if columns else ((),) * count


def _extension(d: Decoder, wire: dict[str, Any], depth: int, level: int) -> Any:
    categories = d.decode(wire["categories"], depth, level) if "categories" in wire else None
    if categories is not None and type(categories) is not Index:
        raise Unreadable("an array whose categories are no index")
    items = d.all(list_of(wire, "items"), depth, level)
    ordered = wire.get("ordered") is True
    return Array(_dtype(wire), (len(items),), items, True, categories, ordered)  # noqa: FBT003 - it is one


def _index(d: Decoder, wire: dict[str, Any], depth: int, level: int) -> Any:
    names = d.all(list_of(wire, "names"), depth, level)
    levels = d.all(list_of(wire, "levels", len(names)), depth, level)
    multi = wire.get("multi") is True
    if not levels or (len(levels) != 1 and not multi):
        raise Unreadable("an index of no readable levels")
    return Index(names, tuple(_column(array, levels[0]) for array in levels), multi)


def _series(d: Decoder, wire: dict[str, Any], depth: int, level: int) -> Any:
    name = d.decode(wire.get("name"), depth, level)
    index = _index_of(d.decode(wire.get("index"), depth, level))
    return Series(name, index, _column(d.decode(wire.get("values"), depth, level), index.levels[0]))


def _frame(d: Decoder, wire: dict[str, Any], depth: int, level: int) -> Any:
    columns = _index_of(d.decode(wire.get("columns"), depth, level))
    index = _index_of(d.decode(wire.get("index"), depth, level))
    values = d.all(list_of(wire, "values", len(columns)), depth, level)
    return Frame(columns, index, tuple(_column(array, index.levels[0]) for array in values))


def _dtype(wire: dict[str, Any]) -> str:
    dtype = text_of(wire, "dtype")
    if not dtype.isprintable():
        raise Unreadable("a dtype of no readable name")
    return dtype


def _column(array: Any, beside: Any) -> Array:
    """`array`, if it is one of as many items as the one `beside` it."""
    if type(array) is not Array or type(beside) is not Array or len(array.shape) != 1 or array.shape != beside.shape:
        raise Unreadable("a table whose columns don't fit one another")
    return array


def _index_of(value: Any) -> Index:
    if type(value) is not Index:
        raise Unreadable("a table without its index")
    return value


def _scalar(d: Decoder, wire: dict[str, Any], depth: int, level: int) -> Any:
    return Scalar(_dtype(wire), d.decode(wire.get("v"), depth, level))


def _stamp(d: Decoder, wire: dict[str, Any], depth: int, level: int) -> Any:
    kind = text_of(wire, "class")
    parts = d.all(list_of(wire, "parts", _STAMPS.get(kind, 0)), depth, level)
    if kind not in _STAMPS or (kind in ("Timestamp", "Timedelta") and not _is_count(parts[0])):
        raise Unreadable("a moment of no readable form")
    return Stamp(kind, parts)


def _is_count(value: Any) -> bool:
    return type(value) is Scalar and type(value.value) is int and -(2**63) <= value.value < 2**63


def _missing(d: Decoder, wire: dict[str, Any], depth: int, level: int) -> Any:
    name = text_of(wire, "v")
    if name not in _MISSING:
        raise Unreadable("something of no known kind is missing")
    return Missing(name)


TABLES: dict[str, Callable[[Any, Any, int, int], Any]] = {
    "ndarray": _ndarray,
    "array": _extension,
    "index": _index,
    "series": _series,
    "frame": _frame,
}
SCALARS: dict[str, Callable[[Any, Any, int, int], Any]] = {"numpy": _scalar, "pandas": _stamp, "missing": _missing}
