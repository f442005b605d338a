"""Arrays and tables in one short line, as `show` tells all values: `array([1.0, 2.0])`, `DataFrame({'x': [1, 2]})`.

A dtype is named where the items don't say it. No more of a large one is looked at than is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Protocol

from tdgen.values.kinds import Array, Frame, Index, Missing, Scalar, Series, Stamp
from tdgen.values.moments import moment_text, nanoseconds, span_text

_OBVIOUS = {int: "int64", float: "float64", complex: "complex128", bool: "bool", str: "str", bytes: "bytes"}
_LOOKED_AT = 20
_LONGEST = 60


class Shower(Protocol):
    """What shows the parts, as `show` has it."""

    left: int

    def show(self, value: Any, depth: int) -> str:
        """One value."""

    def all(self, items: Any, size: int, depth: int) -> str:
        """Items with commas between them."""


class _Rows(Sequence[Any]):
    """An array along its first axis: items, or rows of the rest."""

    def __init__(self, array: Array, shape: tuple[int, ...], start: int = 0) -> None:
        self.array, self.shape, self.start = array, shape, start

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, place: Any) -> Any:
        place = range(len(self))[place]
        size = 1
        for length in self.shape[1:]:
            size *= length
        start = self.start + place * size
        return _Rows(self.array, self.shape[1:], start) if self.shape[1:] else _item(self.array, start)


class _Text(str):
    """An item that is text already."""

    __slots__ = ()


def _item(array: Array, place: int) -> Any:
    """The item at `place`; a moment as the text that it is in numpy's arrays."""
    item = array.items[place]
    text = _time_text(Scalar(array.dtype.partition(",")[0] + "]" * ("," in array.dtype), item))
    return item if text is None else _Text(f"'{text}'")


def _time_text(scalar: Scalar) -> str | None:
    """A moment or a span of time as text; None for any other scalar."""
    count = nanoseconds(scalar)
    if count is None:
        return None
    return span_text(count) if "timedelta" in scalar.dtype or "m8" in scalar.dtype else moment_text(count)


def _array(s: Shower, value: Array, depth: int) -> str:
    name = "Categorical" if value.categories is not None else "array"
    return f"{name}({_values(s, value, depth)}{_dtype(value)})"


def _values(s: Shower, value: Array, depth: int) -> str:
    return s.show(_Rows(value, value.shape), depth) if value.shape else s.show(_item(value, 0), depth)


def _dtype(value: Array) -> str:
    """The dtype as an argument; empty where the items say it, and for a category, whose name says it."""
    if value.categories is not None or (value.dtype in ("object", "str") and value.items):
        return ""
    kinds = {type(item) for item in islice(value.items, _LOOKED_AT)}
    if len(kinds) == 1 and _OBVIOUS.get(kinds.pop()) == value.dtype and not value.extension:
        return ""
    return f", dtype={_short(value.dtype)}"


def _short(dtype: str) -> str:
    return dtype if len(dtype) <= _LONGEST else f"{dtype[: _LONGEST - 1]}…"


def _rows(s: Shower, value: _Rows, depth: int) -> str:
    return f"[{s.all(value, len(value), depth)}]"


def _index(s: Shower, value: Index, depth: int) -> str:
    names = "".join(f", {word}" for word in _names(s, value, depth))
    if value.multi:
        return f"MultiIndex([{s.all(_Labels(value), len(value), depth)}]{names})"
    dtype = ", dtype=category" if value.levels[0].categories is not None else _dtype(value.levels[0])
    return f"Index({_values(s, value.levels[0], depth)}{dtype}{names})"


def _names(s: Shower, value: Index, depth: int) -> Iterator[str]:
    if any(name is not None for name in value.names):
        yield f"names={s.show(list(value.names), depth)}" if value.multi else f"name={s.show(value.names[0], depth)}"


class _Labels(Sequence[Any]):
    """An index's labels, one after the other."""

    def __init__(self, labelled: Index) -> None:
        self.labelled = labelled

    def __len__(self) -> int:
        return len(self.labelled)

    def __getitem__(self, place: Any) -> Any:
        return self.labelled.label(range(len(self))[place])


def _series(s: Shower, value: Series, depth: int) -> str:
    name = "" if value.name is None else f", name={s.show(value.name, depth)}"
    return f"Series({_column(s, value.values, depth)}{_beside(s, value.index, depth)}{name})"


def _frame(s: Shower, value: Frame, depth: int) -> str:
    room = max(s.left // 4, 1)
    shown = [
        f"{s.show(value.columns.label(place), depth)}: {_column(s, array, depth)}"
        for place, array in enumerate(value.values[:room])
    ]
    more = ["…"] if len(value.values) > room else []
    return f"DataFrame({{{', '.join([*shown, *more])}}}{_beside(s, value.index, depth)})"


def _column(s: Shower, array: Array, depth: int) -> str:
    """A column as the list of its items where that says its dtype."""
    plain = not _dtype(array) and array.categories is None
    return _values(s, array, depth) if plain else _array(s, array, depth)


def _beside(s: Shower, index: Index, depth: int) -> str:
    """The rows' labels as an argument; empty where they are just 0, 1, 2 and so on without a name."""
    if not index.multi and index.names == (None,) and index.levels[0].items == range(len(index)):
        return ""
    return f", index={_index(s, index, depth)}"


def _scalar(s: Shower, value: Scalar, depth: int) -> str:
    text = _time_text(value)
    if text is not None:
        return f"np.{value.dtype.strip('<>').partition('[')[0]}('{text}')"
    if value.dtype == "bool":
        return f"np.{s.show(value.value, depth)}_" if value.value is True else "np.False_"
    name = {"str": "str_", "bytes": "bytes_"}.get(value.dtype, "void" if value.dtype[:1] == "[" else value.dtype)
    return f"np.{_short(name)}({s.show(value.value, depth)})"


def _stamp(s: Shower, value: Stamp, depth: int) -> str:
    if value.kind in ("Timestamp", "Timedelta"):
        text = _time_text(value.parts[0]) or s.show(value.parts[0], depth)
        zone = value.parts[1] if value.kind == "Timestamp" else None
        return f"{value.kind}('{text}')" if zone is None else f"Timestamp('{text}+00:00', tz={s.show(zone, depth)})"
    if value.kind == "Period":
        return f"Period({s.all((value.parts[2], value.parts[1]), 2, depth)})"
    return f"Interval({s.all(value.parts[:2], 2, depth)}, closed={s.show(value.parts[2], depth)})"


def _missing(s: Shower, value: Missing, depth: int) -> str:
    return value.name


RENDERERS: dict[type, Callable[[Any, Any, int], str]] = {
    Array: _array,
    Index: _index,
    Series: _series,
    Frame: _frame,
    Scalar: _scalar,
    Stamp: _stamp,
    Missing: _missing,
    _Rows: _rows,
    _Text: lambda s, value, depth: str(value),
}
