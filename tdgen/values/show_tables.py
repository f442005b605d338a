"""Arrays and tables in one short line, as `show` tells all values: `array([1.0, 2.0])`, `DataFrame({'x': [1, 2]})`.

A dtype is named where the items don't say it. No more of a large one is looked at than is shown.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, Protocol

from tdgen.values.kinds import Array, Frame, Index, NaT, Scalar, Series

_OBVIOUS = {int: "int64", float: "float64", complex: "complex128", bool: "bool", str: "str", bytes: "bytes"}
_LOOKED_AT = 20
_LONGEST = 60
_MOMENT = re.compile(r"[<>]?(datetime64|timedelta64|[mM]8)\[(\d{0,9})(\w+)\]")
_SECONDS = {"W": 604_800, "D": 86_400, "h": 3_600, "m": 60, "s": 1}
_NANOSECONDS = {**{unit: size * 10**9 for unit, size in _SECONDS.items()}, "ms": 10**6, "us": 10**3, "ns": 1}
_LONGEST_COUNT = 1_000  # bits; Python writes no int of more than 4300 digits


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
        start = self.start + range(len(self))[place] * math.prod(self.shape[1:])
        return _Rows(self.array, self.shape[1:], start) if self.shape[1:] else _item(self.array, start)


class _Text(str):
    """An item that is text already."""

    __slots__ = ()


def _item(array: Array, place: int) -> Any:
    """The item at `place`; a moment as the text that it is in numpy's arrays."""
    text = _moment_text(array.dtype, array.items[place])
    return array.items[place] if text is None else _Text(text)


def _moment_text(dtype: str, count: Any) -> str | None:
    """What an item of datetime64 or timedelta64 counts, as numpy has it in quotes; None for anything else."""
    match = _MOMENT.fullmatch(dtype)
    if match is None or match[3] not in _NANOSECONDS or type(count) not in (int, type(None)):
        return None
    if count is None:
        return "NaT"
    if count.bit_length() > _LONGEST_COUNT:
        return f"{count:#x} {match[3]}"
    if match[1] in ("timedelta64", "m8"):
        return f"'{count * int(match[2] or 1)} {match[3]}'"
    seconds, rest = divmod(count * int(match[2] or 1) * _NANOSECONDS[match[3]], 10**9)
    try:
        moment = dt.datetime(1970, 1, 1) + dt.timedelta(seconds=seconds)
    except OverflowError:
        return f"'{count} {match[3]} since 1970'"
    if not rest:
        return f"'{moment.date() if moment.time() == dt.time() else moment.isoformat()}'"
    return "'" + f"{moment.isoformat()}.{rest:09}".rstrip("0") + "'"


def _array(s: Shower, value: Array, depth: int) -> str:
    return f"array({_values(s, value, depth)}{_dtype(value)})"


def _values(s: Shower, value: Array, depth: int) -> str:
    return s.show(_Rows(value, value.shape), depth) if value.shape else s.show(_item(value, 0), depth)


def _dtype(value: Array) -> str:
    """The dtype as an argument; empty where the items say it."""
    if value.dtype in ("object", "str") and value.items:
        return ""
    kinds = {type(item) for item in islice(value.items, _LOOKED_AT)}
    return "" if len(kinds) == 1 and _OBVIOUS.get(kinds.pop()) == value.dtype else f", dtype={_short(value.dtype)}"


def _short(dtype: str) -> str:
    return dtype if len(dtype) <= _LONGEST else f"{dtype[: _LONGEST - 1]}…"


def _rows(s: Shower, value: _Rows, depth: int) -> str:
    return f"[{s.all(value, len(value), depth)}]"


def _index(s: Shower, value: Index, depth: int) -> str:
    return f"Index({_values(s, value.values, depth)}{_dtype(value.values)}{_name(s, value, depth)})"


def _name(s: Shower, value: Index | Series, depth: int) -> str:
    return "" if value.name is None else f", name={s.show(value.name, depth)}"


def _series(s: Shower, value: Series, depth: int) -> str:
    return f"Series({_column(s, value.values, depth)}{_beside(s, value.index, depth)}{_name(s, value, depth)})"


def _frame(s: Shower, value: Frame, depth: int) -> str:
    room = max(s.left // 4, 1)
    labels = _Rows(value.columns.values, value.columns.values.shape)
    shown = [
        f"{s.show(labels[place], depth)}: {_column(s, array, depth)}" for place, array in enumerate(value.values[:room])
    ]
    more = ["…"] if len(value.values) > room else []
    return f"DataFrame({{{', '.join([*shown, *more])}}}{_beside(s, value.index, depth)})"


def _column(s: Shower, array: Array, depth: int) -> str:
    """A column as the list of its items where that says its dtype."""
    return _array(s, array, depth) if _dtype(array) else _values(s, array, depth)


def _beside(s: Shower, index: Index, depth: int) -> str:
    """The rows' labels as an argument; empty where they are just 0, 1, 2 and so on without a name."""
    is_plain = index.name is None and index.values.items == range(len(index))
    return "" if is_plain else f", index={_index(s, index, depth)}"


def _scalar(s: Shower, value: Scalar, depth: int) -> str:
    text = _moment_text(value.dtype, value.value)
    if text is not None:
        return f"np.{value.dtype.strip('<>').partition('[')[0]}({text})"
    if value.dtype == "bool":
        return "np.True_" if value.value is True else "np.False_"
    name = {"str": "str_", "bytes": "bytes_"}.get(value.dtype, value.dtype)
    return f"np.{_short(name)}({s.show(value.value, depth)})"


RENDERERS: dict[type, Callable[[Any, Any, int], str]] = {
    Array: _array,
    Index: _index,
    Series: _series,
    Frame: _frame,
    Scalar: _scalar,
    NaT: lambda s, value, depth: "NaT",
    _Rows: _rows,
    _Text: lambda s, value, depth: str(value),
}
