"""Two sequences whose order is free: which item of the one stands for which item of the other."""

from __future__ import annotations

import collections
from collections.abc import Callable, Sequence
from typing import Any

from tdgen.values.keys import Key, key_of

Agrees = Callable[[Any, Any], bool]
MAX_PAIRS = 250_000


def in_order_of(expected: Sequence[Any], actual: Sequence[Any], agrees: Agrees) -> list[Any]:
    """`actual` with each item at the place of an expected item that it agrees with, the others where room is left.

    Equal items are found by key, then those within a tolerance by sorting both, then, unless there are too many pairs,
    by trying each with each. Two sequences agree in some order where they agree item by item after this.
    """
    places: list[int | None] = [None] * len(expected)
    free = _place_equal(expected, actual, agrees, places)
    if free and None in places:
        free = _place_sorted(expected, actual, agrees, places, free)
    open_places = [place for place, index in enumerate(places) if index is None]
    if len(free) * len(open_places) <= MAX_PAIRS:
        free = _place_any(expected, actual, agrees, places, free)
    rest = iter(free)
    filled = [next(rest, None) if index is None else index for index in places]
    return [actual[index] for index in (*filled, *rest) if index is not None]


def _place_equal(expected: Sequence[Any], actual: Sequence[Any], agrees: Agrees, places: list[int | None]) -> list[int]:
    """Place what equals an expected item by key; the indices still free, in order."""
    waiting: dict[Key, list[int]] = collections.defaultdict(list)
    for index in reversed(range(len(actual))):
        waiting[key_of(actual[index])].append(index)
    for place, item in enumerate(expected):
        same = waiting.get(key_of(item))
        if same and agrees(item, actual[same[-1]]):
            places[place] = same.pop()
    return sorted(index for same in waiting.values() for index in same)


def _place_sorted(
    expected: Sequence[Any], actual: Sequence[Any], agrees: Agrees, places: list[int | None], free: list[int]
) -> list[int]:
    """Place what agrees when both are sorted by Python's own order, where they have one."""
    unplaced = [place for place, index in enumerate(places) if index is None]
    try:
        unplaced.sort(key=lambda place: expected[place])
        by_order = sorted(free, key=lambda index: actual[index])
    except TypeError:
        return free
    for place, index in zip(unplaced, by_order, strict=False):
        if agrees(expected[place], actual[index]):
            places[place] = index
    placed = set(places)
    return [index for index in free if index not in placed]


def _place_any(
    expected: Sequence[Any], actual: Sequence[Any], agrees: Agrees, places: list[int | None], free: list[int]
) -> list[int]:
    """Place the first that agrees with each expected item."""
    for place, item in enumerate(expected):
        if places[place] is None:
            places[place] = next((index for index in free if agrees(item, actual[index])), None)
            free = [index for index in free if index != places[place]]
    return free
