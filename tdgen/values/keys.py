"""A hashable stand-in for any plain value, equal for two values exactly where they are one key of a dict.

Dict keys and set items are matched by it: numbers by value across their types, but a bool is never a number, NaN is
NaN, a named tuple is a tuple, a member of an IntEnum its int, one of numpy's numbers its number, a Timestamp its
datetime, and a declared type is its class's last name and fields.
"""

from __future__ import annotations

import collections
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tdgen.values import kinds
from tdgen.values.kinds import ClassName, Iterated, Member, Opaque, Record, Unordered
from tdgen.values.moments import moment_of

Key = Any


def last_name(class_name: str) -> str:
    """A class's own name, without its module and what it is nested in."""
    return class_name.rpartition(".")[2]


def is_nan(value: Any) -> bool:
    """Whether `value` is a float or Decimal that is not a number."""
    return value.is_nan() if type(value) is Decimal else type(value) is float and value != value


def key_of(value: Any) -> Key:
    """The stand-in of `value`. Linear in its unfolded size."""
    kind = type(value)
    if kind is str or value is None:
        return value
    if kind is bool:
        return ("bool", value)
    if kind in (int, float, Decimal, Fraction):
        return ("nan", kind) if is_nan(value) else ("number", value)
    if kind is complex:
        return ("complex", key_of(value.real), key_of(value.imag)) if value.imag else key_of(value.real)
    if kind in (bytes, bytearray):
        return ("bytes", bytes(value))
    if kind in (list, tuple, collections.deque):
        return (kind.__name__, *map(key_of, value))
    return _key_of_other(value, kind)


def _key_of_other(value: Any, kind: type) -> Key:
    if kind is Record:
        return _key_of_record(value)
    if kind is Member:
        name = value.name or key_of(value.value)
        return key_of(value.base) if value.mixed else ("member", last_name(value.class_name), name)
    if kind in (set, frozenset):
        return ("set", _bag(map(key_of, value)))
    if kind is dict:
        return ("dict", _bag((key_of(key), key_of(item)) for key, item in value.items()))
    if kind is Unordered:
        tag = "dict" if value.kind == "dict" else "set"
        return (tag, _bag(tuple(map(key_of, item)) if tag == "dict" else key_of(item) for item in value.items))
    if kind is Iterated:
        return ("iterated", value.view, value.more, *map(key_of, value.items))
    if kind is slice:
        return ("slice", key_of(value.start), key_of(value.stop), key_of(value.step))
    if kind is ClassName:
        return ("class", last_name(value.name))
    if kind is Opaque:
        return ("opaque", value.class_name, value.what)
    return _key_of_table(value, kind)


def _key_of_table(value: Any, kind: type) -> Key:
    """The stand-in of an array or a table, of what is inside of one, or of a moment."""
    if kind is kinds.Scalar:
        return key_of(value.value)
    if kind is kinds.Array:
        return ("array", value.dtype, value.shape, *map(key_of, value.items))
    if kind is kinds.Index:
        return ("index", *map(key_of, value.levels))
    if kind is kinds.Series:
        return ("series", key_of(value.index), key_of(value.values))
    if kind is kinds.Frame:
        return ("frame", key_of(value.columns), *map(key_of, value.values))
    moment = moment_of(value)
    if moment is not None:
        return moment
    return (value.kind, *map(key_of, value.parts)) if kind is kinds.Stamp else (kind.__name__, value)


def _key_of_record(value: Record) -> Key:
    if value.kind == "namedtuple":
        return ("tuple", *map(key_of, value.items))
    return (value.kind, last_name(value.class_name), *((name, key_of(item)) for name, item in value.fields))


def _bag(keys: Any) -> frozenset[tuple[Key, int]]:
    """How often each of `keys` occurs, whatever their order."""
    return frozenset(collections.Counter(keys).items())
