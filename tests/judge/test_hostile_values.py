"""What a determined candidate sends instead of a value: never an error, never a hang, and never what was expected."""

from __future__ import annotations

import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from tdgen.judge import Expected, agree, judge
from tdgen.judge.compare import differences, plain_differences
from tdgen.types import After, Observation
from tdgen.values.decode import decode
from tdgen.values.encode import encode
from tdgen.values.equality import Relation
from tdgen.values.keys import Keys
from tdgen.values.kinds import Unordered
from tdgen.values.numbers import Budget
from tdgen.values.readers import MAX_HEX, Unreadable
from tdgen.values.show import LIMIT, show_wire

Wire = Any
MODULUS = sys.hash_info.modulus
COLLIDING = [encode(MODULUS * n) for n in range(1, 2_001)]
HUGE = {"$": "int", "hex": hex(1 << 2_000_000)}
NAN = {"$": "float", "v": "nan"}
INT64 = {"$": "ndarray", "dtype": "int64", "shape": [1], "items": [5]}
INDEX = {"$": "index", "name": None, "values": INT64}


def nested(levels: int, around: Callable[[Wire], Wire], inner: Wire = "deep") -> Wire:
    for _ in range(levels):
        inner = around(inner)
    return inner


def tagged(tag: Any, **fields: Any) -> Wire:
    return {"$": tag, **{name.rstrip("_"): value for name, value in fields.items()}}


def moment(*parts: Any, **fields: Any) -> Wire:
    return tagged("datetime", parts=[*parts, *[1, 1, 0, 0, 0, 0][len(parts) - 1 :]], **fields)


AROUND: dict[str, Callable[[Wire], Wire]] = {
    "lists": lambda x: [x],
    "tuples": lambda x: tagged("tuple", items=[x]),
    "sets": lambda x: tagged("frozenset", items=[x]),
    "sets of two": lambda x: tagged("frozenset", items=[x, "a"]),
    "dicts": lambda x: tagged("dict", items=[["a", x]]),
    "keys": lambda x: tagged("dict", items=[[x, 1]]),
    "deques": lambda x: tagged("deque", items=[x], maxlen=None),
    "records": lambda x: tagged("dataclass", class_="m.A", fields=[["a", x]]),
    "members": lambda x: tagged("enum", class_="m.A", name=None, value=x),
    "bases": lambda x: tagged("enum", class_="m.A", name="A", value=1, base=x),
    "iterators": lambda x: tagged("iterator", class_="m.A", items=[x]),
    "exceptions": lambda x: tagged("exception", class_="m.A", args=[x]),
    "subclasses": lambda x: tagged("sub", class_="m.A", base=tagged("tuple", items=[x])),
    "arrays": lambda x: tagged("ndarray", dtype="object", shape=[1], items=[x]),
    "scalars": lambda x: tagged("numpy", dtype="object", v=x),
}
HOSTILE: dict[str, Wire] = {
    **{f"{name} to the decoder's limit": nested(70, around) for name, around in AROUND.items()},
    **{f"{name} beyond any limit": nested(400, around) for name, around in AROUND.items()},
    "a tag that can't be hashed": tagged([1]),
    "a tag that is a dict": tagged({}),
    "a tag of no kind": tagged("nonsense" * 1_000),
    "a base whose tag can't be hashed": tagged("sub", class_="x", base=tagged([1])),
    "a subclass of nothing": tagged("sub", class_="x", base=tagged("opaque")),
    "items whose tag can't be hashed": tagged("ndarray", dtype="int64", shape=[1], items=tagged([])),
    "a zone whose tag can't be hashed": moment(2000, zone=tagged([])),
    "bytes that are no base64": tagged("bytes", b64="\u00e9"),
    "bytes of half a byte": tagged("bytearray", b64="a"),
    "a pattern that is no base64": tagged("pattern", v=tagged("bytes", b64="\u00e9"), flags=0),
    "a pattern that doesn't compile": tagged("pattern", v="(", flags=-1),
    "a year of 5,000 digits": moment(tagged("int", hex=hex(10**5_000))),
    "a year in decimals": moment(10**4_000),
    "the first moment, far east": moment(1, zone=tagged("timezone", offset=[0, 50_000, 0])),
    "the first moment in a zone by name": moment(1, zone=tagged("zone", key="Asia/Tokyo")),
    "the last moment, far west": moment(9999, 12, 31, 23, zone=tagged("timezone", offset=[-1, 3_600, 0])),
    "a zone that is a file": tagged("zone", key="/etc/passwd"),
    "a zone above its folder": tagged("zone", key="../../../etc/passwd"),
    "a zone with a zero byte": tagged("zone", key="a\0b"),
    "a zone with a long name": tagged("zone", key="a" * 5_000),
    "a zone that is a folder": tagged("zone", key="Europe"),
    "a zone that is half a character": tagged("zone", key="\ud800"),
    "half a character": "\ud800",
    "a path with a zero byte": tagged("path", kind="PosixPath", v="a\0\ud800"),
    "a network of 5,000 digits": tagged("ip", kind="IPv4Network", v="1.2.3.4/" + "9" * 5_000),
    "an int of two million bits": HUGE,
    "an int longer than any": tagged("int", hex="0x" + "f" * (MAX_HEX + 1)),
    "an int that is no hex": tagged("int", hex="0x1_0"),
    "a Decimal of a large exponent": tagged("decimal", v="1e999999999999"),
    "a Decimal of many digits": tagged("decimal", v="9" * 100_000),
    "a Decimal beyond its exponents": tagged("decimal", v="1e9999999999999999999"),
    "a Decimal that is no number": tagged("decimal", v="NaN123"),
    "a Decimal that signals": tagged("decimal", v="sNaN"),
    "Decimals of all kinds": [tagged("decimal", v=text) for text in ("NaN", "sNaN", "-Infinity", "1")],
    "complex numbers without an order": [tagged("complex", re=NAN, im=1.0), tagged("complex", re=1.0, im=NAN), NAN],
    "complex numbers beyond their size": tagged(
        "numpy", dtype="complex128", v=tagged("complex", re=1.7e308, im=1.7e308)
    ),
    "a Fraction of nothing": tagged("fraction", parts=[1, 0]),
    "a Fraction of many bits": tagged("fraction", parts=[HUGE, 3]),
    "a range too long for len": tagged("range", parts=[0, HUGE, 1]),
    "a range of no step": tagged("range", parts=[0, 1, 0]),
    "ints of one hash in a list": COLLIDING,
    "ints of one hash in a set": tagged("set", items=COLLIDING),
    "ints of one hash in a dict": tagged("dict", items=[[item, 1] for item in COLLIDING]),
    "tuples of one hash in a set": tagged("set", items=[tagged("tuple", items=[item]) for item in COLLIDING]),
    "scalars of one key": tagged("dict", items=[[tagged("numpy", dtype=f"d{n}", v=1), 1] for n in range(500)]),
    "a large int beside a Decimal of its hash": tagged(
        "set", items=[HUGE, tagged("decimal", v=str(hash(1 << 2_000_000)))]
    ),
    "a dict of one key many times": tagged("dict", items=[[1, 1]] * 5_000),
    "a set that can't be hashed": tagged("set", items=[[], tagged("dict", items=[])]),
    "an item that is no pair": tagged("dict", items=[[1]]),
    "a set without items": tagged("set"),
    "a named tuple of fewer items": tagged("namedtuple", class_="m.A", fields=["a", "b"], items=[1]),
    "a named tuple whose names are none": tagged("namedtuple", class_="m.A", fields=[[1]], items=[1]),
    "a member whose name can't be hashed": tagged("enum", class_="m.A", name=[1], value=1),
    "a member of a long name": tagged("enum", class_="m.A", name="\x1b" * 200_000, value=1),
    "a record of a field twice": tagged("dataclass", class_="m.A", fields=[["a", 1], ["a", 2]]),
    "a record of a field without a name": tagged("dataclass", class_="m.A", fields=[[1, 1]]),
    "a class of a long name": tagged("class", name="\x1b[2J" * 100_000),
    "an object of many words": tagged("opaque", class_="\x00" * 100_000, what="\x00" * 100_000),
    "a reference to nothing": tagged("ref", n=7),
    "a list of itself": [tagged("ref", n=0)],
    "a set of itself": tagged("set", items=[tagged("ref", n=0)]),
    "a member of itself": tagged("enum", class_="m.A", name=None, value=tagged("ref", n=0)),
    "a structure that unfolds without end": nested(60, lambda x: [x, tagged("ref", n=1)]),
    "an array of another shape": tagged("ndarray", dtype="int64", shape=[2], items=[1]),
    "an array of more dimensions than there are": tagged("ndarray", dtype="int64", shape=[1] * 65, items=[1]),
    "an array of a length beyond len": tagged("ndarray", dtype="int64", shape=[10**30, 0], items=[]),
    "a range as items": tagged("ndarray", dtype="int64", shape=[1], items=tagged("range", parts=[0, 1, 1])),
    "labels without end": tagged("index", name=None, values=tagged("range", parts=[0, 2**60, 1])),
    "labels beyond len": tagged("index", name=None, values=tagged("range", parts=[0, 2**80, 1])),
    "an index of no labels": tagged("index", name=None),
    "a series without an index": tagged("series", name=None, values=INT64),
    "a frame of a shorter column": tagged("frame", columns=INDEX, index=INDEX, values=[]),
    "a moment beyond the calendar": tagged("numpy", dtype="datetime64[W]", v=tagged("int", hex=hex(1 << 60_000))),
    "a span beyond any": tagged("numpy", dtype="timedelta64[ns]", v=tagged("int", hex=hex(1 << 60_000))),
    "a moment in no unit": tagged("numpy", dtype="datetime64[x]", v=1),
    "a moment of many dimensions": tagged("numpy", dtype="datetime64[s]", v=[1]),
    "a number that JSON has not": float("inf"),
    "a constant of no name": tagged("constant", v="__import__"),
    "a uuid of other letters": tagged("uuid", hex="g" * 32),
    "a timezone beyond a day": tagged("timezone", offset=[2, 0, 0]),
    "a span beyond a timedelta": tagged("timedelta", parts=[10**10, 0, 0]),
}
EXPECTED = [
    1,
    1.5,
    Decimal("1.5"),
    Fraction(1, 3),
    "a",
    [1, Decimal("NaN"), 2.5],
    {Decimal(2): 1, "a": 2},
    {1.5, 2},
    [1j],
]
RELATIONS = [Relation(), Relation(unordered=True), Relation(iterated=True, exact_int=True)]


def test_there_are_as_many_as_promised():
    """Of each kind some."""
    assert len(HOSTILE) >= 80


@pytest.mark.parametrize("wire", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_value_is_a_difference_and_never_an_error(wire, make_case, make_spec, returned):
    """Alone and inside of others, whatever is expected; it is told in a short line, and agrees with nothing."""
    values = (wire, [wire], [wire, 1, wire], tagged("set", items=[wire, 2]), tagged("dict", items=[[wire, wire]]))
    for value in values:
        assert len(show_wire(value)) <= LIMIT
        assert show_wire(value).isprintable()
        assert differences(encode(EXPECTED[5]), value, Relation(unordered=True))
    for expected in EXPECTED:
        for relation in RELATIONS:
            assert differences(encode(expected), wire, relation)
    case = make_case(after=(After(expression="x", source="1"),))
    seen = returned(wire, after=(wire,), mutated={"0": wire})
    verdict = judge(case, make_spec(), seen, Expected(value=2, after=(1,)))
    assert not verdict.passed
    assert agree(seen, seen, case.done, make_spec()) in (True, False)


@pytest.mark.parametrize("wire", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_value_is_compared_with_itself(wire):
    """It is read or it is Unreadable; what is read is compared to the end, or said to be too large."""
    try:
        decode(wire)
    except Unreadable:
        return
    for relation in RELATIONS:
        for difference in differences(wire, wire, relation):
            assert len(difference.sentence) < 1_000


def test_values_of_one_hash_have_keys_of_many():
    """A dict of them by key is no slower than any other."""
    assert len({hash(Keys(Budget()).of(MODULUS * n)) for n in range(1, 1_001)}) == 1_000
    assert len({hash(Keys(Budget()).of((MODULUS * n,))) for n in range(1, 1_001)}) == 1_000


def test_no_set_is_made_of_values_of_one_hash():
    """Nor a dict; an honest one is."""
    assert type(decode(HOSTILE["ints of one hash in a set"])) is Unordered
    assert type(decode(HOSTILE["ints of one hash in a dict"])) is Unordered
    assert type(decode(HOSTILE["tuples of one hash in a set"])) is Unordered
    assert type(decode(HOSTILE["a large int beside a Decimal of its hash"])) is Unordered
    assert decode(encode({(n, 0) for n in range(-500, 500)})) == {(n, 0) for n in range(-500, 500)}


def test_sets_of_one_hash_agree_as_any_others():
    """By their keys."""
    items = [MODULUS * n for n in range(1, 301)]
    assert differences(encode(set(items)), encode(set(items)), Relation()) == ()
    assert len(differences(encode(set(items)), encode(set(items[:-2])), Relation())) == 2


def test_numbers_that_would_take_too_long_say_so():
    """A Decimal and an int of the same magnitude, each too long to be converted; of another magnitude they differ."""
    bits = 1 << 20_000
    (difference,) = differences(encode(Decimal(f"{Decimal(bits):f}") + 1), encode(bits), Relation())
    assert "too large to compare" in difference.actual
    (difference,) = differences(encode(Decimal(3)), HUGE, Relation())
    assert "too large" not in difference.actual
    assert differences(encode(Decimal(2**64)), encode(2**64), Relation()) == ()
    assert differences(encode(Decimal("0.1")), encode(Fraction(1, 10)), Relation()) == ()


def test_a_comparison_has_a_clock(monkeypatch):
    """Its own thread's: what costs much for each step ends as a difference too."""
    monkeypatch.setattr("tdgen.values.numbers.MAX_SECONDS", -1.0)
    value = list(range(5_000))
    (difference,) = plain_differences(value, list(value), Relation())
    assert "too large to compare" in difference.actual


@pytest.mark.parametrize("status", ["returned", "raised", "died", "timeout", "unreadable", "not_run"])
def test_what_is_said_of_itself_is_cut(status, make_case, make_spec):
    """Megabytes in the place of a class's name, a message or a detail make no long verdict."""
    text = "\x1b" * 300_000
    raised = {"types": (text,), "message": text}
    seen = Observation(name="case", status=status, raised=raised, detail=text)
    verdict = judge(make_case(), make_spec(), seen, Expected(value=2))
    assert not verdict.passed
    assert all(len(difference.sentence) < 2_000 for difference in verdict.differences)
