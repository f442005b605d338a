"""Two arrays or tables side by side: the pieces that must agree, in the order in which a difference is worth telling.

What `np.testing.assert_array_equal` with `strict=True` and `pd.testing.assert_frame_equal` compare: dtype and shape,
then labels and names, then item by item. int32 is not int64 and a DataFrame's columns have an order. Not looked at are
the width of texts, which of pandas' classes an index of the same dtype and labels is, its frequency, and flags.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tdgen.values.kinds import Array, Frame, Index, Series, item_of

TABULAR = frozenset({Array, Index, Series, Frame})
Piece = tuple["Place", Any, Any]


class Place(NamedTuple):
    """Where a piece is: `what`, which of them, and what its label is found in.

    Where a `whole` piece differs, what comes after it can't be compared.
    """

    what: str
    number: int = 0
    within: Any = None
    whole: bool = False


def pieces(expected: Any, actual: Any) -> Iterator[Piece] | None:
    """The pieces of two arrays or tables of one kind; None for two that are not."""
    if type(expected) is not type(actual) or type(expected) not in TABULAR:
        return None
    return _PIECES[type(expected)](expected, actual)


def _of_arrays(expected: Array, actual: Array) -> Iterator[Piece]:
    yield from _heads(expected, actual)
    for place in range(len(expected.items)):
        yield Place("item", place, expected.shape), item_of(expected, place), item_of(actual, place)


def _heads(expected: Array, actual: Array) -> Iterator[Piece]:
    """What two arrays are, apart from their items."""
    yield Place(".dtype", whole=True), _dtype(expected), _dtype(actual)
    yield Place(".shape", whole=True), expected.shape, actual.shape
    if expected.categories is not None or actual.categories is not None:
        yield Place(".categories", whole=True), expected.categories, actual.categories
        yield Place(".ordered", whole=True), expected.ordered, actual.ordered


def _dtype(array: Array) -> str:
    return f"{array.dtype} (an array of pandas)" if array.extension else array.dtype


def _of_indexes(expected: Index, actual: Index) -> Iterator[Piece]:
    yield Place(".nlevels", whole=True), _levels(expected), _levels(actual)
    yield Place(".names"), expected.names, actual.names
    for level, (left, right) in enumerate(zip(expected.levels, actual.levels, strict=False)):
        yield Place(f".levels[{level}]" if expected.multi else "", whole=True), left, right


def _levels(index: Index) -> str:
    return f"{len(index.levels)} of a MultiIndex" if index.multi else "1"


def _of_series(expected: Series, actual: Series) -> Iterator[Piece]:
    yield Place(".name"), expected.name, actual.name
    yield Place(".index", whole=True), expected.index, actual.index
    yield from _heads(expected.values, actual.values)
    yield from _rows(expected.values, actual.values, expected.index)


def _of_frames(expected: Frame, actual: Frame) -> Iterator[Piece]:
    yield Place(".columns", whole=True), expected.columns, actual.columns
    yield Place(".index", whole=True), expected.index, actual.index
    for number, (left, right) in enumerate(zip(expected.values, actual.values, strict=False)):
        for place, e, a in _heads(left, right):
            yield Place(place.what, number, expected.columns, whole=False), e, a
        if _dtype(left) == _dtype(right) and left.shape == right.shape:
            yield from _rows(left, right, expected, number)


def _rows(expected: Array, actual: Array, within: Any, column: int = -1) -> Iterator[Piece]:
    for row in range(len(expected.items)):
        yield Place("row", row, (within, column)), item_of(expected, row), item_of(actual, row)


_PIECES: dict[type, Callable[[Any, Any], Iterator[Piece]]] = {
    Array: _of_arrays,
    Index: _of_indexes,
    Series: _of_series,
    Frame: _of_frames,
}


def words(place: Place, show: Callable[[Any], str]) -> str:
    """A place as it is read: `[2, 1]`, `.dtype`, ` column 'x' row 3`; `show` tells a label."""
    if place.what == "item":
        return f"[{', '.join(map(str, _position(place.number, place.within)))}]"
    if place.what == "row":
        within, column = place.within
        if column < 0:
            return f" row {show(within.label(place.number))}"
        return f" column {show(within.columns.label(column))} row {show(within.index.label(place.number))}"
    if place.within is not None:
        return f" column {show(place.within.label(place.number))}{place.what}"
    return place.what


def _position(number: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The indices of the item that is the `number`-th in C order."""
    found: list[int] = []
    for size in reversed(shape):
        number, index = divmod(number, size)
        found.append(index)
    return tuple(reversed(found))
