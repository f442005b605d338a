"""The plain data that stands on the host for what has a class of its own: small frozen values, without any code.

Values of builtins and of the standard library are themselves. An instance of a builtin's subclass (an OrderedDict, a
Counter, a list of one's own) is the builtin's value, a path is a pure path, and a pattern is told but never compiled.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, cast


@dataclass(frozen=True)
class Record:
    """An instance of a declared type: its qualified class, and its fields in order (an exception's is `args`)."""

    class_name: str
    kind: Literal["dataclass", "namedtuple", "exception"]
    fields: tuple[tuple[str, Any], ...]

    @property
    def items(self) -> tuple[Any, ...]:
        """The fields' values: the tuple that a named tuple is."""
        return tuple(value for _, value in self.fields)


@dataclass(frozen=True)
class Member:
    """A member of an Enum. `base` is what it is as the mixed-in builtin (IntEnum, StrEnum), where `mixed` says so."""

    class_name: str
    name: str
    value: Any
    mixed: bool = False
    base: Any = None


@dataclass(frozen=True)
class Iterated:
    """What an iterator or a dict's view yielded; `more` where it would have gone on."""

    class_name: str
    items: tuple[Any, ...]
    more: bool = False

    @property
    def view(self) -> str:
        """Which view of a dict it is (dict_keys, dict_values, dict_items), or empty for an iterator."""
        name = self.class_name.removeprefix("builtins.")
        return name if name in ("dict_keys", "dict_values", "dict_items") else ""


@dataclass(frozen=True)
class Pattern:
    """A compiled regular expression's source and flags."""

    source: str | bytes
    flags: int


@dataclass(frozen=True)
class ClassName:
    """A class, by its qualified name."""

    name: str


@dataclass(frozen=True)
class Opaque:
    """What can't be told as data (a function, an open file, an object of no declared type), and what it is."""

    class_name: str
    what: str


@dataclass(frozen=True)
class Cycle:
    """Where a container holds itself: so many containers up from here."""

    up: int


@dataclass(frozen=True)
class Unordered:
    """A set or dict whose items or keys the host can't hash or tell apart; a dict's items are pairs."""

    kind: Literal["set", "frozenset", "dict"]
    items: tuple[Any, ...]


def holds_opaque(value: Any) -> bool:
    """Whether something in the plain `value` is opaque, so that nothing can ever agree with it."""
    pending, seen = [value], set[int]()
    while pending:
        part = pending.pop()
        if type(part) is Opaque:
            return True
        if id(part) not in seen:
            seen.add(id(part))
            pending.extend(_parts(part))
    return False


def _parts(value: Any) -> Iterable[Any]:
    """What is directly inside a plain value."""
    if type(value) in (list, tuple, set, frozenset, collections.deque):
        return cast("Iterable[Any]", value)
    if type(value) is dict:
        return (part for pair in value.items() for part in pair)
    if type(value) in (Record, Iterated, Unordered):
        return cast("Iterable[Any]", value.items)
    return (value.start, value.stop, value.step) if type(value) is slice else ()
