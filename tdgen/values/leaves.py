"""The values without parts of their own, as tagged plain JSON data: numbers, texts, dates, paths, patterns.

Shipped into the sandbox beside `encode.py`, under the same rules: standard library only, Python 3.9 and later, and what
a value holds is read by the builtin's own descriptors, never by a method that a subclass could have replaced.
"""

from __future__ import annotations

import base64
import datetime as dt
import decimal
import fractions
import ipaddress
import pathlib
import re
import types
import uuid
from collections.abc import Callable
from typing import Any

from .facts import MAX_NAME, is_honest, name_of, qualified_name

try:
    from zoneinfo import ZoneInfo
except ImportError:  # a Python that was built without it
    ZoneInfo = None  # type: ignore[assignment, misc]

Spend = Callable[[int], None]

INLINE_INT = 2**53  # up to here JSON's readers that take numbers for floats are exact

_NAMED = (types.FunctionType, types.BuiltinFunctionType)
_WHAT = (
    (_NAMED, "a function"),
    ((types.MethodType, types.MethodWrapperType, types.WrapperDescriptorType), "a method"),
    ((types.ModuleType,), "a module"),
    ((types.CoroutineType,), "a coroutine that was never awaited"),
    ((types.AsyncGeneratorType,), "an asynchronous generator"),
)


def opaque(x: Any, what: str = "") -> dict[str, Any]:
    """What can't be told as data: its class, and what it is in words."""
    kind = type(x)
    for kinds, words in _WHAT if is_honest(kind) else ():
        if kind in kinds:
            what = words
            if kind in _NAMED and type(x.__name__) is str:
                what = f"{words}: {x.__name__[:MAX_NAME]}"
    return {"$": "opaque", "class": qualified_name(kind), "what": what or "an object"}


def _int(x: Any, spend: Spend) -> Any:
    number = int.__int__(x)
    if -INLINE_INT <= number <= INLINE_INT:
        return number
    spend(number.bit_length() // 4)
    return {"$": "int", "hex": hex(number)}


def _float(x: Any, spend: Spend) -> Any:
    number = float.__float__(x)
    if number - number == 0:
        return number
    return {"$": "float", "v": "nan" if number != number else "inf" if number > 0 else "-inf"}


def _str(x: Any, spend: Spend) -> Any:
    spend(str.__len__(x))
    return str.__str__(x)


def _bytes(x: Any, spend: Spend) -> Any:
    base: Any = bytearray if issubclass(type(x), bytearray) else bytes
    spend(base.__len__(x))
    return {"$": base.__name__, "b64": base64.b64encode(base.__getitem__(x, slice(None))).decode("ascii")}


def _decimal(x: Any, spend: Spend) -> Any:
    text = decimal.Decimal.__str__(x)
    spend(len(text))
    return {"$": "decimal", "v": text}


def _fraction(x: Any, spend: Spend) -> Any:
    parts = [object.__getattribute__(x, name) for name in ("_numerator", "_denominator")]
    return {"$": "fraction", "parts": [_int(part, spend) for part in parts]}


def _path(x: Any, spend: Spend) -> Any:
    text = pathlib.PurePath.__str__(x)
    spend(len(text))
    return {"$": "path", "kind": name_of(type(x)), "v": text}


def _pattern(x: Any, spend: Spend) -> Any:
    if type(x.pattern) not in (str, bytes):
        return opaque(x)
    return {"$": "pattern", "v": LEAVES[type(x.pattern)](x.pattern, spend), "flags": x.flags}


def _timezone(x: Any, spend: Spend) -> Any:
    offset = dt.timezone.utcoffset(x, None)
    wire = {"$": "timezone", "offset": _parts(offset, dt.timedelta, "days", "seconds", "microseconds")}
    name = dt.timezone.tzname(x, None)
    if name != dt.timezone(offset).tzname(None):
        spend(len(name))
        wire["name"] = name
    return wire


def zone_of(key: Any) -> Any:
    """The time zone of that name, or None."""
    return ZoneInfo(key) if type(key) is str and ZoneInfo is not None else None


def _datetime(x: Any, spend: Spend) -> Any:
    day = _parts(x, dt.date, "year", "month", "day")
    return _clock({"$": "datetime", "parts": day + _parts(x, dt.datetime, *_CLOCK)}, x, dt.datetime, spend)


_CLOCK = ("hour", "minute", "second", "microsecond")


def _clock(wire: dict[str, Any], x: Any, base: type, spend: Spend) -> Any:
    """`wire` with `x`'s fold and time zone; a zone of a class of its own makes the whole opaque."""
    fold, zone = _parts(x, base, "fold", "tzinfo")
    if fold:
        wire["fold"] = fold
    if zone is not None:
        if type(zone) not in (dt.timezone, ZoneInfo):
            return opaque(x, "a time in a zone of a class of its own")
        wire["zone"] = LEAVES[type(zone)](zone, spend)
    return wire


def _parts(x: Any, base: type, *names: str) -> Any:
    return [base.__dict__[name].__get__(x) for name in names]


IP_KINDS = (
    *(ipaddress.IPv4Address, ipaddress.IPv4Network, ipaddress.IPv4Interface),
    *(ipaddress.IPv6Address, ipaddress.IPv6Network, ipaddress.IPv6Interface),
)
LEAVES: dict[type, Callable[[Any, Spend], Any]] = {
    int: _int,
    float: _float,
    complex: lambda x, spend: {
        "$": "complex",
        "re": _float(complex.__dict__["real"].__get__(x), spend),
        "im": _float(complex.__dict__["imag"].__get__(x), spend),
    },
    str: _str,
    bytes: _bytes,
    bytearray: _bytes,
    range: lambda x, spend: {"$": "range", "parts": [_int(part, spend) for part in (x.start, x.stop, x.step)]},
    decimal.Decimal: _decimal,
    fractions.Fraction: _fraction,
    uuid.UUID: lambda x, spend: {"$": "uuid", "hex": f"{int.__int__(object.__getattribute__(x, 'int')):032x}"},
    re.Pattern: _pattern,
    type(Ellipsis): lambda x, spend: {"$": "constant", "v": "Ellipsis"},
    type(NotImplemented): lambda x, spend: {"$": "constant", "v": "NotImplemented"},
    dt.date: lambda x, spend: {"$": "date", "parts": _parts(x, dt.date, "year", "month", "day")},
    dt.time: lambda x, spend: _clock({"$": "time", "parts": _parts(x, dt.time, *_CLOCK)}, x, dt.time, spend),
    dt.datetime: _datetime,
    dt.timedelta: lambda x, spend: {
        "$": "timedelta",
        "parts": _parts(x, dt.timedelta, "days", "seconds", "microseconds"),
    },
    dt.timezone: _timezone,
    pathlib.PurePosixPath: _path,
    pathlib.PureWindowsPath: _path,
    pathlib.PosixPath: _path,
    pathlib.WindowsPath: _path,
}
LEAVES.update(
    dict.fromkeys(
        IP_KINDS,
        lambda x, spend: {"$": "ip", "kind": name_of(type(x)), "v": str(x)} if type(x) in IP_KINDS else opaque(x),
    )
)
if ZoneInfo is not None:
    LEAVES[ZoneInfo] = lambda x, spend: (
        {"$": "zone", "key": x.key} if type(x.key) is str else opaque(x, "a time zone without a name")
    )
