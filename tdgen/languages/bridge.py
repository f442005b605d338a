"""Between a case, which is Python, and code in another language: what stands for that code in the sandbox.

A back end's module is a Python module that declares the plan's types and binds each planned name to a function that
hands its arguments over and comes back with what the other side gave, raised or printed. So setups, calls and what is
looked at after them are evaluated as ever, and a candidate runs in a program that this process starts
(`tdgen.languages.program`). Values are converted by the contract's shapes (`tdgen.languages.shapes`).
Standard library only, Python 3.9 and later: this file runs inside, executed once in a process.
"""

from __future__ import annotations

import builtins
import dataclasses
import importlib
import math
import sys
from typing import Any, Callable  # noqa: UP035 - Python 3.9

Ask = Callable[[str, Any], Any]
"""Makes a call, by the unit's name, with arguments as tagged data; what came of it.

That is how it ended (`["returned", value]`, `["raised", class, message, fields]`, `["unwritten", name]` or
`["opaque", what]`), the arguments as they are then, and what was printed to the two streams.
"""

SAFE = 2**53 - 1


class Unwritable(BaseException):
    """A value of a case that the other language has no counterpart of: no expectation may take it for an answer."""


OMITTED = object()
"""An argument that a call leaves out: the code's own default stands for it."""


class Foreign:
    """An object on the other side, of a class of the plan's: what stands here is the number that it has there."""

    foreign_known: dict[int, Foreign]
    foreign_number: int


def opaque(what: str) -> Any:
    """What has no counterpart here: an object that equals nothing, of a class whose name says what it is."""
    return type(what, (), {"__module__": "foreign"})()


def outward(value: Any, shape: Any, records: dict[str, Any], most: int = SAFE) -> Any:
    """A value of a case as tagged plain data; Unwritable where it has no counterpart, as an int beyond `most`."""
    kind = type(value)
    if value is None or kind is bool or kind is str:
        return value
    if value is OMITTED:
        return ["u", 0]
    if kind is int:
        kinds = {one[0] for one in shape[1]} if shape[0] == "union" else {shape[0]}
        if "float" not in kinds and abs(value) > most:
            raise Unwritable(f"{value} is beyond the whole numbers that a number of the language holds exactly")
        return ["n", str(value)]
    if kind is float:
        return ["n", repr(value)]
    if kind in (bytes, bytearray):
        return ["y", value.hex()]
    if isinstance(value, Foreign):
        return ["h", kind.__name__, getattr(value, "foreign_number", -1)]
    if dataclasses.is_dataclass(value) or (isinstance(value, tuple) and hasattr(value, "_fields")):
        name = kind.__name__
        if name not in records:
            raise Unwritable(f"{name} is no type of the contract's")
        fields = records[name].items()
        return ["r", name, [[key, outward(getattr(value, key), of, records, most)] for key, of in fields]]
    return _outward_container(value, shape, records, most)


def _outward_container(value: Any, shape: Any, records: dict[str, Any], most: int) -> Any:
    kind, inner = type(value), _item_shape(shape)
    if kind in (list, tuple):
        return ["l", [outward(item, inner, records, most) for item in value]]
    if kind in (set, frozenset):
        return ["s", [outward(item, inner, records, most) for item in sorted(value, key=repr)]]
    if isinstance(value, dict):
        keys = shape[1] if shape[0] == "dict" else ["any"]
        return ["m", [[outward(k, keys, records, most), outward(v, inner, records, most)] for k, v in value.items()]]
    raise Unwritable(f"{kind.__name__} has no counterpart in the language")


def _item_shape(shape: Any) -> Any:
    """The shape of a container's items, as far as its own tells."""
    parts = shape[1] if shape[0] == "union" else [shape]
    for part in parts:
        if part[0] in ("list", "set", "frozenset"):
            return part[1]
        if part[0] == "dict":
            return part[2]
    return ["any"]


def inward(value: Any, shape: Any, types: dict[str, Any], records: dict[str, Any]) -> Any:
    """What the other side told as a value of the contract's shape, as far as it is one."""
    if value is None or isinstance(value, (bool, str)):
        return value
    tag, inner = value[0], value[1]
    if shape[0] == "union":
        fitting = [one for one in shape[1] if one[0] in _FITTING.get(tag, ())]
        shape = (fitting or [["any"]])[0]
    if tag in ("n", "b", "y"):
        return int(inner) if tag == "b" else bytes.fromhex(inner) if tag == "y" else _number(inner, shape[0])
    if tag == "h":
        kind, number = types[inner], value[2]
        if number not in kind.foreign_known:  # one object for each number
            made = kind.__new__(kind)
            made.foreign_number = number
            kind.foreign_known[number] = made
        return kind.foreign_known[number]
    if tag == "r":
        fields = records[inner]
        return types[inner](**{name: inward(one, fields[name], types, records) for name, one in value[2]})
    return _inward_container(tag, inner, shape, types, records)


def _inward_container(tag: str, inner: Any, shape: Any, types: dict[str, Any], records: dict[str, Any]) -> Any:
    of = shape[0]

    def each(items: Any, item: Any) -> list[Any]:
        return [inward(one, item, types, records) for one in items]

    if tag == "l" and of == "tuple":
        shapes = shape[1] if shape[2] is None else [shape[2]] * len(inner)
        shapes = [*shapes, *[["any"]] * len(inner)]
        return tuple(inward(item, one, types, records) for item, one in zip(inner, shapes))  # noqa: B905 - 3.9
    if tag == "l":
        return each(inner, shape[1] if of == "list" else ["any"])
    if tag == "m":
        key, value = (shape[1], shape[2]) if of == "dict" else (["any"], ["any"])
        return {_key(inward(k, key, types, records)): inward(v, value, types, records) for k, v in inner}
    if tag == "s":
        members = map(_key, each(inner, shape[1] if of in ("set", "frozenset") else ["any"]))
        return frozenset(members) if of == "frozenset" else set(members)
    return opaque(str(inner))


_FITTING = {
    "n": ("int", "float"),
    "b": ("int",),
    "y": ("bytes",),
    "l": ("list", "tuple"),
    "m": ("dict",),
    "s": ("set", "frozenset"),
    "r": ("record",),
    "h": ("object",),
}


def _number(text: str, of: str) -> Any:
    """A number by its text: a whole one is an int unless the contract says float; of int, minus zero is zero."""
    value = float(text)
    if of == "float" or not math.isfinite(value) or not value.is_integer() or (of != "int" and abs(value) > SAFE):
        return value
    if text == "-0":
        return 0 if of == "int" else value
    return int(value)


def _key(value: Any) -> Any:
    """What can be a key: an item that can't is told as what it is."""
    try:
        hash(value)
    except TypeError:
        return opaque(f"a key that is a {type(value).__name__}")
    return value


def exception(name: str, message: str, fields: Any, types: dict[str, Any], records: dict[str, Any]) -> BaseException:
    """What was thrown as an exception here: of the contract's class of that name, else of one that no case expects."""
    kind: Any = types.get(name)
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        kind = type(name or "Thrown", (Exception,), {"__module__": "thrown"})
    error: BaseException = kind.__new__(kind, message)
    error.args = (message,)
    for key, value in fields:
        setattr(error, key, inward(value, records.get(name, {}).get(key, ["any"]), types, records))
    return error


def update(value: Any, now: Any) -> None:
    """Have an argument that can be changed hold what it holds on the other side after the call."""
    if isinstance(value, list) and isinstance(now, list):
        if repr(value) != repr(now):
            value[:] = now
    elif isinstance(value, (dict, set)) and type(value) is type(now):
        if repr(value) != repr(now):
            value.clear()
            value.update(now)
    elif dataclasses.is_dataclass(value) and type(value) is type(now) and repr(value) != repr(now):
        for field in dataclasses.fields(value):
            try:
                setattr(value, field.name, getattr(now, field.name))
            except dataclasses.FrozenInstanceError:
                return


class Code:
    """The code of one module on the other side: `setup` says what is planned of it, `ask` makes a call of it."""

    def __init__(self, setup: dict[str, Any], namespace: dict[str, Any], ask: Ask) -> None:
        self._namespace, self._ask, self._records = namespace, ask, setup["records"]
        self._most = setup.get("most_int", SAFE)
        self._types: dict[str, Any] = {}
        for name, path in setup["classes"].items():  # of the plan, of Python, or with dots of a module
            owner, _, kind = path.rpartition(".")
            if owner:
                self._types[name] = getattr(importlib.import_module(owner), kind)
            else:
                self._types[name] = namespace.get(kind) or getattr(builtins, kind)
        known: dict[int, Foreign] = {}
        for name, unit in setup["units"].items():
            if "members" in unit:
                namespace[name] = self._types[name] = self._object(name, unit, known)
            else:
                namespace[name] = self._function(name, name, unit)

    def _object(self, name: str, unit: dict[str, Any], known: dict[int, Foreign]) -> Any:
        """What stands for a class: its members are calls on an object of it."""
        bases = tuple(self._namespace[base] for base in unit["bases"]) or (Foreign,)
        cls: Any = type(name, bases, {"__module__": self._namespace["__name__"], "foreign_known": known})
        for one in unit["members"]:
            member = self._function(one["name"], one["key"], one)
            if one["kind"] == "get":
                setattr(cls, one["name"], property(member))
            elif one["kind"] == "set":
                there = cls.__dict__.get(one["name"], property())
                setattr(cls, one["name"], property(there.fget, member))
            else:
                setattr(cls, one["name"], staticmethod(member) if one["kind"] == "static" else member)
        cls.__init__ = _constructor(cls.__init__)
        return cls

    def _function(self, name: str, key: str, unit: dict[str, Any]) -> Any:
        """What stands for a unit, or a member of one: a function with its signature, as the plan has it."""

        def called(*values: Any) -> Any:
            given = list(values)
            while given and given[-1] is OMITTED:
                given.pop()
            shapes = [*unit["shapes"], *unit["shapes"][-1:] * len(given)]  # of a `*` as often as there are values
            told = [outward(value, shape, self._records, self._most) for value, shape in zip(given, shapes)]  # noqa: B905 - 3.9
            outcome, after, printed, complained = self._ask(key, told)
            sys.stdout.write(printed)
            sys.stderr.write(complained)
            for value, shape, now in zip(given, shapes, after):  # noqa: B905 - Python 3.9
                update(value, inward(now, shape, self._types, self._records))
            if outcome[0] == "returned":
                is_nothing = unit["returns"] == ["none"] and outcome[1] == ["o", "undefined"]
                return None if is_nothing else inward(outcome[1], unit["returns"], self._types, self._records)
            if outcome[0] == "opaque":
                return opaque(outcome[1])
            raise self.exception(outcome)

        head = "async def" if unit["async"] else "def"
        text = f"{head} {name}({unit['parameters']}):\n    return _called_({', '.join(unit['given'])})\n"
        module = self._namespace["__name__"]
        held = {**self._types, "_OMITTED": OMITTED, "_called_": called, "__name__": module}
        exec(compile(text, "<bridge>", "exec"), held)  # noqa: S102 - a signature of the plan's, written by tdgen
        return held[name]

    def exception(self, outcome: Any) -> BaseException:
        """What a call raises that ended so."""
        if outcome[0] == "unwritten":
            unwritten: BaseException = self._namespace["_Unwritten"](f"{outcome[1]} is not written yet")
            return unwritten
        return exception(outcome[1], outcome[2], outcome[3], self._types, self._records)

    def knows(self, name: str) -> bool:
        """Whether the contract has an exception or a record of that name."""
        return name in self._types


def _constructor(make: Callable[..., Any]) -> Callable[..., None]:
    """What makes an object on the other side, as the constructor of what stands for it here."""

    def construct(self: Any, *given: Any, **named: Any) -> None:
        made_there = make(self, *given, **named)
        if not isinstance(made_there, Foreign):
            raise type("NotMade", (Exception,), {"__module__": "thrown"})(
                "its constructor gives no object of the class"
            )
        self.foreign_number = made_there.foreign_number
        self.foreign_known[made_there.foreign_number] = self

    return construct
