"""Python values as tagged plain JSON data: what a candidate returned, told without trusting any of it.

This file is shipped as it is into the sandbox, with `leaves.py`, `containers.py` and `arrays.py` beside it in one
package, and runs in the candidate's process: standard library only, nothing else of tdgen, Python 3.9 and later.
Here are the bounds and the numbers of what was met; those files know how each kind is told. `rebuild.py` is the way
back.

A value's own word is never taken for what it is. Dispatch is on `type(x)`, class facts are read through `type`'s own
descriptors, and what a subclass of a builtin holds is read by the builtin's methods, so that a lying `__class__`,
`__eq__`, `__iter__`, `__len__`, `__hash__` or `__repr__` is never called. Only iterators are asked for their items.

The form: None, bool, str, finite float and int within 2**53 are themselves, a list is an array, all else is an object
whose `$` names its kind. Containers are numbered in preorder (all that `containers.py` and `arrays.py` call
`open` for); a second meeting with one is `{"$": "ref", "n": number}`, so shared and cyclic structures survive.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from .containers import HOLDERS, other
from .facts import is_honest, qualified_name
from .leaves import LEAVES

__all__ = ["Unencodable", "encode", "qualified_name"]

MAX_NODES = 250_000  # this bound and the next three are judgements, far above what cases expect
MAX_DEPTH = 100
MAX_ITEMS = 1_000
MAX_TEXT = 4_000_000


class Unencodable(Exception):
    """The value can't be told within the bounds; the message says which one it breaks."""


def encode(
    value: Any,
    *,
    max_nodes: int = MAX_NODES,
    max_depth: int = MAX_DEPTH,
    max_items: int = MAX_ITEMS,
    max_text: int = MAX_TEXT,
    iterate: bool = True,
    public: Sequence[tuple[type, Sequence[str]]] = (),
) -> Any:
    """`value` as plain data that `json.dumps` takes as it is.

    `max_nodes` counts values of every depth, `max_text` the characters of all texts, bytes and big ints together, and
    `max_items` what is taken from one iterator (an endless one is cut, and says `"more": true`). Without `iterate`
    nothing is taken from iterators, so that they can still be used. `public` are classes with the names of the
    attributes and properties by which an instance is told, whatever else it holds; these are read as its users do.
    Raises Unencodable where a bound is broken, and lets through whatever an iterator raises.
    """
    encoder = _Encoder(max_nodes, max_depth, max_items, max_text)
    encoder.iterate, encoder.public = iterate, public
    return encoder.encode(value, 0)


class _Encoder:
    """One value's way: what is left of the bounds, and the containers met so far."""

    def __init__(self, nodes: int, depth: int, items: int, text: int) -> None:
        self.nodes, self.depth, self.items, self.text = nodes, depth, items, text
        self.count = 0
        self.numbers: dict[int, int] = {}
        self.alive: list[Any] = []  # an id means its object only while that object lives
        self.set_keys: dict[int, str] = {}
        self.ordinary: set[type] = set()  # classes that are neither numpy's nor pandas'
        self.iterate = True
        self.public: Sequence[tuple[type, Sequence[str]]] = ()

    def encode(self, x: Any, depth: int) -> Any:
        """`x` at `depth`, its parts included."""
        self.nodes -= 1
        if self.nodes < 0:
            raise Unencodable("too large: more values than can be told")
        if depth > self.depth:
            raise Unencodable(f"too deep: nested more than {self.depth} levels")
        kind = type(x)
        if x is None or kind is bool:
            return x
        if type(kind) is not type and not is_honest(kind):
            return self.shared(x) or other(self, x, depth + 1)
        leaf = LEAVES.get(kind)
        if leaf is not None:
            return leaf(x, self.spend)
        again = self.shared(x)
        if again is not None:
            return again
        container = HOLDERS.get(kind)
        return container(self, x, depth + 1) if container is not None else other(self, x, depth + 1)

    def shared(self, x: Any) -> dict[str, Any] | None:
        """What is told of a container that was met before; None for any other value."""
        number = self.numbers.get(id(x))
        return None if number is None else {"$": "ref", "n": number}

    def spend(self, characters: int) -> None:
        """Pay for so much text."""
        self.text -= characters
        if self.text < 0:
            raise Unencodable("too large: more text than can be told")

    def open(self, x: Any, size: int = 0) -> None:
        """Number the container `x`, whose parts come after it; more parts than can be told are refused at once."""
        if size > self.nodes:
            raise Unencodable("too large: more values than can be told")
        self.numbers.setdefault(id(x), self.count)
        self.alive.append(x)
        self.count += 1

    def all(self, items: Iterable[Any], depth: int) -> list[Any]:
        """Each of `items`, in order."""
        return [self.encode(item, depth) for item in items]

    def set_key(self, item: Any, depth: int) -> str:
        """What a set's items are sorted by: their own encoding, apart from what they share with others."""
        kept = self.set_keys.get(id(item))
        if kept is not None:
            return kept
        self.alive.append(item)
        self.set_keys[id(item)] = ""  # for an item that holds the very set
        alone = _Encoder(self.nodes, self.depth, 0, self.text)
        alone.set_keys, alone.alive = self.set_keys, self.alive
        alone.public = self.public
        alone.iterate = False  # an iterator that was used here would be empty later
        key = self.set_keys[id(item)] = json.dumps(alone.encode(item, depth), sort_keys=True)
        self.nodes = alone.nodes
        return key
