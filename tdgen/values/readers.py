"""The way back from `leaves.py`: values without parts, read from tagged JSON data that may be hostile.

Shipped into the sandbox beside `rebuild.py`, and used on the host by `decode.py`: standard library only, Python 3.9 and
later. Nothing here runs longer than its text is long: big ints come as hex, and fractions are bounded before any gcd.
"""

from __future__ import annotations

import base64
import datetime as dt
import decimal
import fractions
import ipaddress
import pathlib
import re
import uuid
from collections.abc import Callable
from typing import Any

try:
    from zoneinfo import ZoneInfo
except ImportError:  # a Python that was built without it
    ZoneInfo = None  # type: ignore[assignment, misc]

MAX_HEX = 4_000_000  # as much text as `encode` tells
MAX_FRACTION_BITS = 20_000  # a judgement: to reduce a longer one takes too long
_HEX = re.compile(r"-?0x[0-9a-f]+\Z")
_FLOATS = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}
_PATHS = {
    kind.__name__: kind
    for kind in (pathlib.PurePosixPath, pathlib.PureWindowsPath, pathlib.PosixPath, pathlib.WindowsPath)
}
_IPS = {f"IPv{number}{kind}" for number in (4, 6) for kind in ("Address", "Network", "Interface")}


class Unreadable(ValueError):
    """The wire is of no shape that `encode` makes; the message says what is wrong with it."""


def read_leaf(wire: dict[str, Any]) -> Any:
    """The value of a tagged leaf; Unreadable where its shape or content is wrong, KeyError for a tag of no leaf."""
    read = READERS[wire["$"]]
    try:
        return read(wire)
    except Unreadable:
        raise
    except Exception as error:  # noqa: BLE001 - the wire is hostile, and readers are the standard library's
        raise Unreadable(f"a {wire['$']} of no readable form: {type(error).__name__}") from None


def text_of(wire: dict[str, Any], key: str) -> str:
    """The text under `key`."""
    text = wire.get(key)
    if type(text) is not str:
        raise Unreadable(f"{wire['$']} without its {key}")
    return text


def list_of(wire: dict[str, Any], key: str, size: int = -1) -> list[Any]:
    """The array under `key`, of `size` items where that is given."""
    items = wire.get(key)
    if type(items) is not list or (size >= 0 and len(items) != size):
        raise Unreadable(f"{wire['$']} without its {key}")
    return items


def pairs_of(wire: dict[str, Any], key: str, what: str, *, named: bool = False) -> list[Any]:
    """The pairs under `key`, each of which begins with a text where they are `named`; `what` says what each is."""
    pairs = list_of(wire, key)
    if any(type(one) is not list or len(one) != 2 or (named and type(one[0]) is not str) for one in pairs):
        raise Unreadable(what)
    return pairs


def read_int(wire: Any) -> int:
    """An int, inline or as tagged hex."""
    if type(wire) is int:
        return wire
    if type(wire) is not dict or wire.get("$") != "int":
        raise Unreadable("an int was expected")
    text = text_of(wire, "hex")
    if len(text) > MAX_HEX or not _HEX.match(text):
        raise Unreadable("an int of no readable form")
    return int(text, 16)


def read_float(wire: Any) -> float:
    """A float, inline or as tagged nan or infinity."""
    if type(wire) is float and wire - wire == 0:
        return wire
    if type(wire) is not dict or wire.get("$") != "float":
        raise Unreadable("a float was expected")
    return _FLOATS[text_of(wire, "v")]


def _ints(wire: dict[str, Any], key: str, size: int) -> list[int]:
    return [read_int(part) for part in list_of(wire, key, size)]


def _bytes(wire: dict[str, Any]) -> bytes:
    return base64.b64decode(text_of(wire, "b64"), validate=True)


def _fraction(wire: dict[str, Any]) -> fractions.Fraction:
    numerator, denominator = _ints(wire, "parts", 2)
    if max(numerator.bit_length(), denominator.bit_length()) > MAX_FRACTION_BITS:
        raise Unreadable("a fraction too large to read")
    return fractions.Fraction(numerator, denominator)


def _uuid(wire: dict[str, Any]) -> uuid.UUID:
    text = text_of(wire, "hex")
    if not re.match(r"[0-9a-f]{32}\Z", text):
        raise Unreadable("a uuid of no readable form")
    return uuid.UUID(int=int(text, 16))


def _ip(wire: dict[str, Any]) -> Any:
    kind = text_of(wire, "kind")
    if kind not in _IPS:
        raise Unreadable("an address of no known kind")
    return getattr(ipaddress, kind)(text_of(wire, "v"))


def _zone(wire: dict[str, Any]) -> Any:
    if ZoneInfo is None:
        raise Unreadable("this Python knows no time zones by name")
    return ZoneInfo(text_of(wire, "key"))


def _moment(kind: Any, size: int, wire: dict[str, Any]) -> Any:
    """A time of day, or a moment, of so many parts, in its zone."""
    parts, fold, zone = _ints(wire, "parts", size), wire.get("fold", 0), wire.get("zone")
    if type(fold) is not int or (zone is not None and (type(zone) is not dict or zone.get("$") not in _ZONES)):
        raise Unreadable(f"{wire['$']} in a zone of no readable form")
    return kind(*parts, None if zone is None else _ZONES[zone["$"]](zone), fold=fold)


def pattern_parts(wire: dict[str, Any]) -> Any:
    """A compiled pattern's source and flags. Compiling a hostile one is for the sandbox alone."""
    source, flags = wire.get("v"), wire.get("flags")
    if type(source) is dict and source.get("$") == "bytes":
        source = _bytes(source)
    if type(source) not in (str, bytes) or type(flags) is not int:
        raise Unreadable("a pattern of no readable form")
    return source, flags


_ZONES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "timezone": lambda wire: dt.timezone(
        dt.timedelta(*_ints(wire, "offset", 3)), *([text_of(wire, "name")] if "name" in wire else [])
    ),
    "zone": _zone,
}
READERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "int": read_int,
    "float": read_float,
    "complex": lambda wire: complex(read_float(wire.get("re")), read_float(wire.get("im"))),
    "bytes": _bytes,
    "bytearray": lambda wire: bytearray(_bytes(wire)),
    "range": lambda wire: range(*_ints(wire, "parts", 3)),
    "decimal": lambda wire: decimal.Decimal(text_of(wire, "v")),
    "fraction": _fraction,
    "uuid": _uuid,
    "path": lambda wire: _PATHS[text_of(wire, "kind")](text_of(wire, "v")),
    "ip": _ip,
    "pattern": lambda wire: re.compile(*pattern_parts(wire)),
    "constant": lambda wire: {"Ellipsis": Ellipsis, "NotImplemented": NotImplemented}[text_of(wire, "v")],
    "timedelta": lambda wire: dt.timedelta(*_ints(wire, "parts", 3)),
    "date": lambda wire: dt.date(*_ints(wire, "parts", 3)),
    "time": lambda wire: _moment(dt.time, 4, wire),
    "datetime": lambda wire: _moment(dt.datetime, 7, wire),
    **_ZONES,
}
