"""The way back inside a sandbox: the same values again, and no shape that `encode` does not make."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tdgen.values.encode import encode
from tdgen.values.rebuild import Opaque, Unreadable, rebuild


@settings(deadline=None)
@given(data=st.data())
def test_every_value_survives_the_round_trip(data, values, same, namespace):
    """Equal, of equal types at every depth, through real JSON text."""
    value = data.draw(values)
    assert same(rebuild(json.loads(json.dumps(encode(value))), namespace), value)


def test_sharing_survives():
    """One list that is met twice is one list again."""
    shared = [1]
    told = rebuild(encode({"a": shared, "b": (shared,)}), {})
    assert told["a"] is told["b"][0]


def test_cycles_survive(namespace, types):
    """A list, a dict and a dataclass that hold one another do so again."""
    point = types.Point(0)
    point.x = {"loop": [point]}
    told = rebuild(encode(point), namespace)
    assert told.x["loop"][0] is told


def test_an_exception_comes_back_with_its_arguments(namespace, types):
    """Its class is looked up, its `__init__` is not called."""
    error = rebuild(encode(types.EmptyError("nothing", 3)), namespace)
    assert (type(error), error.args) == (types.EmptyError, ("nothing", 3))


def test_post_init_is_not_called_with_hostile_data():
    """A dataclass is filled, not made."""

    @dataclass
    class Thing:
        a: int

        def __post_init__(self) -> None:
            raise AssertionError("called")

    wire = {"$": "dataclass", "class": "m.Thing", "fields": [["a", 1]]}
    assert rebuild(wire, {"Thing": Thing}).a == 1


def test_an_opaque_value_equals_nothing_not_even_itself():
    """A check on it can't hold by equality."""
    told = rebuild(encode(len), {})
    assert isinstance(told, Opaque)
    assert not told == told  # noqa: SIM201


def test_views_and_iterators_come_back_as_such():
    """A view has its length again, an iterator its items once."""
    assert len(rebuild(encode({"a": 1}.keys()), {})) == 1
    assert list(rebuild(encode(iter([1, 2])), {})) == [1, 2]


@pytest.mark.parametrize(
    "wire",
    [
        {"$": "nonsense"},
        {"no": "tag"},
        {"$": 3},
        {"$": "ref", "n": 0},
        {"$": "ref", "n": -1},
        [{"$": "ref", "n": True}],
        {"$": "tuple"},
        {"$": "tuple", "items": [{"$": "ref", "n": 0}]},
        {"$": "set", "items": [[]]},
        {"$": "dict", "items": [[1]]},
        {"$": "dict", "items": [[[], 1]]},
        {"$": "int", "hex": "12"},
        {"$": "fraction", "parts": [1, 0]},
        {"$": "datetime", "parts": [2020, 13, 1, 0, 0, 0, 0]},
        {"$": "datetime", "parts": [2020, 1, 1, 0, 0, 0, 0], "zone": {"$": "int", "hex": "0x1"}},
        {"$": "zone", "key": "../../etc/passwd"},
        {"$": "bytes", "b64": "?"},
        {"$": "dataclass", "class": "m.Unknown", "fields": []},
        {"$": "dataclass", "class": "m.Point", "fields": [["x", 1]]},
        {"$": "dataclass", "class": "m.Point", "fields": [["x", 1], ["y", 2], ["__class__", 3]]},
        {"$": "dataclass", "class": "builtins.int", "fields": []},
        {"$": "namedtuple", "class": "m.Span", "fields": ["a"], "items": [1]},
        {"$": "enum", "class": "m.Color", "name": "GREEN", "value": 7},
        {"$": "enum", "class": "builtins.int", "name": "real", "value": 7},
        {"$": "constant", "v": "copyright"},
        float("nan"),
    ],
)
def test_shapes_that_encode_does_not_make_are_refused(wire, namespace):
    """With a reason, and nothing half made."""
    with pytest.raises(Unreadable):
        rebuild(wire, namespace)


def test_what_is_too_deep_is_refused(namespace):
    """A wire's depth is bounded too, not only a value's."""
    wire: Any = 1
    for _ in range(300):
        wire = [wire]
    with pytest.raises(Unreadable, match="deep"):
        rebuild(wire, namespace)


def test_an_instance_of_a_planned_class_is_rebuilt_by_its_stand_in():
    """Its public state, and no code; without a stand-in it is opaque."""
    stand_in = type("Till", (), {})
    wire = {"$": "instance", "class": "kit.Till", "fields": [["balance", 3]]}
    made = rebuild([wire, {"$": "ref", "n": 1}], {"Till": stand_in})
    assert made[0] is made[1]
    assert (type(made[0]), vars(made[0])) == (stand_in, {"balance": 3})
    assert rebuild(wire, {}) != rebuild(wire, {})
    with pytest.raises(Unreadable, match="a public attribute is a name and a value"):
        rebuild({**wire, "fields": [["balance"]]}, {"Till": stand_in})
