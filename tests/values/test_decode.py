"""Wires read on the host, where they are hostile data and nothing of them may run, hang or grow."""

from __future__ import annotations

import collections
import contextlib
import json
import re
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tdgen.values.decode import decode
from tdgen.values.encode import Unencodable, encode
from tdgen.values.kinds import ClassName, Cycle, Iterated, Member, Opaque, Pattern, Record, Unordered, holds_opaque
from tdgen.values.readers import Unreadable
from tdgen.values.rebuild import rebuild
from tdgen.values.show import show

_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just({"$": "ref", "n": 0}),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                ["$", "items", "class", "fields", "base", "n", "v", "parts", "hex", "args", "name", "value"]
            ),
            inner | st.sampled_from(["tuple", "set", "dict", "sub", "dataclass", "enum", "slice", "iterator", "ref"]),
            max_size=4,
        ),
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(wire=_json)
def test_any_json_is_read_or_refused(wire):
    """There is no third outcome, and what is read can be shown."""
    with contextlib.suppress(Unreadable):
        show(decode(wire))


@pytest.mark.parametrize(
    "value",
    [
        [1, (2, {"a": {3}}), frozenset({"x"})],
        {1: 2, (1, 2): None, b"k": 1.5},
        Decimal("1.50"),
        range(2, 10**30),
        slice(1, [2]),
        collections.deque([1]),
        ...,
    ],
)
def test_builtins_are_themselves(value):
    """What needs no class of its own is just that value."""
    assert decode(encode(value)) == value
    assert type(decode(encode(value))) is type(value)


def test_declared_types_become_records_and_members(types):
    """By qualified class name; no class is looked up."""
    point = decode(encode(types.Point(1, [2])))
    assert (point.kind, point.fields) == ("dataclass", (("x", 1), ("y", [2])))
    assert point.class_name.endswith(".Point")
    assert decode(encode(types.Span(1, 2))).items == (1, 2)
    assert decode(encode(types.EmptyError("x"))).fields == (("args", ("x",)),)
    color, level = (decode(encode(member)) for member in (types.Color.RED, types.Level.LOW))
    assert (color.name, color.mixed) == ("RED", False)
    assert (level.mixed, level.base) == (True, 1)


def test_subclasses_of_builtins_are_the_builtin():
    """An OrderedDict is a dict here, a Counter too."""
    assert type(decode(encode(collections.OrderedDict(a=1)))) is dict
    assert decode(encode(collections.Counter("aab"))) == {"a": 2, "b": 1}


def test_a_pattern_is_told_but_never_compiled():
    """Compiling a hostile one could take the host's time."""
    assert decode(encode(re.compile("a+", re.IGNORECASE))) == Pattern("a+", re.IGNORECASE | re.UNICODE)
    assert decode({"$": "pattern", "v": "(" * 1000, "flags": 0}).flags == 0


def test_paths_touch_no_file_system():
    """They are pure on the host."""
    assert decode(encode(Path("a"))) == PurePosixPath("a")
    assert not isinstance(decode(encode(Path("a"))), Path)


def test_iterators_classes_and_what_is_opaque():
    """Each is a small value that says what it was."""
    assert decode(encode(iter([1, 2]))) == Iterated("builtins.list_iterator", (1, 2))
    assert decode(encode({"a": 1}.items())).view == "dict_items"
    assert decode(encode(int)) == ClassName("builtins.int")
    assert decode(encode(len)) == Opaque("builtins.builtin_function_or_method", "a function: len")


def test_a_cycle_is_a_mark_that_counts_containers():
    """The marks of two equal cycles are equal, one through a subclass of list included."""

    class Mine(list):
        pass

    def looped(make: Any) -> Any:
        loop = make([1])
        loop.append({"deep": loop})
        return loop

    assert decode(encode(looped(list))) == [1, {"deep": Cycle(2)}] == decode(encode(looped(Mine)))


def test_shared_parts_are_one_object():
    """So that nothing is compared twice."""
    shared = [1]
    plain = decode(encode([shared, shared]))
    assert plain[0] is plain[1]


def test_items_the_host_can_not_hash_are_kept_as_a_list(types):
    """A dataclass with a hash of its own may hold a list; two equal ones may be two keys."""
    record = {"$": "dataclass", "class": "m.Point", "fields": [["x", [1]]]}
    assert decode({"$": "set", "items": [record]}) == Unordered("set", (Record("m.Point", "dataclass", (("x", [1]),)),))
    assert decode({"$": "dict", "items": [["a", 1], ["a", 2]]}) == Unordered("dict", (("a", 1), ("a", 2)))


@pytest.mark.parametrize(
    "wire",
    [
        {"$": "int", "hex": "0x" + "f" * 5_000_000},
        {"$": "decimal", "v": "1e99999999999999999999"},
        {"$": "decimal", "v": "not"},
        {"$": "fraction", "parts": [{"$": "int", "hex": "0x" + "f" * 100_000}, 3]},
        {"$": "range", "parts": [0, 1, 0]},
        {"$": "time", "parts": [25, 0, 0, 0]},
        {"$": "timedelta", "parts": [10**20, 0, 0]},
        {"$": "timezone", "offset": [9, 0, 0]},
        {"$": "sub", "class": "m.A", "base": {"$": "sub", "class": "m.A", "base": 1}},
        {"$": "enum", "class": "m.A", "name": 3, "value": 1},
        {"$": "path", "kind": "Path", "v": "a"},
        {"$": "tuple", "items": "ab"},
        {"$": "dataclass", "class": 3, "fields": []},
        {1: 2},
        {"$": []},
        b"bytes",
        float("inf"),
    ],
)
def test_hostile_wires_are_refused_at_once(wire):
    """Whatever they claim, and before anything large is made."""
    with pytest.raises(Unreadable):
        decode(wire)


def test_a_structure_that_unfolds_to_billions_is_refused():
    """Sixty doublings would be walked for ever by whatever looks at each part."""
    doubled: list[Any] = [1]
    for _ in range(60):
        doubled = [doubled, doubled]
    with pytest.raises(Unreadable, match="values"):
        decode(encode(doubled))


@pytest.mark.parametrize(
    "wrap",
    [lambda x: [x], lambda x: (x,), lambda x: {"a": x}, lambda x: collections.OrderedDict(a=x), lambda x: slice(x)],
)
def test_the_deepest_value_that_can_be_told_can_be_read(wrap):
    """By both ways back, through JSON text."""
    value, wire = wrap(1), encode(1)
    while True:
        try:
            wire = encode(value)
        except Unencodable:
            break
        value = wrap(value)
    wire = json.loads(json.dumps(wire))
    assert decode(wire) is not None
    assert rebuild(wire, {}) is not None


@settings(deadline=None)
@given(data=st.data())
def test_every_value_people_return_is_readable(data, values):
    """None of them is refused, nor opaque at the top."""
    assert not isinstance(decode(encode(data.draw(values))), Opaque)


def test_a_member_without_a_mixin_has_no_base(types):
    """None as a base would be a value."""
    assert decode(encode(types.Access.READ | types.Access.WRITE)) == Member(
        f"{types.Access.__module__}.Access", "READ|WRITE", 3
    )


@pytest.mark.parametrize(
    ("value", "opaque"),
    [(len, True), ([{"a": (1, {2: len})}], True), ([iter([len])], True), (slice(len), True), ({1: [2, {3}]}, False)],
)
def test_what_holds_something_opaque_is_found(value, opaque):
    """However deep."""
    assert holds_opaque(decode(encode(value))) is opaque


def test_fields_of_declared_types_are_looked_into(types):
    """A dataclass that holds a function can't be compared either."""
    assert holds_opaque(decode(encode(types.Point(1, [len]))))
    assert not holds_opaque(decode(encode(types.Point(1, [types.Color.RED]))))
