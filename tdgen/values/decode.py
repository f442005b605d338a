"""What a wire tells of, as data the host can look at safely: no generated class, no code, no real cycle.

The wire is hostile: every shape is looked at, depth and size are bounded, and a part that is shared is one object. A
set or dict is Python's own only where its hashes are no burden: one whose items collide on purpose takes hours to make.
numpy's and pandas' values become plain ones that need neither; their shapes are held against the items that are there.
"""

from __future__ import annotations

import collections
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, Literal

from tdgen.values.kinds import (
    Array,
    ClassName,
    Cycle,
    Frame,
    Index,
    Iterated,
    Member,
    NaT,
    Opaque,
    Pattern,
    Record,
    Scalar,
    Series,
    Unordered,
)
from tdgen.values.numbers import Budget, TooLong
from tdgen.values.readers import READERS, Unreadable, list_of, pairs_of, pattern_parts, read_leaf, text_of

MAX_DIMENSIONS = 64  # as many as numpy 2 has
MAX_LENGTH = 2**31  # of one axis; a judgement: no array that is told within the bounds below is as long
MAX_DEPTH = 150  # a judgement: half as deep again as `encode` goes
MAX_SIZE = 1_000_000  # four times what `encode` tells, as shared parts count wherever they are met; a judgement
MAX_COLLIDING = 100  # so many cost some 5,000 comparisons, which nobody notices; a judgement
MAX_HASHED_BITS = 1_000  # a judgement: longer numbers are no dict's usual keys


def decode(wire: Any) -> Any:
    """The plain data that `wire` tells of; a shared part is one shared object.

    Raises Unreadable (a ValueError), and nothing else, for a wire of no shape that `encode` makes, one nested more than
    MAX_DEPTH levels or than the stack has room for, one of more than MAX_SIZE values when each shared part is counted
    wherever it is met, or one that takes too long to read.
    """
    try:
        return _Decoder().decode(wire, 0, 0)
    except Unreadable:
        raise
    except RecursionError:
        raise Unreadable("nested too deep") from None
    except TooLong:
        raise Unreadable("it takes too long to read") from None
    except Exception as error:  # noqa: BLE001 - whatever a hostile wire makes a reader raise
        raise Unreadable(f"of no readable form: {type(error).__name__}") from None


@dataclass(eq=False)
class _Decoder:
    """One wire's way: the containers by number, open (at their level) or made (with their unfolded size)."""

    open: dict[int, int] = field(default_factory=dict)
    made: dict[int, tuple[Any, int]] = field(default_factory=dict)
    count: int = 0
    size: int = 0
    has_large_numbers: bool = False
    _budget: Budget = field(default_factory=Budget)

    def decode(self, wire: Any, depth: int, level: int) -> Any:
        """The value of one node, `depth` nodes and `level` containers below the top."""
        self.grow(1)
        kind = type(wire)
        if wire is None or kind in (bool, int, str) or (kind is float and wire - wire == 0):
            return wire
        if depth > MAX_DEPTH:
            raise Unreadable(f"nested more than {MAX_DEPTH} levels")
        if kind is list:
            return self.container(wire, _list, depth, level)
        tag = wire.get("$") if kind is dict else None
        if type(tag) is not str:
            raise Unreadable("neither a plain value nor a tagged one")
        if tag in _CONTAINERS:
            return self.container(wire, _CONTAINERS[tag], depth, level)
        if tag in _OTHERS:
            return _OTHERS[tag](self, wire, depth + 1, level)
        if tag in READERS:
            leaf = read_leaf(wire)
            self.has_large_numbers |= _is_large(leaf)
            return leaf
        raise Unreadable(f"an unknown kind of value: {tag[:40]}")

    def grow(self, size: int) -> None:
        """Count `size` more values."""
        self.size += size
        if self.size > MAX_SIZE:
            raise Unreadable(f"more than {MAX_SIZE} values")
        self._budget.spend()

    def container(self, wire: Any, make: _Make, depth: int, level: int) -> Any:
        """A container: numbered before its parts, kept with its size after them."""
        number, before = self.count, self.size
        self.count += 1
        self.open[number] = level
        value = make(self, wire, depth + 1, level + 1)
        del self.open[number]
        self.made[number] = value, self.size - before + 1
        return value

    def all(self, items: list[Any], depth: int, level: int) -> tuple[Any, ...]:
        """Each of `items`."""
        return tuple([self.decode(item, depth, level) for item in items])

    def can_be_hashed(self, items: Sequence[Any]) -> bool:
        """Whether Python can make a set of `items` at a cost that is linear in their number.

        Few of them have one hash, and those that do are compared at little cost: `Decimal == int` is quadratic in the
        digits of a large int.
        """
        try:
            hashes = collections.Counter(map(hash, items))
        except (TypeError, ArithmeticError):
            return False
        return max(hashes.values(), default=1) <= (1 if self.has_large_numbers else MAX_COLLIDING)


def _is_large(leaf: Any) -> bool:
    """Whether it is a number that doesn't compare with every other at once."""
    if type(leaf) is int:
        return leaf.bit_length() > MAX_HASHED_BITS
    if type(leaf) is Decimal:
        return leaf.is_finite() and len(str(leaf)) > MAX_HASHED_BITS
    return type(leaf) is Fraction and max(leaf.numerator.bit_length(), leaf.denominator.bit_length()) > MAX_HASHED_BITS


_Make = Callable[[_Decoder, Any, int, int], Any]


def _ref(d: _Decoder, wire: dict[str, Any], depth: int, level: int) -> Any:
    number = wire.get("n")
    if type(number) is int and number in d.open:
        return Cycle(level - d.open[number])
    if type(number) is not int or number not in d.made:
        raise Unreadable("a reference to nothing")
    value, size = d.made[number]
    d.grow(size)
    return value


def _list(d: _Decoder, wire: Any, depth: int, level: int) -> Any:
    return list(d.all(wire, depth, level))


def _set(d: _Decoder, wire: Any, depth: int, level: int) -> Any:
    items = d.all(list_of(wire, "items"), depth, level)
    kind: Literal["set", "frozenset"] = "set" if wire["$"] == "set" else "frozenset"
    if not d.can_be_hashed(items):
        return Unordered(kind, items)
    value = set(items) if kind == "set" else frozenset(items)
    return value if len(value) == len(items) else Unordered(kind, items)


def _dict(d: _Decoder, wire: Any, depth: int, level: int) -> Any:
    pairs = pairs_of(wire, "items", "a dict's item is a key and a value")
    items = tuple([d.all(pair, depth, level) for pair in pairs])
    if not d.can_be_hashed([key for key, _ in items]):
        return Unordered("dict", items)
    value = dict(items)
    return value if len(value) == len(items) else Unordered("dict", items)


def _dataclass(d: _Decoder, wire: Any, depth: int, level: int) -> Any:
    pairs = pairs_of(wire, "fields", "a dataclass's field is a name and a value", named=True)
    fields = [(name, d.decode(value, depth, level)) for name, value in pairs]
    kind: Literal["dataclass", "instance"] = "dataclass" if wire["$"] == "dataclass" else "instance"
    return Record(text_of(wire, "class"), kind, tuple(fields))


def _named_tuple(d: _Decoder, wire: Any, depth: int, level: int) -> Any:
    items = d.all(list_of(wire, "items"), depth, level)
    names = list_of(wire, "fields", len(items))
    if not all(type(name) is str for name in names):
        raise Unreadable("a named tuple's fields are names")
    return Record(text_of(wire, "class"), "namedtuple", tuple(zip(names, items, strict=True)))


def _sub(d: _Decoder, wire: Any, depth: int, level: int) -> Any:
    base = wire.get("base")
    tag = base.get("$") if type(base) is dict else ""
    if type(tag) is not str or (tag and tag not in _BASES and tag not in READERS):
        raise Unreadable("a subclass of no builtin")
    return d.decode(base, depth, level - 1)  # it and what it holds are one container


def _member(d: _Decoder, wire: Any, depth: int, level: int) -> Any:
    value = d.decode(wire.get("value"), depth, level)
    name = wire.get("name")
    if name is not None and type(name) is not str:
        raise Unreadable("an enum's member without a name")
    base = d.decode(wire["base"], depth, level) if "base" in wire else None
    return Member(text_of(wire, "class"), name or "", value, "base" in wire, base)


def _path(d: _Decoder, wire: Any, depth: int, level: int) -> Any:
    kind, text = text_of(wire, "kind"), text_of(wire, "v")
    if kind not in ("PosixPath", "PurePosixPath", "WindowsPath", "PureWindowsPath"):
        raise Unreadable("a path of no known kind")
    return PureWindowsPath(text) if "Windows" in kind else PurePosixPath(text)


def _array(d: _Decoder, wire: dict[str, Any], depth: int, level: int) -> Any:
    shape = tuple(list_of(wire, "shape"))
    if len(shape) > MAX_DIMENSIONS or not all(type(size) is int and 0 <= size < MAX_LENGTH for size in shape):
        raise Unreadable("an array of no readable shape")
    items = d.all(list_of(wire, "items"), depth, level)
    if len(items) != math.prod(shape):
        raise Unreadable("an array whose items don't fit its shape")
    return Array(_dtype(wire), shape, items)


def _dtype(wire: dict[str, Any]) -> str:
    dtype = text_of(wire, "dtype")
    if not dtype.isprintable():
        raise Unreadable("a dtype of no readable name")
    return dtype


def _index(d: _Decoder, wire: dict[str, Any], depth: int, level: int) -> Any:
    name, labels = d.all([wire.get("name"), wire.get("values")], depth, level)
    if type(labels) is range:
        if not all(abs(end) < 2**61 for end in (labels.start, labels.stop, labels.step)):
            raise Unreadable("a range of no readable length")
        d.grow(len(labels))
        labels = Array("int64", (len(labels),), labels)
    return Index(name, _column(labels))


def _series(d: _Decoder, wire: dict[str, Any], depth: int, level: int) -> Any:
    name, index, values = d.all([wire.get("name"), wire.get("index"), wire.get("values")], depth, level)
    return Series(name, index, _column(values, index))


def _frame(d: _Decoder, wire: dict[str, Any], depth: int, level: int) -> Any:
    columns, index = d.all([wire.get("columns"), wire.get("index")], depth, level)
    values = d.all(list_of(wire, "values"), depth, level)
    if type(columns) is not Index or type(index) is not Index or len(columns) != len(values):
        raise Unreadable("a table whose columns don't fit its labels")
    return Frame(columns, index, tuple(_column(array, index) for array in values))


def _column(array: Any, index: Any = None) -> Array:
    """`array`, if it is one of a single dimension, with as many items as `index` has labels where that is given."""
    if type(array) is not Array or len(array.shape) != 1:
        raise Unreadable("a table whose columns are no arrays")
    if index is not None and (type(index) is not Index or len(index) != len(array.items)):
        raise Unreadable("a table whose columns don't fit its labels")
    return array


_BASES = ("tuple", "set", "frozenset", "dict", "deque", "slice")
_CONTAINERS: dict[str, _Make] = {
    "tuple": lambda d, wire, depth, level: d.all(list_of(wire, "items"), depth, level),
    "set": _set,
    "frozenset": _set,
    "dict": _dict,
    "deque": lambda d, wire, depth, level: collections.deque(d.all(list_of(wire, "items"), depth, level)),
    "dataclass": _dataclass,
    "instance": _dataclass,
    "namedtuple": _named_tuple,
    "exception": lambda d, wire, depth, level: Record(
        text_of(wire, "class"), "exception", (("args", d.all(list_of(wire, "args"), depth, level)),)
    ),
    "iterator": lambda d, wire, depth, level: Iterated(
        text_of(wire, "class"), d.all(list_of(wire, "items"), depth, level), wire.get("more") is True
    ),
    "sub": _sub,
    "ndarray": _array,
    "index": _index,
    "series": _series,
    "frame": _frame,
}
_OTHERS: dict[str, _Make] = {
    "ref": _ref,
    "slice": lambda d, wire, depth, level: slice(*d.all(list_of(wire, "parts", 3), depth, level)),
    "enum": _member,
    "path": _path,
    "pattern": lambda d, wire, depth, level: Pattern(*pattern_parts(wire)),
    "class": lambda d, wire, depth, level: ClassName(text_of(wire, "name")),
    "opaque": lambda d, wire, depth, level: Opaque(text_of(wire, "class"), text_of(wire, "what")),
    "numpy": lambda d, wire, depth, level: Scalar(_dtype(wire), d.decode(wire.get("v"), depth, level)),
    "nat": lambda d, wire, depth, level: NaT(),
}
