"""Where a plain `==` in a test says something else than the relation does, for an expected value."""

from __future__ import annotations

import collections
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tdgen.values.keys import is_nan
from tdgen.values.plain import Cycle, Iterated, Member, Opaque, Record, Unordered

_SEQUENCES = (list, tuple, collections.deque)


def traps(value: Any) -> frozenset[str]:
    """The names of what in the expected plain `value` a plain `==` would judge otherwise than the relation.

    Where `==` is looser, so that an assertion must be added:
    `bool_like`   a bool, or a number equal to 0 or 1, at any depth, also as a key or in a set: `True == 1`
    `int`         an int at any depth: where the relation says `exact_int`, `2 == 2.0`

    Where `==` is stricter, so that it must be replaced:
    `float`         the value itself is a float other than NaN
    `nested_float`  a float other than NaN inside, where a tolerance counts (not in keys and sets)
    `nan`           NaN anywhere
    `iterator`      an iterator or a dict's values anywhere: two of them are never equal
    `exception`     an exception as a value: two of them are never equal
    `cycle`         a container that holds itself: comparing two of them never ends

    `opaque`: a function, an open file or the like is in it, so that nothing can ever agree with it.
    """
    found: set[str] = set()
    _look(value, found, at="top", seen=set())
    return frozenset(found)


def _look(value: Any, found: set[str], *, at: str, seen: set[tuple[int, bool]]) -> None:
    kind = type(value)
    if kind in (bool, int, float, complex, Decimal, Fraction):
        found |= _of_number(value, at)
        return
    if (id(value), at == "key") in seen:  # a shared part, looked at before
        return
    seen.add((id(value), at == "key"))
    for trap, kinds in (("cycle", Cycle), ("opaque", Opaque)):
        if kind is kinds:
            found.add(trap)
    if kind is Iterated and value.view in ("", "dict_values"):
        found.add("iterator")
    if kind is Record and value.kind == "exception":
        found.add("exception")
    for part, place in _parts(value):
        _look(part, found, at=place if at != "key" else at, seen=seen)


def _of_number(value: Any, at: str) -> set[str]:
    found = set()
    if type(value) is complex:
        return {"nan"} if is_nan(value.real) or is_nan(value.imag) else ({"bool_like"} if value in (0, 1) else set())
    if is_nan(value):
        return {"nan"}
    if type(value) is bool or value in (0, 1):
        found.add("bool_like")
    if type(value) is int:
        found.add("int")
    if type(value) is float and at != "key":
        found.add("float" if at == "top" else "nested_float")
    return found


def _parts(value: Any) -> Iterable[tuple[Any, str]]:
    """What is inside `value`, each with its place: an `item`, or a `key`, where no tolerance counts."""
    kind = type(value)
    if kind in _SEQUENCES:
        return [(item, "item") for item in value]
    if kind in (set, frozenset):
        return [(item, "key") for item in value]
    if kind is dict:
        return [pair for key, item in value.items() for pair in ((key, "key"), (item, "item"))]
    if kind is Unordered:
        if value.kind == "dict":
            return [pair for key, item in value.items for pair in ((key, "key"), (item, "item"))]
        return [(item, "key") for item in value.items]
    if kind in (Record, Iterated):
        return [(item, "item") for item in value.items]
    if kind is Member and value.mixed:
        return [(value.base, "key")]
    return [(part, "item") for part in (value.start, value.stop, value.step)] if kind is slice else []
