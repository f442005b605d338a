"""Plain values as JSON for readers of a result: as they are where they survive JSON, else as the text people see."""

from __future__ import annotations

import math
from typing import Any

from tdgen.values.show import number, show

MAX_ITEMS = 10_000
TEXT_LIMIT = 1_000
_MAX_DIGITS = 4_000  # Python itself refuses to read longer ones


def to_json(value: Any) -> tuple[Any, bool]:
    """`value` as plain JSON data, and whether reading that back gives the same value.

    A tuple becomes an array and NaN a text, for instance, and both are said to be inexact. A value of more than
    MAX_ITEMS items is told as its short text.
    """
    room = [MAX_ITEMS]
    try:
        return _told(value, room)
    except _TooLargeError:
        return show(value, TEXT_LIMIT), False


class _TooLargeError(Exception):
    pass


def _told(value: Any, room: list[int]) -> tuple[Any, bool]:
    room[0] -= 1
    if room[0] < 0:
        raise _TooLargeError
    kind = type(value)
    if value is None or kind is bool:
        return value, True
    if kind is str:
        survives = value.isascii() or not any("\ud800" <= c <= "\udfff" for c in value)
        return (value, True) if survives else (show(value, TEXT_LIMIT), False)
    if kind is int:
        survives = value.bit_length() <= _MAX_DIGITS * 3
        return (value, True) if survives else (number(value), False)
    if kind is float:
        return (value, True) if math.isfinite(value) else (str(value), False)
    if kind is list or kind is tuple:
        items = [_told(item, room) for item in value]
        return [item for item, _ in items], kind is list and all(exact for _, exact in items)
    if kind is dict and all(type(key) is str for key in value):
        return _told_dict(value, room)
    return show(value, TEXT_LIMIT), False


def _told_dict(value: dict[str, Any], room: list[int]) -> tuple[Any, bool]:
    told = [(_told(key, room), _told(item, room)) for key, item in value.items()]
    return {key: item for (key, _), (item, _) in told}, all(k_exact and exact for (_, k_exact), (_, exact) in told)
