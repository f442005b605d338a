"""How numpy's and pandas' values are told and made again: what they hold, never what they say of themselves."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from tdgen.values.decode import decode
from tdgen.values.encode import Unencodable, encode
from tdgen.values.equality import Relation, agrees
from tdgen.values.kinds import Array
from tdgen.values.rebuild import Opaque, Unreadable, rebuild
from tdgen.values.show import show_wire

np = pytest.importorskip("numpy", reason="numpy is not installed")
pd = pytest.importorskip("pandas", reason="pandas is not installed")


def lie(*_: object, **__: object) -> Any:
    raise AssertionError("a method of the generated class was called")


LYING = ("__eq__", "__len__", "__iter__", "__array__", "__getitem__", "__repr__", "__bool__")
LIES = dict.fromkeys((*LYING, "tolist", "reshape", "view", "astype", "item"), lie)
PROPERTIES = dict.fromkeys(("shape", "dtype", "size", "values", "index", "columns", "asm8"), property(lie))


VALUES = [
    np.array([1, 2]),
    np.array(3.5),
    np.array([[1.5, np.nan], [np.inf, -0.0]]),
    np.zeros((0, 3)),
    np.array(["a", "bcd"]),
    np.array([b"x"]),
    np.array([True, False]),
    np.array([1 + 2j]),
    np.array([1, 2], dtype=">i4"),
    np.array([1, 2], dtype="f2"),
    np.array(["2024-01-02", "NaT"], dtype="M8[D]"),
    np.array([1, 2], dtype="m8[25s]"),
    np.array([None, {"a": [1]}, "x"], dtype=object),
    np.float64(1.5),
    np.int8(3),
    np.True_,
    np.str_("a"),
    np.datetime64("2024-01-02"),
    np.timedelta64("NaT", "D"),
    pd.Timestamp("2024-01-02 12:00:00.123456"),
    pd.Timestamp("2024-10-27 00:30", tz="UTC").tz_convert("Europe/Paris"),
    pd.Timestamp("2024-10-27 01:30", tz="UTC").tz_convert("Europe/Paris"),
    pd.Timestamp("2024-01-02"),
    pd.Timedelta("1h"),
    pd.NaT,
    pd.Series([1.5, None], index=list("ab"), name="x"),
    pd.Series(pd.to_datetime(["2024-01-02", None])),
    pd.Series(["a", None]),
    pd.Series([pd.Timestamp("2024-01-02"), pd.NaT, "x"]),
    pd.Series([np.array([1, 2]), [3]]),
    pd.DataFrame(),
    pd.DataFrame({"a": []}),
    pd.DataFrame(index=[1, 2]),
    pd.DataFrame({"n": [1, 2], "x": [0.5, None], "s": ["a", None]}),
    pd.DataFrame([[1, 2.5]], columns=["a", "a"]),
    pd.Index([1, 2], name="i"),
    pd.RangeIndex(5, 0, -2),
    pd.date_range("2024-01-01", periods=3, freq="D"),
]
UNTOLD = [
    np.ma.array([1, 2], mask=[True, False]),
    np.ma.masked,
    np.array([(1, 0.5)], dtype=[("n", "i4"), ("x", "f8")]),
    np.array([(1, 0.5)], dtype=[("n", "i4"), ("x", "f8")])[0],
    np.longdouble(0.5),
    pd.Timestamp("2024-01-02 12:00:00.123456789"),
    pd.Timestamp(np.datetime64(2**40, "s")),
    pd.Timedelta(1, "ns"),
    pd.NA,
    pd.Period("2024-01", "M"),
    pd.Interval(0, 1.5),
    pd.MultiIndex.from_product([[1, 2], ["a"]]),
    pd.CategoricalIndex(["a"]),
    pd.period_range("2024-01", periods=2, freq="M"),
    pd.interval_range(0, 2),
    pd.array([1, None], dtype="Int64"),
    pd.array(["a"]),
    pd.Categorical(["a"], ordered=True),
    pd.Series(["u", None, "u"], dtype="category"),
    pd.Series(pd.to_datetime(["2024-01-02", None]).tz_localize("Europe/Paris")),
    pd.Series([1, None], dtype="Int64"),
    pd.Series([1, 0]).astype("Sparse[int]"),
    pd.DataFrame({"a": [1]}, index=pd.MultiIndex.from_tuples([(1, "x")])),
    pd.DataFrame({"a": pd.Categorical(["u"])}),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: f"{type(value).__name__}")
def test_every_value_survives_the_way_there_and_back(value):
    """Made again from JSON text it is told by the same wire, and on the host, without numpy, it agrees with itself."""
    wire = json.loads(json.dumps(encode(value)))
    assert encode(rebuild(wire, {})) == wire
    assert agrees(decode(wire), decode(json.loads(json.dumps(wire))), Relation())


@pytest.mark.parametrize("value", UNTOLD, ids=lambda value: f"{type(value).__name__}")
def test_rare_kinds_are_opaque(value):
    """They are said to be there, and agree with nothing, themselves included; what is beside them is told."""
    wire = json.loads(json.dumps(encode([value, [1], np.array([2])])))
    assert wire[0]["$"] == "opaque"
    assert decode(wire)[2] == Array("int64", (1,), (2,))
    assert not agrees(decode(wire), decode(wire), Relation())
    assert isinstance(rebuild(wire, {})[0], Opaque)
    assert "\n" not in show_wire(wire)


def test_an_array_is_its_dtype_its_shape_and_its_items_in_c_order():
    """Whatever its layout in memory."""
    wire = {"$": "ndarray", "dtype": "int64", "shape": [3, 2], "items": [0, 3, 1, 4, 2, 5]}
    assert encode(np.arange(6).reshape(2, 3).T) == wire
    assert encode(np.asfortranarray(np.arange(6).reshape(2, 3).T)) == wire


def test_the_labels_of_plain_rows_take_no_room():
    """A table of a hundred thousand rows is no larger than its values."""
    wire = encode(pd.Series(1, index=pd.RangeIndex(100_000)))
    assert wire["index"]["values"] == {"$": "range", "parts": [0, 100_000, 1]}


@pytest.mark.parametrize("base", [np.ndarray, np.float64, pd.Series, pd.DataFrame, pd.Timestamp])
def test_a_subclass_is_told_by_what_it_holds(base):
    """None of its methods or properties is called, `__getattribute__` neither."""
    own: dict[str, Any] = {**LIES, **PROPERTIES, "__getattribute__": lie}
    given = {np.ndarray: (2,), np.float64: (1.5,), pd.Timestamp: ("2024",)}.get(base, ({"a": [1]},))
    honest, liar_class = base(*given), type("Liar", (base,), own)
    if base in (pd.Series, pd.DataFrame):
        liar = object.__new__(liar_class)
        object.__setattr__(liar, "_mgr", honest._mgr)
        object.__setattr__(liar, "_name", None)
    else:
        liar = honest.view(liar_class) if base is np.ndarray else liar_class(*given)
    assert encode(liar) == encode(honest)


def test_a_class_that_only_calls_itself_numpys_is_not_believed():
    """A class written in Python is no array, whatever its name and module."""
    posing = type("ndarray", (), {"__module__": "numpy", "tolist": lambda self: [1]})
    assert encode(posing())["$"] == "opaque"


def test_functions_in_an_array_are_opaque():
    """It agrees with nothing, and comes back as what equals nothing."""
    wire = encode(np.array([lambda: 0, 1], dtype=object))
    assert wire["items"][0]["what"] == "a function: <lambda>"
    assert not agrees(decode(wire), decode(wire), Relation())
    assert isinstance(rebuild(wire, {})[0], Opaque)


@pytest.mark.parametrize("value", [np.random.default_rng(0), np.dtype("i4"), pd.offsets.Day(1), np, np.sum])
def test_what_is_no_data_is_opaque(value):
    """Generators, dtypes, offsets, modules, functions."""
    assert encode(value)["$"] == "opaque"


@pytest.mark.parametrize(
    "make",
    [
        lambda: np.zeros(10_000_000),
        lambda: np.broadcast_to(1, (10**6, 10**6)),
        lambda: pd.DataFrame(np.zeros((1000, 300))),
        lambda: pd.Series(0, index=pd.RangeIndex(300_000)),
        lambda: pd.DataFrame(index=pd.RangeIndex(10**9)),
        lambda: np.array(["x" * 5_000_000]),
        lambda: [np.zeros(200_000), np.zeros(200_000)],
    ],
)
def test_what_is_too_large_is_refused(make):
    """By the bounds that all values have, before anything is copied."""
    with pytest.raises(Unencodable, match="too large"):
        encode(make())


def test_an_array_that_holds_itself_can_be_told():
    """It is a container like any other, and a second meeting is a reference."""
    loop = np.empty(2, dtype=object)
    loop[0], loop[1] = loop, [loop]
    told = encode([loop, loop])
    assert told[1] == {"$": "ref", "n": 1}
    assert told[0]["items"] == [{"$": "ref", "n": 1}, [{"$": "ref", "n": 1}]]
    assert agrees(decode(told), decode(told), Relation())


def test_a_change_in_place_changes_the_wire():
    """So that a probe finds which arguments a call has changed."""
    values, table = np.array([1.0, np.nan]), pd.DataFrame({"a": [1]})
    before = encode([values, table])
    assert encode([values, table]) == before
    values[1], table.loc[0, "a"] = 2, 2
    assert encode(values) != before[0]
    assert encode(table) != before[1]


@pytest.mark.parametrize(
    "wire",
    [
        {"$": "ndarray", "dtype": "int64", "shape": [3], "items": [1]},
        {"$": "ndarray", "dtype": "int64", "shape": [-1], "items": [1]},
        {"$": "ndarray", "dtype": "int64", "shape": [1] * 99, "items": [1]},
        {"$": "ndarray", "dtype": "int64", "shape": [1], "items": ["a"]},
        {"$": "ndarray", "dtype": "os.system", "shape": [1], "items": [1]},
        {"$": "ndarray", "dtype": "int64", "shape": [2**40], "items": {"$": "range", "parts": [0, 2**40, 1]}},
        {"$": "index", "name": None, "values": 1},
        {"$": "index", "name": None},
        {"$": "series", "name": None, "index": 1, "values": 2},
        {"$": "frame", "columns": 1, "index": 1, "values": []},
        {"$": "sub", "class": "pandas.Timestamp", "base": {"$": "tuple", "items": []}},
        {"$": "numpy", "dtype": "int8", "v": 10**30},
        {"$": "numpy", "dtype": "datetime64[parsec]", "v": 1},
    ],
)
def test_shapes_that_are_never_told_are_refused(wire):
    """With a reason, whatever numpy or pandas say of them."""
    with pytest.raises(Unreadable):
        rebuild(wire, {})


def test_where_the_two_can_not_be_imported_the_value_is_unreadable(monkeypatch):
    """A check on an array needs numpy; the reason says so."""
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(Unreadable, match="numpy can't be imported here"):
        rebuild({"$": "ndarray", "dtype": "int64", "shape": [0], "items": []}, {})
