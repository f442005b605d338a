"""Two sequences whose order is free: which item of the one stands for which item of the other."""

from __future__ import annotations

import collections
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tdgen.values.keys import Keys
from tdgen.values.kinds import Record, Scalar
from tdgen.values.numbers import as_float, is_nan

Agrees = Callable[[Any, Any], bool]
MAX_PAIRS = 250_000


def in_order_of(expected: Sequence[Any], actual: Sequence[Any], agrees: Agrees, keys: Keys) -> list[Any]:
    """`actual` with each item at the place of an expected item that it agrees with, the others where room is left.

    Equal items are found by key, then those within a tolerance by sorting both, then, unless there are too many pairs,
    by trying each with each. Two sequences agree in some order where they agree item by item after this.
    """
    places: list[int | None] = [None] * len(expected)
    free = _place_equal(expected, actual, agrees, keys, places)
    if free and None in places:
        free = _place_sorted(expected, actual, agrees, keys, places, free)
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


def _place_sorted(
    expected: Sequence[Any],
    actual: Sequence[Any],
    agrees: Agrees,
    keys: Keys,
    places: list[int | None],
    free: list[int],
) -> list[int]:
    """Place what agrees when both are sorted."""
    unplaced = [place for place, index in enumerate(places) if index is None]
    unplaced.sort(key=lambda place: _rank(expected[place], keys))
    by_order = sorted(free, key=lambda index: _rank(actual[index], keys))
    for place, index in zip(unplaced, by_order, strict=False):
        if agrees(expected[place], actual[index]):
            places[place] = index
    placed = set(places)
    return [index for index in free if index not in placed]


def _rank(value: Any, keys: Keys) -> tuple[Any, ...]:
    """What sorts values of all types: numbers by their size, texts, sequences item by item, the rest by key.

    Python's own order has errors (complex numbers, a Decimal NaN) and comparisons without a bound on their cost.
    """
    kind = type(value)
    if kind is Scalar:
        return _rank(value.value, keys)
    if kind in (int, float, Decimal, Fraction) and not is_nan(value):
        return 0, as_float(value)
    if kind is complex and value == value:
        return 1, value.real, value.imag
    if kind is str:
        return 2, value
    if kind in (list, tuple) or (kind is Record and value.kind == "namedtuple"):
        return 3, [_rank(item, keys) for item in (value.items if kind is Record else value)]
    return 4, keys.of(value)


def _place_any(
    expected: Sequence[Any], actual: Sequence[Any], agrees: Agrees, places: list[int | None], free: list[int]
) -> list[int]:
    """Place the first that agrees with each expected item."""
    for place, item in enumerate(expected):
        if places[place] is None:
            places[place] = next((index for index in free if agrees(item, actual[index])), None)
            free = [index for index in free if index != places[place]]
    return free
