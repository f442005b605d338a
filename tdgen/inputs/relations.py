"""Relations between values: brought about in new inputs, and found in those that cases have.

Faults sit where two things meet (an interval that begins where another ends, a limit that equals a price), and values
that vary one by one seldom do. So values are made equal, touching, one apart, one within the other; and what two
arguments have to do with each other in every case (one is at most the other, counts it, or is in it) is kept.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, pairwise, permutations
from operator import add, sub
from random import Random
from typing import Any, NamedTuple

from tdgen.inputs.literals import tried
from tdgen.inputs.profiles import inside, ordered
from tdgen.values.shapes import Constructed

_PAIRS = 4
_FEW = 3


def related(items: Sequence[Any], rng: Random) -> Iterator[list[Any]]:
    """The items with one of them brought into relation with another: of neighbours, and of a few others."""
    places = list(range(len(items)))
    neighbours = list(pairwise(places))
    others = [pair for pair in permutations(places[: 2 * _PAIRS], 2) if pair not in neighbours]
    rng.shuffle(others)
    for one, other in [*neighbours[:_PAIRS], *others[:_PAIRS]]:
        for changed in chain(_spans(items[one], items[other]), _matched(items[one], items[other])):
            yield [*items[:other], changed, *items[other + 1 :]]


def matched(value: Any, other: Any) -> Iterator[Any]:
    """What may stand for `value` so that it has to do with `other`: that, its length, its items, what is near."""
    lengths = [len(other)] if isinstance(other, list | tuple | str | dict | set) else []
    for base in (other, *parts(other)[:_FEW], *lengths):
        if type(base) is type(value):
            yield from near(base)


def near(value: Any) -> Iterator[Any]:
    """A value, and those next to it where it has such."""
    yield value
    step = _step(value)
    if step is not None:
        yield from (*tried(add, value, step), *tried(sub, value, step))


def _matched(one: Any, other: Any) -> Iterator[Any]:
    """`other` with each of its parts equal to one of `one`, or next to it."""
    for place, mine in enumerate(parts(other)):
        for theirs in parts(one):
            if type(mine) is type(theirs):
                yield from (with_part(other, place, value) for value in near(theirs) if value != mine)


def _spans(one: Any, other: Any) -> Iterator[Any]:
    """`other` within, touching, and just behind `one`, where both begin with two values that are in order."""
    ends, mine = parts(one)[:2], parts(other)[:2]
    if len(ends) + len(mine) < 4 or len({type(value) for value in (*ends, *mine)}) > 1:
        return
    low, high = ends
    step = _step(low)
    if step is None:
        return
    try:
        spans = [
            (low + step, high - step),
            (low, high - step),
            (high, high + (high - low)),
            (high + step, high + 2 * step),
        ]
        in_order = low <= high
    except (OverflowError, TypeError):
        return
    for start, end in spans if in_order else ():
        if start <= end:
            yield with_part(with_part(other, 0, start), 1, end)


def _step(value: Any) -> Any:
    """The least step from a value that means something; None where there is no such."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return 1
    if isinstance(value, Decimal):
        return Decimal((0, (1,), int(value.as_tuple().exponent))) if value.is_finite() else None
    if isinstance(value, dt.datetime):
        return dt.timedelta(minutes=1)
    return dt.timedelta(days=1) if isinstance(value, dt.date) else None


def parts(value: Any) -> list[Any]:
    """What a value holds; the value itself where it is no container."""
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, Constructed):
        return inside(value)
    return ordered(value) if isinstance(value, list | tuple | set | frozenset) else [value]


class Place(NamedTuple):
    """Where something is in a value, and what is there."""

    path: tuple[int, ...]
    value: Any


def places(value: Any, most: int | None = None, path: tuple[int, ...] = ()) -> Iterator[Place]:
    """The value and all that it holds, the outer first; of rows of more than `most` items the first ones and the last.

    Of a dict only the values.
    """
    yield Place(path, value)
    held = parts(value) if isinstance(value, list | tuple | set | frozenset | dict | Constructed) else []
    for n, part in enumerate(held):
        if most is None or n < most - 1 or n == len(held) - 1:
            yield from places(part, most, (*path, n))


def with_part(value: Any, place: int, part: Any) -> Any:
    """The value with another part in one place."""
    held = parts(value)
    held[place] = part
    if isinstance(value, dict):
        return dict(zip(value, held, strict=True))
    if isinstance(value, Constructed):
        count = len(value.positional)
        names = [name for name, _ in value.named]
        return Constructed(value.name, tuple(held[:count]), tuple(zip(names, held[count:], strict=True)))
    return type(value)(held) if isinstance(value, list | tuple | set | frozenset) else part


def put(value: Any, path: Sequence[int], part: Any) -> Any:
    """The value with another part at the end of a path."""
    if not path:
        return part
    return with_part(value, path[0], put(parts(value)[path[0]], path[1:], part))


_SIZED = (list, tuple, str)
_FEWEST = 3
_MOST_PLACES = 8
Pair = tuple[Any, Any]


@dataclass(frozen=True)
class Relation:
    """Two places by their keys, whether a pair of values keeps the relation, and a pair brought nearer to it."""

    name: str
    one: str
    other: str
    holds: Callable[[Any, Any], bool]
    mend: Callable[[Any, Any], Pair]

    def kept(self, values: Mapping[str, Any]) -> bool:
        """Whether the values keep it; those that lack a place do."""
        if self.one not in values or self.other not in values:
            return True
        return _holds(self.holds, values[self.one], values[self.other])

    def mended(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values with the pair changed so that it likelier keeps it."""
        try:
            one, other = self.mend(values[self.one], values[self.other])
        except (TypeError, ValueError, IndexError, OverflowError):
            return dict(values)
        return {**values, self.one: one, self.other: other}


def relations(rows: Sequence[Mapping[str, Any]]) -> tuple[Relation, ...]:
    """The relations that all of `rows` keep: values by key, each from one case."""
    keys = sorted({key for values in rows for key in values})[:_MOST_PLACES]
    kept = []
    for one, other in permutations(keys, 2):
        pairs = [(values[one], values[other]) for values in rows if one in values and other in values]
        if len(pairs) < _FEWEST:
            continue
        for name, fewest, tells, holds, mend in _KINDS:
            if len(pairs) >= fewest and tells(pairs) and all(_holds(holds, a, b) for a, b in pairs):
                kept.append(Relation(name, one, other, holds, mend))
                break
    return tuple(kept)


def _holds(holds: Callable[[Any, Any], bool], one: Any, other: Any) -> bool:
    try:
        return bool(holds(one, other))
    except TypeError:
        return False


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _lengths_differ(pairs: Sequence[Pair]) -> bool:
    return len({len(b) for _, b in pairs if isinstance(b, _SIZED)}) > 1


def _cut(a: Any, b: Any) -> Pair:
    shorter = min(len(a), len(b))
    return a[:shorter], b[:shorter]


def _among(a: Any, b: Any) -> Pair:
    kept = [item for item in a if item in b]
    return ("".join(kept) if isinstance(a, str) else type(a)(kept)), b


_Kind = tuple[str, int, Callable[[Sequence[Pair]], bool], Callable[[Any, Any], bool], Callable[[Any, Any], Pair]]
_KINDS: tuple[_Kind, ...] = (
    (
        "as long",
        3,
        _lengths_differ,
        lambda a, b: isinstance(a, _SIZED) and isinstance(b, _SIZED) and len(a) == len(b),
        _cut,
    ),
    (
        "counts",
        3,
        _lengths_differ,
        lambda a, b: type(a) is int and isinstance(b, _SIZED) and a == len(b),
        lambda a, b: (len(b), b),
    ),
    (
        "index of",
        3,
        _lengths_differ,
        lambda a, b: type(a) is int and isinstance(b, _SIZED) and 0 <= a < len(b),
        lambda a, b: (a % max(len(b), 1), b),
    ),
    (
        "at most the length of",
        3,
        _lengths_differ,
        lambda a, b: type(a) is int and isinstance(b, _SIZED) and 0 <= a <= len(b),
        lambda a, b: (a % (len(b) + 1), b),
    ),
    (
        "in",
        3,
        bool,
        lambda a, b: isinstance(b, list | tuple | dict | set | frozenset | str) and a in b,
        lambda a, b: (b[: len(a)] if isinstance(b, str) else ordered(b)[0], b),
    ),
    (
        "among",
        4,
        bool,
        lambda a, b: (
            isinstance(a, _SIZED) and isinstance(b, _SIZED) and type(a) is type(b) and all(item in b for item in a)
        ),
        _among,
    ),
    (
        "less than",
        4,
        bool,
        lambda a, b: _is_number(a) and _is_number(b) and a < b,
        lambda a, b: (b, a) if b < a else (a, a + 1),
    ),
    ("at most", 4, bool, lambda a, b: _is_number(a) and _is_number(b) and a <= b, lambda a, b: (b, a)),
)
