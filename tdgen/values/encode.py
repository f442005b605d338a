"""Python values as tagged plain JSON data: what a candidate returned, told without trusting any of it.

This file is shipped as it is into the sandbox, with `leaves.py` and `arrays.py` beside it in one package, and runs in
the candidate's process: standard library only, nothing else of tdgen, Python 3.9 and later. Here are the bounds, the
numbers of what was met, and the values that hold others, each told by what its class inherits; those files know how
the rest is told. `rebuild.py` is the way back.

A value's own word is never taken for what it is. Dispatch is on `type(x)`, class facts are read through `type`'s own
descriptors, and what a subclass of a builtin holds is read by the builtin's methods, so that a lying `__class__`,
`__eq__`, `__iter__`, `__len__`, `__hash__` or `__repr__` is never called. Only iterators are asked for their items.

The form: None, bool, str, finite float and int within 2**53 are themselves, a list is an array, all else is an object
whose `$` names its kind. Containers are numbered in preorder (all that `open` is called for, before their parts are
told); a second meeting with one is `{"$": "ref", "n": number}`, so shared and cyclic structures survive.
"""

from __future__ import annotations

import collections
import enum
import io
import itertools
import json
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from .arrays import third_party
from .facts import (
    dataclass_fields,
    declared,
    honest_mro,
    instance_dict,
    is_honest,
    mro_of,
    qualified_name,
)
from .leaves import LEAVES, opaque

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
    return _Encoder(max_nodes, max_depth, max_items, max_text, iterate=iterate, public=public).encode(value, 0)


class _Encoder:
    """One value's way: what is left of the bounds, and the containers met so far."""

    def __init__(
        self,
        nodes: int,
        depth: int,
        items: int,
        text: int,
        *,
        iterate: bool,
        public: Sequence[tuple[type, Sequence[str]]],
    ) -> None:
        self.nodes, self.depth, self.items, self.text = nodes, depth, items, text
        self.iterate, self.public = iterate, public
        self.count = 0
        self.numbers: dict[int, int] = {}
        self.alive: list[Any] = []  # an id means its object only while that object lives
        self.set_keys: dict[int, str] = {}
        self.ordinary: set[type] = set()  # classes that are neither numpy's nor pandas'

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
        # without iterating: an iterator that was used here would be empty later
        alone = _Encoder(self.nodes, self.depth, 0, self.text, iterate=False, public=self.public)
        alone.set_keys, alone.alive = self.set_keys, self.alive
        key = self.set_keys[id(item)] = json.dumps(alone.encode(item, depth), sort_keys=True)
        self.nodes = alone.nodes
        return key


_args_of = BaseException.__dict__["args"].__get__
_maxlen_of = collections.deque.__dict__["maxlen"].__get__
_factory_of = collections.defaultdict.__dict__["default_factory"].__get__
_FACTORIES = (bool, int, float, complex, str, bytes, list, tuple, set, frozenset, dict)
_VIEWS = frozenset(type(view) for view in ({}.keys(), {}.values(), {}.items()))  # type: ignore[var-annotated]
_OPEN_FILE = io.IOBase.__mro__[1]
_END = object()


def other(e: Any, x: Any, depth: int) -> Any:
    """`x` of a class that no table names: by what its class inherits, and by nothing it says."""
    mro = honest_mro(type(x))
    for base, holder in _FAMILIES:
        if base in mro:
            return holder(e, x, depth)
    wire = _instance(e, x, mro, depth)
    if wire is not None:
        return wire
    if "numpy" in sys.modules and type(x) not in e.ordinary:
        if (wire := third_party(e, x, mro, depth)) is not None:
            return wire
        e.ordinary.add(type(x))
    wire = _declared(e, x, mro, depth)
    if wire is not None:
        return wire
    for base in mro:
        if base in HOLDERS or base in LEAVES:
            return _subclass(e, x, base, depth)
    if all(declared(mro, name, object) is not None for name in ("__next__", "__iter__")):
        return _iterator(e, x, depth)
    return opaque(x)


def _declared(e: Any, x: Any, mro: Any, depth: int) -> Any:
    """A dataclass or a named tuple by its fields; None for all else."""
    fields = dataclass_fields(mro)
    if fields is not None:
        e.open(x, len(fields))
        told = [[name, _attribute(e, x, name, depth)] for name in fields]
        return {"$": "dataclass", "class": qualified_name(type(x)), "fields": told}
    names: Any = declared(mro, "_fields", tuple) if tuple in mro else None
    is_named = names is not None and all(type(name) is str for name in names)
    if is_named and len(names) == tuple.__len__(x):
        e.open(x, len(names))
        e.spend(sum(map(len, names)))
        items = e.all(tuple.__iter__(x), depth)
        return {"$": "namedtuple", "class": qualified_name(type(x)), "fields": list(names), "items": items}
    return None


def _list(e: Any, x: Any, depth: int) -> Any:
    e.open(x, list.__len__(x))
    return e.all(list.__iter__(x), depth)


def _tuple(e: Any, x: Any, depth: int) -> Any:
    e.open(x, tuple.__len__(x))
    return {"$": "tuple", "items": e.all(tuple.__iter__(x), depth)}


def _set(e: Any, x: Any, depth: int) -> Any:
    base: Any = set if set in honest_mro(type(x)) else frozenset
    e.open(x, base.__len__(x))
    items = sorted([(e.set_key(item, depth), item) for item in base.__iter__(x)], key=lambda pair: pair[0])
    return {"$": base.__name__, "items": e.all([item for _, item in items], depth)}


def _dict(e: Any, x: Any, depth: int) -> Any:
    e.open(x, 2 * dict.__len__(x))
    # an OrderedDict has its order from its own method; on a subclass that method could be led astray
    items = collections.OrderedDict.items(x) if type(x) is collections.OrderedDict else dict.items(x)
    return {"$": "dict", "items": [e.all(pair, depth) for pair in list(items)]}


def _deque(e: Any, x: Any, depth: int) -> Any:
    e.open(x, collections.deque.__len__(x))
    return {"$": "deque", "items": e.all(collections.deque.__iter__(x), depth), "maxlen": _maxlen_of(x)}


def _subclass(e: Any, x: Any, base: type, depth: int) -> Any:
    """An instance of a subclass of a builtin: its class, and what it holds as that builtin."""
    e.open(x)
    wire: dict[str, Any] = {"$": "sub", "class": qualified_name(type(x))}
    holder = _dict if dict in honest_mro(type(x)) else HOLDERS.get(base)
    wire["base"] = holder(e, x, depth + 1) if holder is not None else LEAVES[base](x, e.spend)
    if type(x) is collections.defaultdict:
        factory = _factory_of(x)
        wire["factory"] = factory.__name__ if any(factory is known for known in _FACTORIES) else None
    return wire


def _attribute(e: Any, x: Any, name: str, depth: int) -> Any:
    e.spend(len(name))
    held = instance_dict(x)
    if name in held:
        return e.encode(held[name], depth)
    try:
        value = object.__getattribute__(x, name)
    except AttributeError:
        return {"$": "opaque", "class": "", "what": "a field that was never set"}
    return e.encode(value, depth)


def _instance(e: Any, x: Any, mro: Any, depth: int) -> Any:
    """An instance of a planned class by what is public of it; None for all else, and for what is a builtin too.

    The class itself may be of any metaclass, and is known by its identity. A name that it has not is left out, one
    whose property raises is opaque.
    """
    public = [(cls, names) for base in mro_of(type(x)) for cls, names in e.public if cls is base]
    if not public or any(base in HOLDERS or base in LEAVES for base in mro):
        return None
    cls, names = public[0]
    e.open(x, len(names))
    fields = []
    for name in names:
        e.spend(len(name))
        try:
            value = getattr(x, name)
        except AttributeError:
            continue
        except BaseException as error:  # noqa: BLE001 - a property is the candidate's code, and may raise anything
            said = {"$": "opaque", "class": qualified_name(type(error)), "what": "a property that raised"}
            fields.append([name, said])
            continue
        fields.append([name, e.encode(value, depth)])
    return {"$": "instance", "class": qualified_name(cls), "fields": fields}


def _member(e: Any, x: Any, depth: int) -> Any:
    """An Enum's member; with a mixed-in builtin (IntEnum, StrEnum) also what it is as that builtin."""
    held = instance_dict(x)
    name = held.get("_name_")
    wire = {"$": "enum", "class": qualified_name(type(x)), "name": name if type(name) is str else None}
    wire["value"] = e.encode(held.get("_value_"), depth)
    for base in honest_mro(type(x)):
        if base in LEAVES:
            wire["base"] = LEAVES[base](x, e.spend)
            break
    return wire


def _exception(e: Any, x: Any, depth: int) -> Any:
    args = _args_of(x)
    e.open(x, tuple.__len__(args))
    return {"$": "exception", "class": qualified_name(type(x)), "args": e.all(tuple.__iter__(args), depth)}


def _iterator(e: Any, x: Any, depth: int) -> Any:
    """An iterator or a dict's view as the list it yields; `more` where there was more than `max_items`."""
    e.open(x)
    wire: dict[str, Any] = {"$": "iterator", "class": qualified_name(type(x)), "items": []}
    if not e.iterate:
        return wire
    steps = _steps(iter(x) if type(x) in _VIEWS else x)
    wire["items"] = e.all(itertools.islice(steps, e.items), depth)
    if len(wire["items"]) == e.items and next(steps, _END) is not _END:
        wire["more"] = True
    return wire


def _steps(iterator: Any) -> Iterator[Any]:
    """What `iterator` yields, without a call of its `__iter__`."""
    while True:
        try:
            item = next(iterator)
        except StopIteration:
            return
        yield item


_Holder = Callable[[Any, Any, int], Any]
HOLDERS: dict[type, _Holder] = {
    list: _list,
    tuple: _tuple,
    set: _set,
    frozenset: _set,
    dict: _dict,
    **dict.fromkeys(
        (collections.OrderedDict, collections.defaultdict, collections.Counter),
        lambda e, x, depth: _subclass(e, x, dict, depth),
    ),
    collections.deque: _deque,
    slice: lambda e, x, depth: {"$": "slice", "parts": e.all((x.start, x.stop, x.step), depth)},
    types.GeneratorType: _iterator,
    **dict.fromkeys(_VIEWS, _iterator),
}
_FAMILIES: list[Any] = [
    (enum.Enum, _member),
    (BaseException, _exception),
    (type, lambda e, x, depth: {"$": "class", "name": qualified_name(x)}),
    (_OPEN_FILE, lambda e, x, depth: opaque(x, "an open file")),
]
