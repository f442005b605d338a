"""The way back from `encode.encode`: real Python objects, for a check that is evaluated on what a candidate returned.

Shipped into the sandbox beside `encode.py` and used in a process without the candidate. The wire is hostile data: every
shape is looked at, and a class is taken only from the given namespace, the builtins, or a module that is already
loaded; numpy's and pandas' values are made by `arrays`. No class's `__init__` or `__post_init__` is called. A function
or an open file becomes an `Opaque` that equals nothing, an iterator a fresh iterator over what was taken from it. A
cycle may pass through a list, dict, set, deque, dataclass or exception; one that passes through tuples alone can't be
made and is refused.
"""

from __future__ import annotations

import builtins
import collections
import dataclasses
import enum
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from .arrays import MAKERS, STAMPS, made_stamp
from .readers import READERS, Unreadable, list_of, pairs_of, read_leaf, text_of

__all__ = ["STAND_INS", "Opaque", "Unreadable", "rebuild"]

MAX_DEPTH = 150  # as `decode` has it
STAND_INS = "__stand_ins__"
"""The name of a module's dict of classes that cases and checks have in place of its own of these names."""
_UNFINISHED = object()
_FACTORIES = ("bool", "int", "float", "complex", "str", "bytes", "list", "tuple", "set", "frozenset", "dict")
_KNOWN = {
    f"collections.{cls.__name__}": cls
    for cls in (collections.OrderedDict, collections.Counter, collections.defaultdict)
}
_VIEWS: dict[str, Callable[[list[Any]], Any]] = {
    "builtins.dict_keys": lambda items: dict.fromkeys(items).keys(),
    "builtins.dict_values": lambda items: dict(enumerate(items)).values(),
    "builtins.dict_items": lambda items: dict(items).items(),
}


class Opaque:
    """What stood for a value that can't be told as data. It equals nothing, itself included."""

    def __init__(self, class_name: str, what: str) -> None:
        self.class_name, self.what = class_name, what

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<{self.what} ({self.class_name})>"


def rebuild(wire: Any, namespace: Mapping[str, Any]) -> Any:
    """The object that `wire` tells of; shared types are looked up in `namespace` by their last name.

    Raises Unreadable (a ValueError), and nothing else, where the wire is of no shape that `encode` makes.
    """
    try:
        return _Builder(namespace).build(wire, 0)
    except Unreadable:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a hostile wire makes a class or a reader raise
        raise Unreadable(f"of no readable form: {type(error).__name__}") from None


@dataclasses.dataclass(eq=False)
class _Builder:
    """One wire's way back: the containers made so far, by number."""

    namespace: Mapping[str, Any]
    made: list[Any] = dataclasses.field(default_factory=list)

    def build(self, wire: Any, depth: int) -> Any:
        """The object of one node."""
        kind = type(wire)
        if wire is None or kind in (bool, int, str):
            return wire
        if kind is float and wire - wire == 0:
            return wire
        if depth > MAX_DEPTH:
            raise Unreadable("nested too deep")
        if kind is list:
            return self.fill([], wire, depth)
        tag = wire.get("$") if kind is dict else None
        if type(tag) is not str:
            raise Unreadable("neither a plain value nor a tagged one")
        if tag in READERS:
            return read_leaf(wire)
        make = _MAKERS.get(tag)
        if make is None:
            raise Unreadable(f"an unknown kind of value: {tag[:40]}")
        return make(self, wire, depth + 1)

    def all(self, items: list[Any], depth: int) -> list[Any]:
        """Each of `items`."""
        return [self.build(item, depth) for item in items]

    def fill(self, empty: list[Any], items: list[Any], depth: int) -> list[Any]:
        """`empty`, known by its number before its items are made, and then filled."""
        self.made.append(empty)
        empty.extend(self.build(item, depth + 1) for item in items)
        return empty

    def reserve(self) -> int:
        """A number for a container that can be made only after its parts."""
        self.made.append(_UNFINISHED)
        return len(self.made) - 1

    def keep(self, number: int, value: Any) -> Any:
        """`value`, from now on known by its number."""
        self.made[number] = value
        return value

    def find(self, name: str) -> Any:
        """The class of that qualified name, or None."""
        module, _, last = name.rpartition(".")
        cls = self.namespace.get(last)
        if not isinstance(cls, type):
            cls = getattr(builtins if module == "builtins" else sys.modules.get(module), last, None)
        return cls if isinstance(cls, type) else None


def _ref(b: _Builder, wire: dict[str, Any], depth: int) -> Any:
    number = wire.get("n")
    if type(number) is not int or not 0 <= number < len(b.made):
        raise Unreadable("a reference to nothing")
    if b.made[number] is _UNFINISHED:
        raise Unreadable("a cycle through a value that can't be changed once it is made")
    return b.made[number]


def _row(make: Callable[[list[Any]], Any], b: _Builder, wire: dict[str, Any], depth: int) -> Any:
    """A container of `items` that is made of all of them at once."""
    number = b.reserve()
    return b.keep(number, _hashed(make, b.all(list_of(wire, "items"), depth)))


def _set(b: _Builder, wire: dict[str, Any], depth: int) -> Any:
    items: Any = set()
    b.made.append(items)
    for item in b.all(list_of(wire, "items"), depth):
        _hashed(items.add, item)
    return items


def _hashed(make: Callable[..., Any], *parts: Any) -> Any:
    try:
        return make(*parts)
    except (TypeError, ValueError):
        raise Unreadable("an item of a set, or a key, that can't be hashed") from None


def _dict(b: _Builder, wire: dict[str, Any], depth: int) -> Any:
    mapping: dict[Any, Any] = {}
    b.made.append(mapping)
    return _put(b, mapping, wire, depth)


def _put(b: _Builder, mapping: dict[Any, Any], wire: dict[str, Any], depth: int) -> Any:
    for pair in pairs_of(wire, "items", "a dict's item is a key and a value"):
        key, value = b.all(pair, depth)
        _hashed(mapping.__setitem__, key, value)
    return mapping


def _deque(b: _Builder, wire: dict[str, Any], depth: int) -> Any:
    maxlen = wire.get("maxlen")
    if maxlen is not None and (type(maxlen) is not int or not 0 <= maxlen < 2**60):
        raise Unreadable("a deque of no readable length")
    items: Any = collections.deque(maxlen=maxlen)
    return b.fill(items, list_of(wire, "items"), depth)


def _sub(b: _Builder, wire: dict[str, Any], depth: int) -> Any:
    """An instance of a builtin's subclass, or of the builtin where the class isn't one we can fill."""
    cls, held = _KNOWN.get(text_of(wire, "class")), wire.get("base")
    if cls is not None and type(held) is dict and held.get("$") == "dict":
        value: Any = cls()
        if isinstance(value, collections.defaultdict) and wire.get("factory") in _FACTORIES:
            value.default_factory = getattr(builtins, wire["factory"])
        b.made.extend((value, value))
        return _put(b, value, held, depth)
    if type(held) is list:  # known by both numbers before it is filled
        b.made.append(empty := [])  # type: ignore[var-annotated]
        return b.fill(empty, held, depth)
    number, value = b.reserve(), b.build(held, depth)
    return b.keep(number, made_stamp(wire["class"], value) if wire["class"] in STAMPS else value)


def _dataclass(b: _Builder, wire: dict[str, Any], depth: int) -> Any:
    cls: Any = b.find(text_of(wire, "class"))
    if cls is None or not hasattr(cls, "__dataclass_fields__"):
        raise Unreadable(f"no dataclass {wire['class'][:80]} is declared")
    names = {field.name for field in dataclasses.fields(cls)}
    instance: Any = object.__new__(cls)
    b.made.append(instance)
    for pair in list_of(wire, "fields"):
        if type(pair) is not list or len(pair) != 2 or pair[0] not in names:
            raise Unreadable(f"{cls.__name__} with fields that its declaration has not")
        names.remove(pair[0])
        object.__setattr__(instance, pair[0], b.build(pair[1], depth))
    if names:
        raise Unreadable(f"{cls.__name__} without its fields")
    return instance


def _instance(b: _Builder, wire: dict[str, Any], depth: int) -> Any:
    """An instance of a planned class, by what is public of it, where the namespace has a stand-in for the class."""
    cls = b.namespace.get(text_of(wire, "class").rpartition(".")[2])
    instance: Any = object.__new__(cls) if isinstance(cls, type) else Opaque(wire["class"], "an object")
    b.made.append(instance)
    for name, value in pairs_of(wire, "fields", "a public attribute is a name and a value", named=True):
        instance.__dict__[name] = b.build(value, depth)
    return instance


def _named_tuple(b: _Builder, wire: dict[str, Any], depth: int) -> Any:
    cls = b.find(text_of(wire, "class"))
    number = b.reserve()
    items = b.all(list_of(wire, "items"), depth)
    names = list_of(wire, "fields", len(items))
    if cls is None or not issubclass(cls, tuple) or list(getattr(cls, "_fields", ())) != names:
        raise Unreadable(f"no named tuple {wire['class'][:80]} of these fields is declared")
    return b.keep(number, tuple.__new__(cls, items))


def _member(b: _Builder, wire: dict[str, Any], depth: int) -> Any:
    cls = b.find(text_of(wire, "class"))
    value = b.build(wire.get("value"), depth)
    if cls is None or not issubclass(cls, enum.Enum):
        raise Unreadable(f"no enum {wire['class'][:80]} is declared")
    member = cls.__members__.get(wire.get("name") or "")
    if member is not None:
        return member
    try:  # a combination of flags has no name of its own
        return cls(value)
    except (ValueError, TypeError):
        raise Unreadable(f"{cls.__name__} has no such member") from None


def _exception(b: _Builder, wire: dict[str, Any], depth: int) -> Any:
    cls = b.find(text_of(wire, "class"))
    if cls is None or not issubclass(cls, BaseException):
        number = b.reserve()
        b.all(list_of(wire, "args"), depth)  # for the numbers that its containers have
        return b.keep(number, Opaque(wire["class"], "an exception"))
    try:
        exception = cls.__new__(cls)
    except TypeError as error:
        raise Unreadable(f"{cls.__name__} can't be made from its arguments: {error}") from None
    b.made.append(exception)
    exception.args = tuple(b.all(list_of(wire, "args"), depth))
    return exception


_MAKERS: dict[str, Callable[[_Builder, dict[str, Any], int], Any]] = {
    "ref": _ref,
    "tuple": partial(_row, tuple),
    "set": _set,
    "frozenset": partial(_row, frozenset),
    "dict": _dict,
    "deque": _deque,
    "slice": lambda b, wire, depth: slice(*b.all(list_of(wire, "parts", 3), depth)),
    "sub": _sub,
    "dataclass": _dataclass,
    "instance": _instance,
    "namedtuple": _named_tuple,
    "enum": _member,
    "exception": _exception,
    "iterator": lambda b, wire, depth: _row(_VIEWS.get(text_of(wire, "class"), iter), b, wire, depth),
    "class": lambda b, wire, depth: b.find(text_of(wire, "name")) or Opaque(wire["name"], "a class"),
    "opaque": lambda b, wire, depth: Opaque(text_of(wire, "class"), text_of(wire, "what")),
    **MAKERS,
}
