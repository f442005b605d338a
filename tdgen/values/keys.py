"""A short text for any plain value, the same for two values exactly where they are one key of a dict.

Dict keys and set items are matched by it: numbers by value across their types, but a bool is never a number, NaN is
NaN, a named tuple is a tuple, a member of an IntEnum its int, one of numpy's numbers its number, a Timestamp its
datetime, and a declared type is its class's last name and fields.

What a candidate returned is never hashed as Python hashes it: ints can be chosen that all have one hash, and a dict of
them takes a time that is quadratic in their number. A text's hash can't be chosen, and a container's key is a
cryptographic digest of the keys of its parts.
"""

from __future__ import annotations

import collections
import datetime as dt
import uuid
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from hashlib import blake2b
from pathlib import PurePath, PureWindowsPath
from typing import Any

from tdgen.values.budget import Budget
from tdgen.values.kinds import (
    TABULAR,
    ClassName,
    Cycle,
    Iterated,
    Member,
    NaT,
    Opaque,
    Pattern,
    Record,
    Scalar,
    Unordered,
    parts_of,
)
from tdgen.values.numbers import cost, is_nan, key_text

_MICROSECOND = dt.timedelta(microseconds=1)


def last_name(class_name: str) -> str:
    """A class's own name, without its module and what it is nested in."""
    return class_name.rpartition(".")[2]


def key_of(value: Any) -> str:
    """The key of one value; TooLong where it is too large to have one."""
    return Keys(Budget()).of(value)


class Keys:
    """The keys of many values, each container's made once."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._known: dict[int, tuple[Any, str]] = {}  # the value too: an id means it only while it lives

    def of(self, value: Any) -> str:
        """The key of `value`. Linear in its size; TooLong where the budget is used up."""
        self._budget.spend()
        kind = type(value)
        if kind is str:
            return f"str {value}"
        if value is None or kind is bool:
            return repr(value)
        if kind in (int, float, Decimal, Fraction):
            self._budget.spend(cost(value))
            return f"nan {kind.__name__}" if is_nan(value) else key_text(value)
        if kind is complex:
            parts = (value.real, value.imag)
            return self._digest("complex", map(self.of, parts)) if value.imag else self.of(value.real)
        if kind is Scalar:
            return self.of(value.value)
        if kind in (bytes, bytearray):
            return f"bytes {value.hex()}"
        if id(value) not in self._known:
            self._known[id(value)] = value, self._of_container(value, kind)
        return self._known[id(value)][1]

    def _of_container(self, value: Any, kind: type) -> str:
        if kind in (list, tuple, collections.deque):
            return self._digest(kind.__name__, map(self.of, value))
        if kind is Record:
            if value.kind == "namedtuple":
                return self._digest("tuple", (self.of(item) for _, item in value.fields))
            named = (part for name, item in value.fields for part in (name, self.of(item)))
            return self._digest(f"{value.kind} {last_name(value.class_name)}", named)
        if kind is Member:
            if value.mixed:
                return self.of(value.base)
            return self._digest(f"member {last_name(value.class_name)}", [value.name or self.of(value.value)])
        if kind in (set, frozenset) or (kind is Unordered and value.kind != "dict"):
            items = value.items if kind is Unordered else value
            return self._digest("set", sorted(map(self.of, items)))
        if kind is slice:
            return self._digest("slice", map(self.of, (value.start, value.stop, value.step)))
        if kind is dict or kind is Unordered:
            pairs = value.items if kind is Unordered else value.items()
            return self._digest("dict", sorted(self._digest("", map(self.of, pair)) for pair in pairs))
        if kind is Iterated:
            return self._digest(f"iterated {value.view} {value.more}", map(self.of, value.items))
        is_table = kind in TABULAR
        parts = (self.of(part) for _, part in parts_of(value)) if is_table else ()
        return self._digest(kind.__name__, parts) if is_table else _text_of(value, kind)

    def _digest(self, what: str, keys: Iterable[str]) -> str:
        digest = blake2b(what.encode("utf-8", "surrogatepass"), digest_size=16)
        for key in keys:
            data = key.encode("utf-8", "surrogatepass")
            digest.update(b"%d:" % len(data) + data)
        return f"= {digest.hexdigest()}"


def _text_of(value: Any, kind: type) -> str:
    """The key of a value without parts whose type is compared with itself alone."""
    if kind is range:
        steps = (_count_of(value), value.start, value.step)[: 1 + min(_count_of(value), 2)]
        return f"range {' '.join(f'{step:x}' for step in steps)}"
    if kind in (dt.datetime, dt.time):
        return f"{kind.__name__} {_moment(value)}"
    if kind is dt.timezone:
        return f"timezone {value.utcoffset(None)}"
    if kind is uuid.UUID:
        return f"uuid {value.hex}"
    if kind is Pattern:
        return f"pattern {value.flags:x} {value.source!r}"
    if kind is Opaque:
        return f"opaque {value.class_name} {value.what}"
    if kind is ClassName:
        return f"class {last_name(value.name)}"
    if kind is NaT or kind is Cycle:
        return repr(value)
    if isinstance(value, PurePath):
        windows = isinstance(value, PureWindowsPath)
        return f"path {windows} {str(value).lower() if windows else value}"
    return f"{kind.__name__} {value}"  # addresses, zones, dates and constants: each is told whole by its text


def _count_of(value: range) -> int:
    """How many ints a range has, also where `len` can't say it."""
    ahead = value.stop - value.start if value.step > 0 else value.start - value.stop
    return max(0, -(-ahead // abs(value.step)))


def _moment(value: dt.datetime | dt.time) -> str:
    """A moment or a time of day in UTC, or where it is; two that are equal have the same one."""
    clock = dt.timedelta(hours=value.hour, minutes=value.minute, seconds=value.second, microseconds=value.microsecond)
    here = clock + dt.timedelta(value.toordinal()) if isinstance(value, dt.datetime) else clock
    offset = value.utcoffset()
    return f"{here // _MICROSECOND}" if offset is None else f"utc {(here - offset) // _MICROSECOND}"
