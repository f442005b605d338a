"""A value in one short line, for people and for prompts.

The text reads like Python: `[1, 2]`, `array([1.0, 2.0])`, `DataFrame({'x': [1, 2]})`; a dtype is named where the items
don't say it. Its cost is bounded by its length, whatever the value's size: of a long container the first and the last
items are shown, of a long text its two ends, of a deep value its first levels. Nothing that a terminal would obey gets
through, and no value makes it raise an error.
"""

from __future__ import annotations

import collections
import datetime as dt
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, IPv6Address, IPv6Interface, IPv6Network
from itertools import islice
from pathlib import PurePath
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from tdgen.text import visible
from tdgen.values.decode import decode
from tdgen.values.kinds import (
    Array,
    ClassName,
    Cycle,
    Frame,
    Index,
    Iterated,
    Member,
    NaT,
    Opaque,
    Pattern,
    Record,
    Scalar,
    Series,
    Unordered,
    last_name,
)
from tdgen.values.readers import Unreadable

_OBVIOUS = {int: "int64", float: "float64", complex: "complex128", bool: "bool", str: "str", bytes: "bytes"}
_LOOKED_AT = 20  # items that tell a dtype; a judgement
_LONGEST = 60
_MOMENT = re.compile(r"[<>]?(datetime64|timedelta64|[mM]8)\[(\d{0,9})(\w+)\]")
_SECONDS = {"W": 604_800, "D": 86_400, "h": 3_600, "m": 60, "s": 1}
_NANOSECONDS = {**{unit: size * 10**9 for unit, size in _SECONDS.items()}, "ms": 10**6, "us": 10**3, "ns": 1}
_LONGEST_COUNT = 1_000  # bits; Python writes no int of more than 4300 digits


@dataclass(eq=False)
class _Rows(Sequence[Any]):
    """An array along its first axis: items, or rows of the rest."""

    array: Array
    shape: tuple[int, ...]
    start: int = 0

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


def _array(s: _Shower, value: Array, depth: int) -> str:
    return f"array({_values(s, value, depth)}{_dtype(value)})"


def _values(s: _Shower, value: Array, depth: int) -> str:
    return s.show(_Rows(value, value.shape), depth) if value.shape else s.show(_item(value, 0), depth)


def _dtype(value: Array) -> str:
    """The dtype as an argument; empty where the items say it."""
    if value.dtype in ("object", "str") and value.items:
        return ""
    kinds = {type(item) for item in islice(value.items, _LOOKED_AT)}
    return "" if len(kinds) == 1 and _OBVIOUS.get(kinds.pop()) == value.dtype else f", dtype={_short(value.dtype)}"


def _short(dtype: str) -> str:
    return dtype if len(dtype) <= _LONGEST else f"{dtype[: _LONGEST - 1]}…"


def _index(s: _Shower, value: Index, depth: int) -> str:
    return f"Index({_values(s, value.values, depth)}{_dtype(value.values)}{_name(s, value, depth)})"


def _name(s: _Shower, value: Index | Series, depth: int) -> str:
    return "" if value.name is None else f", name={s.show(value.name, depth)}"


def _frame(s: _Shower, value: Frame, depth: int) -> str:
    room = max(s.left // 4, 1)
    labels = _Rows(value.columns.values, value.columns.values.shape)
    shown = [
        f"{s.show(labels[place], depth)}: {_column(s, array, depth)}" for place, array in enumerate(value.values[:room])
    ]
    more = ["…"] if len(value.values) > room else []
    return f"DataFrame({{{', '.join([*shown, *more])}}}{_beside(s, value.index, depth)})"


def _column(s: _Shower, array: Array, depth: int) -> str:
    """A column as the list of its items where that says its dtype."""
    return _array(s, array, depth) if _dtype(array) else _values(s, array, depth)


def _beside(s: _Shower, index: Index, depth: int) -> str:
    """The rows' labels as an argument; empty where they are just 0, 1, 2 and so on without a name."""
    is_plain = index.name is None and index.values.items == range(len(index))
    return "" if is_plain else f", index={_index(s, index, depth)}"


def _scalar(s: _Shower, value: Scalar, depth: int) -> str:
    text = _moment_text(value.dtype, value.value)
    if text is not None:
        return f"np.{value.dtype.strip('<>').partition('[')[0]}({text})"
    if value.dtype == "bool":
        return "np.True_" if value.value is True else "np.False_"
    name = {"str": "str_", "bytes": "bytes_"}.get(value.dtype, value.dtype)
    return f"np.{_short(name)}({s.show(value.value, depth)})"


LIMIT = 200  # characters: what a prompt or a line on a terminal has room for; a judgement
MAX_SORTED = 1_000  # larger sets stay unsorted, as the order is only for people; a judgement
MAX_SORTED_LEVELS = 8  # each level of sets within sets is shown twice to be sorted
MAX_LEVELS = 100  # as deep as `encode` goes
_GAP = "…"


def show(value: Any, limit: int = LIMIT) -> str:
    """The plain `value` as at most `limit` printable characters, cut in the middle where it is longer."""
    try:
        return cut(_Shower(limit).show(value, 0), limit)
    except Exception as error:  # noqa: BLE001 - whatever a hostile value makes its own repr raise
        return cut(f"<{type(value).__name__} that can't be shown: {type(error).__name__}>", limit)


def show_wire(wire: Any, limit: int = LIMIT) -> str:
    """What `wire` tells of, as `show` has it; a wire that can't be read is said to be one."""
    try:
        return show(decode(wire), limit)
    except Unreadable as error:
        return f"<unreadable: {brief(str(error), limit - 14)}>"


def cut(text: str, limit: int) -> str:
    """`text`, or its two ends with … between them where it is longer than `limit`."""
    if len(text) <= limit:
        return text
    tail = max((limit - 1) // 3, 0)
    return text[: max(limit - 1 - tail, 0)] + _GAP + (text[-tail:] if tail else "")


def clean(text: str) -> str:
    """`text` with everything escaped that isn't printable (line ends, terminal escapes, lone surrogates) or visible."""
    return visible(text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text))


def brief(text: str, limit: int) -> str:
    """`text` as `clean` has it, in at most `limit` characters; no more of a long one is looked at than its two ends."""
    return cut(clean(cut(text, limit)), limit)


class _Shower:
    """One value's way to a text: how much may still be looked at, and whether that is for the order of a set."""

    def __init__(self, limit: int, *, is_sorting: bool = False) -> None:
        self.limit = limit
        self.left = limit
        self.is_sorting = is_sorting

    def show(self, value: Any, depth: int) -> str:
        """`value` in Python's notation."""
        self.left -= 1
        if self.left < 0 or depth > MAX_LEVELS:
            return _GAP
        kind = type(value)
        if kind is str or kind is bytes or kind is bytearray:
            return self.text(value)
        if kind is int:
            return number(value)
        render = _RENDERERS.get(kind)
        if render is not None:
            return render(self, value, depth + 1)
        if isinstance(value, PurePath):
            return f"Path({self.text(str(value))})"
        return clean(repr(value)) if kind in _SAFE else f"<{kind.__name__}>"

    def text(self, value: Any) -> str:
        """The literal of a text or of bytes; of a long one, its two ends."""
        if len(value) <= self.limit:
            return visible(repr(value))
        head, tail = value[: self.limit * 2 // 3], value[-(self.limit // 3) :]
        return visible(repr(f"{head}{_GAP}{tail}")) if type(value) is str else f"{head!r}{_GAP}{tail!r}"

    def all(self, items: Iterable[Any], size: int, depth: int) -> str:
        """Items with commas between them; of too many, the first ones and the last."""
        room = max(self.left // 2, 1)
        if size <= room:
            return ", ".join([self.show(item, depth) for item in items])
        first = [self.show(item, depth) for item in islice(items, room)]
        last = [self.show(items[-1], depth)] if isinstance(items, Sequence) else []
        return ", ".join([*first, _GAP, *last])

    def pairs(self, pairs: Iterable[tuple[Any, Any]], size: int, depth: int) -> str:
        """A dict's items; of too many, the first ones."""
        room = max(self.left // 3, 1)
        shown = [f"{self.show(key, depth)}: {self.show(value, depth)}" for key, value in islice(pairs, room)]
        return ", ".join([*shown, _GAP] if size > room else shown)


def number(value: int) -> str:
    """An int in decimal, or the two ends of its hex digits where it has hundreds."""
    bits = value.bit_length()
    if bits <= 1000:
        return str(value)
    sign = "-" if value < 0 else ""
    return f"{sign}0x{abs(value) >> (bits - 64):x}{_GAP}{abs(value) & (2**64 - 1):016x} ({bits} bits)"


def name(class_name: str) -> str:
    """A class as one writes it."""
    return brief(last_name(class_name), 80)


def _list(s: _Shower, value: Any, depth: int) -> str:
    return f"[{s.all(value, len(value), depth)}]"


def _set(s: _Shower, value: Any, depth: int) -> str:
    if not value:
        return f"{type(value).__name__}()"
    text = f"{{{s.all(_in_order(value, is_sorting=s.is_sorting or depth > MAX_SORTED_LEVELS), len(value), depth)}}}"
    return text if type(value) is set else f"frozenset({text})"


def _in_order(items: Iterable[Any], *, is_sorting: bool) -> Iterable[Any]:
    """A set's items in an order that is the same in each process, unless they are very many of mixed kinds.

    For that order the items are shown once more; sets within them are then left as they are, as each level would be
    shown twice, and so the innermost without end.
    """
    kept = list(items)
    kinds = {type(item) for item in kept}
    if kinds <= {int, float} or kinds == {str}:
        return sorted(kept)
    if len(kept) > MAX_SORTED or is_sorting:
        return kept
    return sorted(kept, key=lambda item: cut(_Shower(60, is_sorting=True).show(item, 0), 60))


def _record(s: _Shower, value: Any, depth: int) -> str:
    if value.kind == "exception":
        args = dict(value.fields).get("args", ())
        return f"{name(value.class_name)}({s.all(args, len(args), depth)})"
    room = max(s.left // 2, 1)
    shown = [f"{brief(field, 80)}={s.show(item, depth)}" for field, item in islice(value.fields, room)]
    return f"{name(value.class_name)}({', '.join(shown)}{f', {_GAP}' if len(value.fields) > room else ''})"


def _member(s: _Shower, value: Any, depth: int) -> str:
    shown = brief(value.name, 80)
    return f"{name(value.class_name)}.{shown}" if shown else f"{name(value.class_name)}({s.show(value.value, depth)})"


def _iterated(s: _Shower, value: Any, depth: int) -> str:
    items = s.all(value.items, len(value.items), depth)
    if value.view:
        return f"{value.view}([{items}])"
    return f"<{name(value.class_name) or 'iterator'} of [{items}{f', {_GAP}' if value.more else ''}]>"


def _opaque(s: _Shower, value: Any, depth: int) -> str:
    what = brief(value.what, 80)
    return f"<{what} of class {name(value.class_name)}>" if what == "an object" else f"<{what}>"


_SAFE = (
    *(IPv4Address, IPv4Network, IPv4Interface, IPv6Address, IPv6Network, IPv6Interface),
    *(type(None), bool, float, complex, type(...), type(NotImplemented), UUID),
    *(dt.date, dt.time, dt.datetime, dt.timedelta, dt.timezone),
)
_RENDERERS: dict[type, Callable[[_Shower, Any, int], str]] = {
    list: _list,
    tuple: lambda s, value, depth: f"({s.all(value, len(value), depth)}{',' if len(value) == 1 else ''})",
    collections.deque: lambda s, value, depth: f"deque([{s.all(value, len(value), depth)}])",
    set: _set,
    frozenset: _set,
    dict: lambda s, value, depth: f"{{{s.pairs(value.items(), len(value), depth)}}}",
    Unordered: lambda s, value, depth: (
        f"{{{s.pairs(value.items, len(value.items), depth)}}}"
        if value.kind == "dict"
        else f"{value.kind}({{{s.all(value.items, len(value.items), depth)}}})"
    ),
    slice: lambda s, value, depth: f"slice({s.all((value.start, value.stop, value.step), 3, depth)})",
    range: lambda s, value, depth: (
        f"range({', '.join(map(number, (value.start, value.stop, value.step)[: 2 + (value.step != 1)]))})"
    ),
    Record: _record,
    Member: _member,
    Iterated: _iterated,
    Opaque: _opaque,
    Fraction: lambda s, value, depth: f"Fraction({number(value.numerator)}, {number(value.denominator)})",
    Pattern: lambda s, value, depth: f"re.compile({s.text(value.source)})",
    Decimal: lambda s, value, depth: f"Decimal('{cut(str(value), s.limit)}')",
    ClassName: lambda s, value, depth: name(value.name),
    Cycle: lambda s, value, depth: "<the container itself>" if value.up == 1 else f"<{value.up} containers up>",
    ZoneInfo: lambda s, value, depth: f"ZoneInfo({s.text(value.key)})",
    Array: _array,
    Index: _index,
    Series: lambda s, value, depth: (
        f"Series({_column(s, value.values, depth)}{_beside(s, value.index, depth)}{_name(s, value, depth)})"
    ),
    Frame: _frame,
    Scalar: _scalar,
    NaT: lambda s, value, depth: "NaT",
    _Rows: _list,
    _Text: lambda s, value, depth: str(value),
}
