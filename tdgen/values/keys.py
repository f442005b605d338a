"""Keys of values: JSON text that keeps a value as it is, and a short text that is the same for equal dict keys.

Dict keys and set items are matched by the short text: numbers by value across their types, but a bool is never a
number, NaN is NaN, a named tuple is a tuple, a member of an IntEnum its int, one of numpy's numbers its number, a
Timestamp its datetime, and a declared type is its class's last name and fields.

What a candidate returned is never hashed as Python hashes it: ints can be chosen that all have one hash, and a dict of
them takes a time that is quadratic in their number. A text's hash can't be chosen, and a container's key is a
cryptographic digest of the keys of its parts.
"""

from __future__ import annotations

import collections
import datetime as dt
import json
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from hashlib import blake2b
from pathlib import PurePath, PureWindowsPath
from typing import Any

from tdgen.values.decode import decode
from tdgen.values.kinds import Cycle, Member, NaT, Opaque, Pattern, Scalar, known_name, taken_apart
from tdgen.values.numbers import Budget, cost, is_nan, key_text
from tdgen.values.readers import Unreadable

_ENCODER = json.JSONEncoder(allow_nan=False)


def json_text(wire: Any, limit: int) -> str:
    """The JSON of the value that `wire` tells of; nothing where JSON would change it.

    Of a larger one than `limit` characters no more is encoded than shows that it is larger.
    """
    pieces: list[str] = []
    size = 0
    try:
        value = decode(wire)
        for piece in _ENCODER.iterencode(value) if survives_json(value) else ():
            pieces.append(piece)
            size += len(piece)
            if size > limit:
                break
    except (Unreadable, ValueError, TypeError, RecursionError):
        return ""
    return "".join(pieces)


def survives_json(value: Any) -> bool:
    """Whether JSON keeps a value as it is: plain types alone, and text alone for keys."""
    kind = type(value)
    if kind is dict:
        return all(type(key) is str and survives_json(item) for key, item in value.items())
    if kind is list:
        return all(map(survives_json, value))
    return value is None or kind in (bool, int, float, str)


_MICROSECOND = dt.timedelta(microseconds=1)


@dataclass(eq=False)
class Keys:
    """The keys of many values, each container's made once."""

    _budget: Budget
    # By ids the keys, and the values too: an id means its value only while that lives.
    _known: dict[int, tuple[Any, str]] = field(default_factory=dict)

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
        if kind is Member:
            if value.mixed:
                return self.of(value.base)
            return self._digest(f"member {known_name(value.class_name)}", [value.name or self.of(value.value)])
        apart = taken_apart(value)
        if apart is None:
            return _text_of(value, kind)
        if apart.kind == "dict":
            return self._digest("dict", sorted(self._digest("", map(self.of, pair)) for pair in apart.items))
        keys = map(self.of, apart.items)
        return self._digest(apart.head, sorted(keys) if apart.kind == "set" else keys)

    def _digest(self, what: str, keys: Iterable[str]) -> str:
        digest = blake2b(what.encode("utf-8", "surrogatepass"), digest_size=16)
        for key in keys:
            data = key.encode("utf-8", "surrogatepass")
            digest.update(b"%d:" % len(data) + data)
        return f"= {digest.hexdigest()}"


def _text_of(value: Any, kind: type) -> str:
    """The key of a value without parts whose type is compared with itself alone."""
    if kind is range:
        ahead = value.stop - value.start if value.step > 0 else value.start - value.stop
        count = max(0, -(-ahead // abs(value.step)))  # also where `len` can't say it
        steps = (count, value.start, value.step)[: 1 + min(count, 2)]
        return f"range {' '.join(f'{step:x}' for step in steps)}"
    if kind in (dt.datetime, dt.time):
        # In UTC, or where it is: two that are equal have the same text.
        units = {"hours": value.hour, "minutes": value.minute, "seconds": value.second}
        clock = dt.timedelta(**units, microseconds=value.microsecond)
        here = clock + dt.timedelta(value.toordinal()) if isinstance(value, dt.datetime) else clock
        offset = value.utcoffset()
        moment = f"{here // _MICROSECOND}" if offset is None else f"utc {(here - offset) // _MICROSECOND}"
        return f"{kind.__name__} {moment}"
    if kind is dt.timezone:
        return f"timezone {value.utcoffset(None)}"
    if kind is uuid.UUID:
        return f"uuid {value.hex}"
    if kind is Pattern:
        return f"pattern {value.flags:x} {value.source!r}"
    if kind is Opaque:
        return f"opaque {value.class_name} {value.what}"
    if kind is NaT or kind is Cycle:
        return repr(value)
    if isinstance(value, PurePath):
        windows = isinstance(value, PureWindowsPath)
        return f"path {windows} {str(value).lower() if windows else value}"
    return f"{kind.__name__} {value}"  # addresses, zones, dates and constants: each is told whole by its text


Agrees = Callable[[Any, Any], bool]
MAX_PAIRS = 250_000  # as many values as `encode` tells


def in_order_of(expected: Sequence[Any], actual: Sequence[Any], agrees: Agrees, keys: Keys) -> list[Any]:
    """`actual` with each item at the place of an expected item that it agrees with, the others where room is left.

    Equal items are found by key, then those within a tolerance, unless there are too many pairs, by trying each with
    each. Two sequences agree in some order where they agree item by item after this.
    """
    places: list[int | None] = [None] * len(expected)
    free = _place_equal(expected, actual, agrees, keys, places)
    open_places = [place for place, index in enumerate(places) if index is None]
    if len(free) * len(open_places) <= MAX_PAIRS:
        free = _place_any(expected, actual, agrees, places, free)
    rest = iter(free)
    filled = [next(rest, None) if index is None else index for index in places]
    return [actual[index] for index in (*filled, *rest) if index is not None]


def _place_equal(
    expected: Sequence[Any], actual: Sequence[Any], agrees: Agrees, keys: Keys, places: list[int | None]
) -> list[int]:
    """Place what equals an expected item by key; the indices still free, in order."""
    waiting: dict[str, list[int]] = collections.defaultdict(list)
    for index in reversed(range(len(actual))):
        waiting[keys.of(actual[index])].append(index)
    for place, item in enumerate(expected):
        same = waiting.get(keys.of(item))
        if same and agrees(item, actual[same[-1]]):
            places[place] = same.pop()
    return sorted(index for same in waiting.values() for index in same)


def _place_any(
    expected: Sequence[Any], actual: Sequence[Any], agrees: Agrees, places: list[int | None], free: list[int]
) -> list[int]:
    """Place the first that agrees with each expected item."""
    for place, item in enumerate(expected):
        if places[place] is None:
            places[place] = next((index for index in free if agrees(item, actual[index])), None)
            free = [index for index in free if index != places[place]]
    return free
