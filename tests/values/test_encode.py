"""What Python values look like on their way, and that none of them can lie, hang or break the telling."""

from __future__ import annotations

import collections
import enum
import itertools
import json
import threading
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest

from tdgen.values.decode import decode
from tdgen.values.encode import Unencodable, encode
from tdgen.values.equality import Relation, agrees


@pytest.mark.parametrize(
    "value", [None, True, False, 0, 2**53, -(2**53), 1.5, -0.0, "", "ü\n", "\ud800", [], [[1], "a"]]
)
def test_what_json_has_is_told_as_it_is(value):
    """Scalars that JSON keeps, and lists, need no tag."""
    told = json.loads(json.dumps(encode(value)))
    assert repr(told) == repr(value)


@pytest.mark.parametrize(
    ("value", "wire"),
    [
        (2**53 + 1, {"$": "int", "hex": "0x20000000000001"}),
        (-(10**20), {"$": "int", "hex": hex(-(10**20))}),
        (float("nan"), {"$": "float", "v": "nan"}),
        (float("-inf"), {"$": "float", "v": "-inf"}),
        (1 - 2j, {"$": "complex", "re": 1.0, "im": -2.0}),
        (b"\xff", {"$": "bytes", "b64": "/w=="}),
        ((1, 2), {"$": "tuple", "items": [1, 2]}),
        ({"b": 1, 2: None}, {"$": "dict", "items": [["b", 1], [2, None]]}),
        (slice(1, None), {"$": "slice", "parts": [1, None, None]}),
        (ValueError, {"$": "class", "name": "builtins.ValueError"}),
        (ValueError("x", 1), {"$": "exception", "class": "builtins.ValueError", "args": ["x", 1]}),
        (iter([1, 2]), {"$": "iterator", "class": "builtins.list_iterator", "items": [1, 2]}),
        ({"a": 1}.keys(), {"$": "iterator", "class": "builtins.dict_keys", "items": ["a"]}),
    ],
)
def test_everything_else_is_an_object_with_its_kind(value, wire):
    """The tag says what JSON would lose."""
    assert encode(value) == wire


def test_a_set_is_told_in_the_same_order_whatever_its_own():
    """Equal sets have equal wires, although hashes of texts differ from process to process."""
    words = [f"w{n}" for n in range(50)]
    assert encode(set(words)) == encode({*words[25:], *words[:25]})
    assert encode({(1, "a"), frozenset({frozenset({2}), frozenset()}), None}) == encode(
        {None, frozenset({frozenset(), frozenset({2})}), (1, "a")}
    )


def test_a_shared_container_is_told_once():
    """The second meeting is a reference by preorder number: 0 is the outer list, 1 the shared one."""
    shared = [1]
    assert encode([shared, (shared,)]) == [[1], {"$": "tuple", "items": [{"$": "ref", "n": 1}]}]


def test_a_cycle_is_a_reference_to_a_container_above():
    """A list that holds itself can be told."""
    loop: list[Any] = [1]
    loop.append(loop)
    assert encode(loop) == [1, {"$": "ref", "n": 0}]


def test_lists_that_a_generator_makes_are_not_taken_for_one_another():
    """An object's id may be used again once it is gone; the encoder keeps them alive."""
    told = encode([n] for n in range(50))
    assert told["items"] == [[n] for n in range(50)]


def test_an_endless_iterator_is_cut():
    """It yields `max_items` values and says that there is more."""
    told = encode(itertools.count(), max_items=3)
    assert (told["items"], told["more"]) == ([0, 1, 2], True)
    assert "more" not in encode(iter([1, 2, 3]), max_items=3)


def test_an_iterator_is_left_alone_where_it_is_still_needed():
    """Without `iterate` nothing is taken from it."""
    steps = iter([1, 2])
    assert encode(steps, iterate=False)["items"] == []
    assert list(steps) == [1, 2]


def test_iterators_in_a_set_lose_nothing_to_the_sorting():
    """A set's items are looked at twice, an iterator among them only once."""
    assert encode({iter([1, 2])})["items"][0]["items"] == [1, 2]


def test_what_an_iterator_raises_reaches_the_caller():
    """The runner reports it as the candidate's exception."""

    def broken():
        yield 1
        raise KeyError("x")

    with pytest.raises(KeyError, match="x"):
        encode(broken())


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (len, "a function: len"),
        (lambda: 0, "a function: <lambda>"),
        ([].append, "a function: append"),
        (json, "a module"),
        (threading.Lock(), "an object"),
        (object(), "an object"),
    ],
)
def test_what_is_no_data_is_reported_as_what_it_is(value, what):
    """Never by its repr, which generated code may have written."""
    told = encode(value)
    assert (told["$"], told["what"]) == ("opaque", what)


def test_an_open_file_is_an_open_file(tmp_path):
    """It is not read, although it is an iterator of lines."""
    path = tmp_path / "a.txt"
    path.write_text("line\n")
    with path.open() as file:
        assert encode(file)["what"] == "an open file"
        assert file.read() == "line\n"


@pytest.mark.parametrize("base", [int, float, str, bytes, list, tuple, dict, set, frozenset, collections.deque])
def test_a_subclass_is_told_by_what_the_builtin_holds(base):
    """No method of the subclass is called, whatever it overrides."""

    def lie(*_: object) -> object:
        raise AssertionError("a method of the generated class was called")

    names = (
        "__iter__ __len__ __eq__ __repr__ __str__ __getitem__ __int__ __float__ __index__ items __bool__ __contains__"
    )
    honest = base("12") if base is str else base(b"12") if base is bytes else base() if base is dict else None
    honest = honest if honest is not None else base(12) if base in (int, float) else base([1, 2])
    liar_class = type("Liar", (base,), {**dict.fromkeys(names.split(), lie), "__class__": property(lie)})
    liar_class.__hash__ = base.__hash__
    told = encode(liar_class(honest))
    assert told["$"] == "sub"
    assert told["base"] == encode(honest)


def test_a_metaclass_can_not_change_what_a_class_is():
    """Names and bases are read by `type`'s own descriptors."""

    class Meta(type):
        __name__ = property(lambda cls: 1 / 0)
        __mro__ = property(lambda cls: 1 / 0)
        __module__ = property(lambda cls: 1 / 0)

    class Thing(metaclass=Meta):
        pass

    assert encode(Thing())["$"] == "opaque"


def test_a_claimed_class_is_not_believed():
    """`__class__` may say int; the type is what counts."""

    class Liar:
        __class__ = int  # type: ignore[assignment]

    assert encode(Liar())["$"] == "opaque"


def test_a_dataclass_is_told_by_its_fields_alone():
    """In order, without ClassVar, past properties and a hostile `__getattribute__`."""

    @dataclass
    class Thing:
        b: int
        a: list[int] = field(default_factory=list, compare=False)
        shared: ClassVar[int] = 9

        def __getattribute__(self, name: str) -> Any:
            raise AssertionError(name)

    told = encode(Thing(2, [1]))
    assert told["fields"] == [["b", 2], ["a", [1]]]
    assert told["class"].endswith("Thing")


def test_a_field_that_was_never_set_is_said_to_be_unset():
    """A deleted attribute is no reason to fail."""

    @dataclass
    class Thing:
        a: int

    thing = Thing(1)
    del thing.a
    assert encode(thing)["fields"][0][1]["what"] == "a field that was never set"


def test_enum_members_say_name_value_and_mixin(types):
    """An IntEnum's member is also the int that it is."""
    assert encode(types.Color.BLUE)["name"] == "BLUE"
    assert encode(types.Color.BLUE).get("base") is None
    assert encode(types.Level.HIGH)["base"] == 2
    assert encode(types.Word.YES)["base"] == "yes"


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: list(range(300_000)), "too large"),
        (lambda: set(range(300_000)), "too large"),
        (lambda: "x" * 5_000_000, "too large"),
        (lambda: 1 << 40_000_000, "too large"),
        (
            lambda: [
                bytes(3_000_000),
                bytes(
                    3_000_000,
                ),
            ],
            "too large",
        ),
    ],
)
def test_what_is_too_large_is_refused_with_the_reason(make, reason):
    """Long before it would cost time or memory."""
    with pytest.raises(Unencodable, match=reason):
        encode(make())


def test_what_is_too_deep_is_refused_before_python_runs_out_of_stack():
    """The bound is reached first, for lists and for dataclasses alike."""
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    with pytest.raises(Unencodable, match="too deep"):
        encode(deep)


def test_sets_in_sets_cost_no_more_than_their_size():
    """Sorting looks at each item once however deep the sets are nested."""
    nested: Any = frozenset({1, 2})
    for _ in range(60):
        nested = frozenset({nested, "x"})
    assert encode(nested, max_nodes=10_000)["$"] == "frozenset"


def test_a_shared_structure_costs_its_own_size_and_not_its_unfolded_one():
    """Sixty doublings are sixty lists."""
    doubled: list[Any] = [1]
    for _ in range(60):
        doubled = [doubled, doubled]
    assert encode(doubled, max_nodes=1_000)[1] == {"$": "ref", "n": 1}


@pytest.mark.parametrize("told", ["enum.Enum", "builtins.int", "builtins.list"])
def test_a_metaclass_that_equals_every_class_poses_as_none(told):
    """Classes are looked up only where their own equality and hash are Python's."""
    posed = {"enum.Enum": enum.Enum, "builtins.int": int, "builtins.list": list}[told]
    posing = type("Posing", (type,), {"__eq__": lambda cls, other: True, "__hash__": lambda cls: hash(posed)})
    assert encode(posing("Other", (), {})())["$"] == "opaque"
    assert encode(posing("Other", (int,), {})(7)) == {"$": "sub", "class": f"{__name__}.Other", "base": 7}


class TestInstancesOfPlannedClasses:
    """Those of the classes in `public` are told by the names that stand there, and by nothing else."""

    def test_public_state_alone_is_told(self):
        """Read as a user reads it: attributes, properties, and not what is private."""
        wire = encode([Till(3), _Till(4)], public=[(Till, ["balance", "owner", "gone"])])
        mine = {"$": "instance", "class": f"{__name__}.Till", "fields": [["balance", 3], ["owner", "nobody"]]}
        assert wire == [mine, {**mine, "fields": [["balance", 4], ["owner", "nobody"]]}]
        assert encode(Till(3))["$"] == "opaque"

    def test_a_property_that_raises_is_opaque(self):
        """What it says of itself is no value; all else of the instance is."""
        told = encode(Till(3), public=[(Till, ["broken", "balance"])])["fields"]
        assert told[0] == ["broken", {"$": "opaque", "class": "builtins.OSError", "what": "a property that raised"}]
        assert told[1] == ["balance", 3]

    def test_a_class_that_lies_about_its_equality_is_not_taken_for_another(self):
        """Classes are told apart by identity, whatever a metaclass says."""
        posing = type("One", (type,), {"__eq__": lambda cls, other: True, "__hash__": lambda cls: hash(Till)})
        told = encode(posing("Other", (), {})(), public=[(Till, ["balance"])])
        assert told["$"] == "opaque"

    def test_two_agree_by_what_the_expected_one_speaks_of(self):
        """Fewer attributes may be expected than there are; a class of another name is another."""
        actual = decode(encode(Till(3), public=[(Till, ["balance", "owner"])]))
        exact = Relation()
        assert agrees(decode(encode(Till(3), public=[(Till, ["balance"])])), actual, exact)
        assert not agrees(decode(encode(Till(4), public=[(Till, ["balance"])])), actual, exact)
        assert not agrees(actual, decode(encode(Till(3), public=[(Till, ["balance"])])), exact)
        assert not agrees(decode(encode(_Till(3), public=[(_Till, ["balance"])])), actual, exact)


class Till:
    """A planned class."""

    owner = "nobody"

    def __init__(self, balance):
        self._balance = balance

    @property
    def balance(self):
        return self._balance

    @property
    def broken(self):
        raise OSError

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


class _Till(Till):
    """A subclass of the candidate's own."""
