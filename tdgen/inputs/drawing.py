"""Values drawn anew, and which of several calls is the simpler one."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from random import Random
from typing import Any

from tdgen.inputs.profiles import NOTHING, Profile, ordered
from tdgen.types import Call
from tdgen.values.shapes import Constructed, Shape, Word, fits

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_RUNS = tuple((re.compile(f"[{letters}]+"), sign) for letters, sign in (("0-9", "0"), ("a-z", "a"), ("A-Z", "A")))
_TOKEN = re.compile(r"\w+|[^\w\s]")


def weight(call: Call) -> tuple[int, ...]:
    """A call's weight, lighter ones first: what surrounds it, its length in characters, its odd ones, its parts.

    Of two calls as long, plain letters come before signs, and small digits and first letters before others.
    """
    world = call.world
    surroundings = (call.setup, world.stdin or "", *world.files.values(), *world.environment.values())
    around = sum(map(len, surroundings))
    text = call.expression
    odd = (
        (0 if text.isascii() else sum(not letter.isascii() for letter in text)) + 2 * text.count("\\") + text.count("-")
    )
    return around, len(text), odd, len(_TOKEN.findall(text)), sum(map(ord, text))


def text_pattern(call: Call) -> tuple[str, ...]:
    """A call's sources and texts, each run of digits, small or capital letters in a text as one character.

    To find which of many calls are alike, compare their patterns: each is made once.
    """
    world = call.world
    texts = (world.stdin or "", *world.files.values(), *world.environment.values())
    words = (text if isinstance(text, str) else repr(text) for text in texts)
    sources = (_QUOTED.sub(lambda text: _run_classes(text[0]), source) for source in (call.setup, call.expression))
    return (*sources, *map(_run_classes, words))


def _run_classes(text: str) -> str:
    for run, sign in _RUNS:
        text = run.sub(sign, text)
    return text


_WORDS = ("a", "b", "ab", "A", "aa", "abc", "x y", "1", "Ab", "hello", "Hello World", "a-b", "z9", "12", ",")
_DAY = dt.date(2024, 2, 28)
_LONGEST = 6


class Undrawable(ValueError):
    """A type of which no value can be made from its annotation."""


def draw(shape: Shape, profile: Profile, rng: Random, size: int) -> Any:
    """A value of the type; `size` from 0 on bounds how large it is. Undrawable where none can be made."""
    if shape.kind in ("any", "unknown"):
        if not profile.seen:
            raise Undrawable(shape.kind)
        shape = observed_shape(profile)
    if shape.kind in _LEAVES:
        return _LEAVES[shape.kind](profile, rng, size)
    if shape.kind in ("list", "sequence", "iterable", "set", "frozenset", "row"):
        return _gathered(shape, profile, rng, size)
    if shape.kind == "tuple":
        fields = profile.fields if len(profile.fields) == len(shape.parts) else (NOTHING,) * len(shape.parts)
        return tuple([draw(part, field, rng, size) for part, field in zip(shape.parts, fields, strict=True)])
    if shape.kind == "dict":
        key, value = shape.parts if len(shape.parts) == 2 else (Shape("any"), Shape("any"))
        keys, items = profile.keys or NOTHING, profile.items or NOTHING
        count = rng.randint(0, min(size + 1, _LONGEST))
        pairs = [(draw(key, keys, rng, size), draw(value, items, rng, size)) for _ in range(count)]
        return hashed(dict, pairs, {})
    return _composed(shape, profile, rng, size)


def first(shape: Shape) -> Iterator[Any]:
    """The small values that any test of the type has."""
    if shape.kind == "union":
        for part in shape.parts:
            yield from first(part)
    elif shape.kind == "literal":
        yield from shape.values
    elif shape.kind == "enum":
        yield from (Word(f"{shape.name}.{name}") for name in shape.names)
    elif shape.kind in ("list", "sequence", "iterable", "set", "frozenset", "row"):
        make = _MAKERS.get(shape.kind, list)
        items = list(first(shape.parts[0] if shape.parts else Shape("int")))[:4]
        for few in ([], items[:1], items[1:2], items[:2], items[1::-1], items[:1] * 2, items):
            yield hashed(make, few, make([]))
    elif shape.kind == "dict" and len(shape.parts) == 2:
        yield {}
        for key, value in zip(first(shape.parts[0]), first(shape.parts[1]), strict=False):
            yield hashed(dict, [(key, value)], {})
    else:
        yield from _FIRST.get(shape.kind, ())


def observed_shape(profile: Profile) -> Shape:
    """The shape of what was seen at a place without an annotation: of its first value's type."""
    value = profile.seen[0]
    kind = type(value).__name__
    if kind in ("bool", "int", "float", "str", "list", "set", "frozenset", "dict", "bytes"):
        return Shape(kind)
    if isinstance(value, tuple):
        return Shape("tuple", (Shape("any"),) * len(profile.fields)) if profile.fields else Shape("row")
    return Shape("literal", values=tuple(profile.seen[:20]))


def hashed(make: Callable[[Any], Any], items: list[Any], otherwise: Any) -> Any:
    """What is made of the items; `otherwise` where one of them can't be hashed."""
    try:
        return make(items)
    except TypeError:
        return otherwise


def _gathered(shape: Shape, profile: Profile, rng: Random, size: int) -> Any:
    items = profile.items or NOTHING
    part = shape.parts[0] if shape.parts else Shape("any" if items.seen else "int")
    if shape.kind in ("sequence", "iterable") and profile.seen and isinstance(profile.seen[0], str):
        return _text(profile, rng, size)
    if profile.lengths and rng.random() < 0.6:
        count = rng.choice(profile.lengths)
    else:
        count = rng.randint(0, min(size + 1, _LONGEST))
    drawn = [draw(part, items, rng, size) for _ in range(count)]
    make = _MAKERS.get(shape.kind, list)
    return hashed(make, drawn, make([]))


def _composed(shape: Shape, profile: Profile, rng: Random, size: int) -> Any:
    if shape.kind == "union":
        part = rng.choice(shape.parts)
        return draw(part, Profile([v for v in profile.seen if fits(v, part)]), rng, size)
    if shape.kind == "literal":
        return rng.choice(shape.values)
    if shape.kind == "enum":
        return Word(f"{shape.name}.{rng.choice(shape.names)}")
    drawn = [draw(part, NOTHING, rng, size) for part in shape.parts]
    if shape.kind == "typed_dict":
        return dict(zip(shape.names, drawn, strict=True))
    if shape.kind == "record":
        return Constructed(shape.name, tuple(drawn))
    raise Undrawable(shape.kind)


def _int(profile: Profile, rng: Random, size: int) -> int:
    """Where both signs were seen, any size may have either."""
    numbers = [int(n) for n in profile.numbers if abs(n) < 1e18]
    if numbers and rng.random() < 0.8:
        low, high = min(numbers), max(numbers)
        room = 1 + size * max(1, (high - low) // 4)
        if rng.random() < 0.3:
            return rng.choice(numbers)
        drawn = rng.randint(low, high + room)
        return -drawn if low < 0 < high and rng.random() < 0.3 else drawn
    return rng.randint(-1 - size, 2 + 3 * size)


def _float(profile: Profile, rng: Random, size: int) -> float:
    numbers = [n for n in profile.numbers if abs(n) < 1e18]
    if numbers and rng.random() < 0.8:
        return round(rng.uniform(min(numbers), max(numbers)), rng.choice((0, 1, 2)))
    return round(rng.uniform(-1 - size, 2 + 3 * size), 1)


def _text(profile: Profile, rng: Random, size: int) -> str:
    texts = profile.texts
    if not texts or not texts.alphabet:
        return rng.choice(("", "", " ")).join(rng.choice(_WORDS) for _ in range(rng.randint(1, 1 + min(size, 4))))
    if texts.choices:
        return str(rng.choice(ordered(texts.choices)))
    together = "".join(texts.seen)
    length = len(rng.choice(texts.seen)) if rng.random() < 0.5 else rng.randint(0, 2 + 2 * size)
    if any(len(text.split()) > 1 for text in texts.seen) and rng.random() < 0.5:
        words = [word for text in texts.seen for word in text.split()]
        return " ".join(rng.choice(words) for _ in range(rng.randint(1, 2 + size)))
    return "".join(rng.choice(together) for _ in range(min(length, 60)))


_MAKERS: dict[str, Callable[[Any], Any]] = {"set": set, "frozenset": frozenset, "row": tuple}
_LEAVES: dict[str, Callable[[Profile, Random, int], Any]] = {
    "int": _int,
    "float": _float,
    "complex": lambda profile, rng, size: complex(_int(profile, rng, size), _int(profile, rng, size)),
    "str": _text,
    "bool": lambda profile, rng, size: rng.random() < 0.5,
    "none": lambda profile, rng, size: None,
    "bytes": lambda profile, rng, size: rng.randbytes(rng.randint(0, size + 1)),
    "decimal": lambda profile, rng, size: Decimal(rng.randint(-100, 100 * (size + 1))).scaleb(-2),
    "fraction": lambda profile, rng, size: Fraction(rng.randint(-3, 3 + size), rng.randint(1, 4 + size)),
    "date": lambda profile, rng, size: _DAY + dt.timedelta(days=rng.randint(-400, 400)),
    "datetime": lambda profile, rng, size: (
        dt.datetime(2024, 2, 28, 23, 30) + dt.timedelta(minutes=rng.randint(-(10**5), 10**5))
    ),
    "timedelta": lambda profile, rng, size: dt.timedelta(minutes=rng.randint(-60, 60 * 24 * (size + 1))),
    "path": lambda profile, rng, size: PurePosixPath(rng.choice(("a", "a/b.txt", "b.tar.gz", "."))),
}
_FIRST: dict[str, tuple[Any, ...]] = {
    "none": (None,),
    "bool": (False, True),
    "int": (0, 1, 2, -1, 3, 10, 7, 100, -5),
    "float": (0.0, 1.0, 0.5, -1.0, 2.5, 100.0, -0.1),
    "complex": (0j, 1 + 0j, 1j),
    "str": ("", *_WORDS, " "),
    "bytes": (b"", b"a", b"ab", b"\x00"),
    "decimal": (Decimal(0), Decimal(1), Decimal("0.1"), Decimal("-1.50")),
    "fraction": (Fraction(0), Fraction(1), Fraction(1, 2), Fraction(-1, 3)),
    "date": (_DAY, dt.date(2024, 2, 29), dt.date(2023, 12, 31), dt.date(2000, 1, 1)),
    "datetime": (dt.datetime(2024, 2, 28), dt.datetime(2023, 12, 31, 23, 59, 59)),
    "timedelta": (dt.timedelta(0), dt.timedelta(days=1), dt.timedelta(seconds=-1)),
    "path": (PurePosixPath("a.txt"), PurePosixPath("a/b")),
}
