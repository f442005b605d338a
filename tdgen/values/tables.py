"""numpy's and pandas' values as `arrays` tells them, read on the host into plain values that need neither.

The wire is hostile: shapes are held against the items that are there, and every part against the kind it must be.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol

from tdgen.values.kinds import Array, Frame, Index, NaT, Scalar, Series
from tdgen.values.readers import Unreadable, list_of, text_of

MAX_DIMENSIONS = 64
MAX_LENGTH = 2**31


class Decoder(Protocol):
    """What decodes the parts, as `plain` has it."""

    def decode(self, wire: Any, depth: int, level: int) -> Any:
        """The value of one node."""

    def all(self, items: list[Any], depth: int, level: int) -> tuple[Any, ...]:
        """Each of `items`."""

    def grow(self, size: int) -> None:
        """Count `size` more values; Unreadable where they are too many."""


def _array(d: Decoder, wire: dict[str, Any], depth: int, level: int) -> Any:
    shape = tuple(list_of(wire, "shape"))
    if len(shape) > MAX_DIMENSIONS or not all(type(size) is int and 0 <= size < MAX_LENGTH for size in shape):
        raise Unreadable("an array of no readable shape")
    items = d.all(list_of(wire, "items"), depth, level)
    if len(items) != math.prod(shape):
        raise Unreadable("an array whose items don't fit its shape")
    return Array(_dtype(wire), shape, items)


def _dtype(wire: dict[str, Any]) -> str:
    dtype = text_of(wire, "dtype")
    if not dtype.isprintable():
        raise Unreadable("a dtype of no readable name")
    return dtype


def _index(d: Decoder, wire: dict[str, Any], depth: int, level: int) -> Any:
    name, labels = d.all([wire.get("name"), wire.get("values")], depth, level)
    if type(labels) is range:
        if not all(abs(end) < 2**61 for end in (labels.start, labels.stop, labels.step)):
            raise Unreadable("a range of no readable length")
        d.grow(len(labels))
        labels = Array("int64", (len(labels),), labels)
    return Index(name, _column(labels))


def _series(d: Decoder, wire: dict[str, Any], depth: int, level: int) -> Any:
    name, index, values = d.all([wire.get("name"), wire.get("index"), wire.get("values")], depth, level)
    return Series(name, index, _column(values, index))


def _frame(d: Decoder, wire: dict[str, Any], depth: int, level: int) -> Any:
    columns, index = d.all([wire.get("columns"), wire.get("index")], depth, level)
    values = d.all(list_of(wire, "values"), depth, level)
    if type(columns) is not Index or type(index) is not Index or len(columns) != len(values):
        raise Unreadable("a table whose columns don't fit its labels")
    return Frame(columns, index, tuple(_column(array, index) for array in values))


def _column(array: Any, index: Any = None) -> Array:
    """`array`, if it is one of a single dimension, with as many items as `index` has labels where that is given."""
    if type(array) is not Array or len(array.shape) != 1:
        raise Unreadable("a table whose columns are no arrays")
    if index is not None and (type(index) is not Index or len(index) != len(array.items)):
        raise Unreadable("a table whose columns don't fit its labels")
    return array


def _scalar(d: Decoder, wire: dict[str, Any], depth: int, level: int) -> Any:
    return Scalar(_dtype(wire), d.decode(wire.get("v"), depth, level))


TABLES: dict[str, Callable[[Any, Any, int, int], Any]] = {
    "ndarray": _array,
    "index": _index,
    "series": _series,
    "frame": _frame,
}
SCALARS: dict[str, Callable[[Any, Any, int, int], Any]] = {
    "numpy": _scalar,
    "nat": lambda d, wire, depth, level: NaT(),
}
