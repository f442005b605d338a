"""Values brought into relation with each other: equal, touching, one apart, one within the other.

Faults sit where two things meet (an interval that begins where another ends, a limit that equals a price), and values
that vary one by one seldom do.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import chain, pairwise, permutations
from random import Random
from typing import Any

from tdgen.inputs.profiles import inside, ordered
from tdgen.values.shapes import Made

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
    for found in (other, *parts(other)[:_FEW], *lengths):
        if type(found) is type(value):
            yield from near(found)


def near(value: Any) -> Iterator[Any]:
    """A value, and those next to it where it has such."""
    yield value
    step = _step(value)
    if step is not None:
        try:
            yield from (value + step, value - step)
        except OverflowError:
            return


def _matched(one: Any, other: Any) -> Iterator[Any]:
    """`other` with each of its parts equal to one of `one`, or next to it."""
    for place, mine in enumerate(parts(other)):
        for theirs in parts(one):
            if type(mine) is type(theirs):
                yield from (with_part(other, place, value) for value in near(theirs) if value != mine)


def _spans(one: Any, other: Any) -> Iterator[Any]:
    """`other` within, touching, and just behind `one`, where both begin with two values that are in order."""
    ends, mine = parts(one)[:2], parts(other)[:2]
    if len(ends) + len(mine) < 4 or len({type(value) for value in (*ends, *mine)}) > 1 or not _are_in_order(ends):
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
    except OverflowError:
        return
    for start, end in spans:
        if start <= end:
            yield with_part(with_part(other, 0, start), 1, end)


def _are_in_order(values: Sequence[Any]) -> bool:
    try:
        return bool(values[0] <= values[1])
    except TypeError:
        return False


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
    if isinstance(value, Made):
        return inside(value)
    return ordered(value) if isinstance(value, list | tuple | set | frozenset) else [value]


def with_part(value: Any, place: int, part: Any) -> Any:
    """The value with another part in one place."""
    held = parts(value)
    held[place] = part
    if isinstance(value, dict):
        return dict(zip(value, held, strict=True))
    if isinstance(value, Made):
        count = len(value.positional)
        names = [name for name, _ in value.named]
        return Made(value.name, tuple(held[:count]), tuple(zip(names, held[count:], strict=True)))
    return type(value)(held) if isinstance(value, list | tuple | set | frozenset) else part
