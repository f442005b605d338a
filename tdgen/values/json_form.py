"""A value as JSON text, where JSON keeps it as it is: a list stays a list and a key a key, and nothing is rounded."""

from __future__ import annotations

import json
from typing import Any

from tdgen.values.decode import decode
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
