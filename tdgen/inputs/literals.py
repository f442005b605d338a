"""Values that hold no others, one step away, and values as Python source and back."""

from __future__ import annotations

import ast
import calendar
import collections
import datetime as dt
import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from operator import add, mul, neg, sub
from pathlib import PurePath, PurePosixPath
from random import Random
from typing import Any

from tdgen.source.trees import dotted
from tdgen.values.shapes import Constructed, Word

LARGE = 10**9 + 7
_LEFT_OUT = 8  # a little of what a header or a line end has; of more, other steps would get no turn


def ints(value: int) -> Iterator[int]:
    """Neighbours, the other sign, nothing, double and half, and large ones."""
    yield from (value + 1, value - 1, 0, 1, -value, value * 2, value // 2, 2, -1, value + 10, value * 10)
    digits = str(abs(value)) if abs(value) < 10**100 else ""
    if len(digits) > 1:
        yield from (int(digits[::-1]), int(digits[1:]), int(digits[:-1]), int(digits[0] * len(digits)))
    yield from (value * 100 + 1, -value - 1, LARGE)


def floats(value: float) -> Iterator[float]:
    """Neighbours, whole numbers, halves, tiny and large ones."""
    if not math.isfinite(value):
        yield from (0.0, 1.5, -value)
        return
    yield from (value + 1, value - 1, 0.0, -value, value * 2, value / 2, value + 0.5, round(value, 1) + 0.1)
    yield from (float(math.floor(value)), float(math.ceil(value)), value * 1.01, 1.0, 0.5, value * 1e6, value * 1e-6)
    yield from (float("inf"), float("nan"))


def decimals(value: Decimal) -> Iterator[Decimal]:
    """Neighbours by one and by the last place, the other sign, nothing, double."""
    one = Decimal(1)
    yield from (*tried(add, value, one), *tried(sub, value, one), Decimal(0), *tried(neg, value), *tried(mul, value, 2))
    if value.is_finite():
        last = Decimal((0, (1,), int(value.as_tuple().exponent)))
        yield from (*tried(add, value, last), *tried(sub, value, last), *tried(add, value, Decimal("0.005")))


def fractions(value: Fraction) -> Iterator[Fraction]:
    """Neighbours, the other sign, nothing, the inverse."""
    yield from (value + 1, value - 1, Fraction(0), -value, value * 2, value / 3)
    if value:
        yield 1 / value


def blobs(value: bytes) -> Iterator[bytes]:
    """Bytes dropped, doubled, turned round, each of the first few left out, and the awkward ones."""
    yield from (value[1:], value[:-1], value + value[-1:], value[::-1], b"", value[:1], value * 2)
    yield from (value[:n] + value[n + 1 :] for n in range(1, min(len(value) - 1, _LEFT_OUT)))
    yield from (value + b"\x00", b"\xff" + value, value.upper(), value.swapcase(), value + b"\n")


def dates(value: dt.date) -> Iterator[dt.date]:
    """The days around it, the month's ends, other months and years, leap days."""
    days = (1, -1, 7, -7, 30, -30, 365, -365)
    for step in days:
        yield from tried(add, value, dt.timedelta(days=step))
    last = calendar.monthrange(value.year, value.month)[1]
    yield from (value.replace(day=1), value.replace(day=last), value.replace(month=12, day=31))
    yield from (value.replace(month=1, day=1), value.replace(year=2024, month=2, day=29))
    yield value.replace(year=1900, month=2, day=28)
    if isinstance(value, dt.datetime):
        for seconds in (1, -1, 60, 3600, -3600, 86_399):
            yield from tried(add, value, dt.timedelta(seconds=seconds))
        yield value.replace(hour=0, minute=0, second=0, microsecond=0)
        yield value.replace(hour=23, minute=59, second=59)


def durations(value: dt.timedelta) -> Iterator[dt.timedelta]:
    """Longer, shorter, none, backwards."""
    for step in (1, -1, 60, 3600, 86_400):
        yield from tried(add, value, dt.timedelta(seconds=step))
    yield from (dt.timedelta(0), *tried(neg, value), *tried(mul, value, 2), value / 2)


def paths(value: PurePosixPath) -> Iterator[PurePosixPath]:
    """Above it, below it, and under another ending."""
    yield from (value.parent, value / "a", PurePosixPath(value.name), value.parent / "a.b.c", PurePosixPath("."))
    if value.suffix:
        yield value.with_suffix("")


def clocks(value: str) -> Iterator[str]:
    """An ISO 8601 time moved as a datetime is."""
    try:
        moment = dt.datetime.fromisoformat(value)
    except ValueError:
        return
    for moved in dates(moment):
        yield moved.isoformat()


def tried(make: Callable[..., Any], *operands: Any) -> Iterator[Any]:
    """What comes of the operands; nothing where it is beyond what its type can hold, as the day after the last one."""
    with suppress(ArithmeticError):
        yield make(*operands)


_NEAR = {"a": "b", "z": "a", "Z": "A", "9": "0"}
_FOREIGN = ("é", "ß", "日", "\U0001f600", "İ")


def strings(text: str, others: Sequence[str], alphabet: str, rng: Random) -> Iterator[str]:
    """What is one step away; `others` are strings seen elsewhere, `alphabet` the characters seen at this place."""
    if text:
        yield from _characters(text, alphabet, rng)
    yield from ("", text[:1], text + text, text[::-1], text.swapcase(), text.upper(), text.lower())
    for match in list(re.finditer(r"\d{1,15}", text))[:4]:
        number = int(match[0])
        for near in (number + 1, max(number - 1, 0), 0, number * 10):
            yield text[: match.start()] + str(near).zfill(len(match[0])) + text[match.end() :]
    yield from _words(text, rng)
    if "\n" in text:
        lines = text.splitlines(keepends=True)
        yield from ("".join(lines[:n] + lines[n + 1 :]) for n in range(min(len(lines), 4)))
        yield from ("".join(lines[::-1]), "".join(lines + lines[-1:]), text.rstrip("\n"), "\n" + text)
        yield text.replace("\n", "\r\n")
    for other in others[:4]:
        yield from (text + other, text[: len(text) // 2] + other[len(other) // 2 :], other + text)
    yield from (text + letter for letter in _some(alphabet, rng, 3))
    yield from ("".join(sorted(text)), text.capitalize(), text.title(), text.strip(), text.replace(" ", ""))
    yield from (f" {text}", f"{text} ", text.replace(" ", "  "), f"{text}\n", f"\t{text}", " ", "0")
    yield from (text[: len(text) // 2] + letter + text[len(text) // 2 :] for letter in _FOREIGN)


def _characters(text: str, alphabet: str, rng: Random) -> Iterator[str]:
    places = _places(len(text), rng)
    for place in places:
        yield text[:place] + text[place + 1 :]
    for place in places:
        letter = text[place]
        beside = chr(ord(letter) + 1) if letter.isascii() and letter.isalnum() else letter.swapcase()
        yield text[:place] + _NEAR.get(letter, beside) + text[place + 1 :]
    for place in places:
        yield text[: place + 1] + text[place:]
    for place in places:
        for letter in _some(alphabet, rng, 2):
            yield text[:place] + letter + text[place + 1 :]
            yield text[:place] + letter + text[place:]
    for place in places[:-1]:
        yield text[:place] + text[place : place + 2][::-1] + text[place + 2 :]


def _words(text: str, rng: Random) -> Iterator[str]:
    gap = next((gap for gap in (" ", ",", "-", "_", "/", ".", ":") if gap in text.strip()), "")
    parts = text.split(gap) if gap else []
    if len(parts) < 2 or len(parts) > 200:
        return
    for place in _places(len(parts), rng):
        yield gap.join(parts[:place] + parts[place + 1 :])
        yield gap.join(parts[: place + 1] + parts[place:])
    yield from (gap.join(parts[::-1]), gap.join(sorted(parts)), gap + text, text + gap, gap.join([*parts, *parts]))
    yield text.replace(gap, gap * 2, 1)


def _places(length: int, rng: Random) -> list[int]:
    """The first, the last, the middle and one more."""
    return sorted({0, length - 1, length // 2, rng.randrange(length)}) if length else []


def _some(alphabet: str, rng: Random, count: int) -> list[str]:
    return [rng.choice(alphabet) for _ in range(count)] if alphabet else []


_CONTAINERS = frozenset({"deque", "Counter", "OrderedDict", "bytearray", "frozenset", "set", "list", "tuple", "dict"})
_CONSTANTS = {"inf": math.inf, "nan": math.nan}
_LONGEST = 10_000  # bits; Python writes no int of more than 4300 digits
_COLLIDING = 100  # a set of many ints that have one hash takes a time that is quadratic in their number
_MOMENT = re.compile(r"datetime\.(?!\d)(\w+)")
_WORDS = frozenset({"timezone.utc", "datetime.timezone.utc", "UTC"})


class Unreadable(ValueError):
    """An expression that is more than a value."""


def read(node: ast.expr, shared: Collection[str] = ()) -> Any:
    """The value that an expression spells out; `shared` names the types whose constructors make records.

    Raises Unreadable for anything that would have to be run.
    """
    match node:
        case ast.Constant(value=int() as number) if number.bit_length() > _LONGEST:
            raise Unreadable("a number too long to be told in decimals")
        case ast.Constant(value=value) if value is not Ellipsis:
            return value
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=ast.Constant(value=int() | float() as number)):
            return -number if isinstance(sign, ast.USub) else number
        case ast.List(elts=items) | ast.Tuple(elts=items):
            values = [read(item, shared) for item in items]
            return tuple(values) if isinstance(node, ast.Tuple) else values
        case ast.Set(elts=items):
            return _hashed(set, [read(item, shared) for item in items])
        case ast.Dict(keys=keys, values=values):
            return _hashed(
                dict, [(read(_there(k), shared), read(v, shared)) for k, v in zip(keys, values, strict=True)]
            )
        case ast.Call(func=function, args=args, keywords=keywords):
            named = tuple((_there(keyword.arg), read(keyword.value, shared)) for keyword in keywords)
            return _constructed(dotted(function), tuple([read(item, shared) for item in args]), named, shared)
        case ast.Name() | ast.Attribute():
            return _named(dotted(node), shared)
        case ast.BinOp():
            return _put_together(node, shared)
    raise Unreadable(type(node).__name__)


_SEQUENCES = (list, tuple, str, bytes)
_MOST_TOGETHER = 60
"""How long a sequence may be that is read where it is put together. Not tuned."""


def _put_together(node: ast.BinOp, shared: Collection[str]) -> Any:
    """A short sequence that is repeated, or made of two: `[0] * 20`, `[10, 3] + [0] * 18`."""
    one, other = read(node.left, shared), read(node.right, shared)
    is_sequence = isinstance(one, _SEQUENCES)
    if isinstance(node.op, ast.Mult) and is_sequence and type(other) is int:
        length, join = len(one) * other, mul
    elif isinstance(node.op, ast.Add) and is_sequence and type(one) is type(other):
        length, join = len(one) + len(other), add
    else:
        raise Unreadable("a computed value")
    if length > _MOST_TOGETHER:
        raise Unreadable("a long computed value")
    return join(one, other)


def written(value: Any, imported: Collection[str] = ()) -> str:
    """The source of a value; classes of the standard library through their modules, save those that are `imported`."""
    match value:
        case None | bool() | int() | str() | bytes() | complex():
            return repr(value)
        case float():
            return repr(value) if math.isfinite(value) else f"float('{value}')"
        case list() | tuple() | set() | frozenset() | dict():
            return _container(value, imported)
        case Constructed(name=name, positional=positional, named=named):
            parts = [written(item, imported) for item in positional]
            parts += [f"{key}={written(item, imported)}" for key, item in named]
            return f"{name}({', '.join(parts)})"
        case Word(name=name):
            return name
        case Decimal():
            return f"{_class('decimal', 'Decimal', imported)}('{value}')"
        case Fraction():
            return f"{_class('fractions', 'Fraction', imported)}({value.numerator}, {value.denominator})"
        case PurePath():
            return f"{_class('pathlib', 'Path', imported)}({str(value)!r})"
        case dt.date() | dt.timedelta():
            return _MOMENT.sub(lambda match: _class("datetime", match[1], imported), repr(value))
    raise Unreadable(type(value).__name__)


def _class(module: str, name: str, imported: Collection[str]) -> str:
    """How a class is named; Unreadable where its module's name means something else."""
    if name in imported:
        return name
    if module in imported:
        raise Unreadable(f"{module} is no module here")
    return f"{module}.{name}"


def _container(value: Any, imported: Collection[str]) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{written(k, imported)}: {written(v, imported)}" for k, v in value.items()) + "}"
    items = [written(item, imported) for item in value]
    if isinstance(value, list):
        return f"[{', '.join(items)}]"
    if isinstance(value, tuple):
        return f"({', '.join(items)}{',' * (len(items) == 1)})"
    try:  # in an order that no hash decides
        items = [item for _, item in sorted(zip(value, items, strict=True))]
    except TypeError:
        items.sort()
    inside = "{" + ", ".join(items) + "}" if items else ""
    return f"frozenset({inside})" if isinstance(value, frozenset) else inside or "set()"


def _there(part: Any) -> Any:
    if part is None:
        raise Unreadable("unpacking")
    return part


def _hashed(make: type, items: Any) -> Any:
    try:
        kept = list(items)
        hashes = collections.Counter(hash(item[0] if make is dict else item) for item in kept)
        if max(hashes.values(), default=0) > _COLLIDING and len({repr(item) for item in kept}) > _COLLIDING:
            raise Unreadable("items whose hashes collide")
        return make(kept)
    except TypeError as error:
        raise Unreadable(str(error)) from None


def _named(name: str, shared: Collection[str]) -> Any:
    last = name.removeprefix("math.")
    if last in _CONSTANTS:
        return _CONSTANTS[last]
    if name in _WORDS or (name.partition(".")[0] in shared and name.count(".") == 1):
        return Word(name)
    raise Unreadable(name)


def _constructed(
    name: str, positional: tuple[Any, ...], named: tuple[tuple[str, Any], ...], shared: Collection[str]
) -> Any:
    last = name.rpartition(".")[2]
    try:
        if (make := _CONSTRUCTORS.get(last)) and not any(isinstance(v, Constructed | Word) for v in positional):
            value = make(*positional, **dict(named))
            if not (isinstance(value, Decimal) and value.is_snan()):  # it can't even be compared
                return value
    except (ValueError, TypeError, InvalidOperation, OverflowError, ArithmeticError):
        pass  # it stays what was written: a case may mean just that error
    if last in ("set", "frozenset") and len(positional) < 2 and not named:
        return _hashed(set if last == "set" else frozenset, *(positional or ((),)))
    if name in shared or last in _CONTAINERS or last in _CONSTRUCTORS:
        return Constructed(name, positional, named)
    raise Unreadable(name)


def _float(text: str) -> float:
    if not isinstance(text, str):
        raise TypeError
    return float(text)


def _fraction(*parts: Any) -> Fraction:
    """As `Fraction`, without the exponents that take it minutes."""
    for part in parts:
        exponent = Decimal(part).adjusted() if isinstance(part, str | Decimal) and "/" not in str(part) else 0
        if abs(exponent) > _LONGEST:
            raise ValueError("an exponent too large to be written out")
    return Fraction(*parts)


_CONSTRUCTORS: dict[str, Any] = {
    "Decimal": Decimal,
    "Fraction": _fraction,
    "Path": PurePosixPath,
    "PurePath": PurePosixPath,
    "PurePosixPath": PurePosixPath,
    "date": dt.date,
    "datetime": dt.datetime,
    "timedelta": dt.timedelta,
    "float": _float,
}
