"""Arrays and tables by their wires alone, as the host has them: what agrees, how differences are told, what is read."""

from __future__ import annotations

import copy
import datetime as dt
from typing import Any

import pytest

from tdgen.judge.compare import differences
from tdgen.types import Tolerance
from tdgen.values.decode import decode
from tdgen.values.encode import encode
from tdgen.values.equality import Relation, agrees
from tdgen.values.keys import Keys
from tdgen.values.numbers import Budget
from tdgen.values.readers import Unreadable
from tdgen.values.show import show

NAN = {"$": "float", "v": "nan"}


def array(items: Any, dtype: str = "float64", shape: Any = None) -> Any:
    return {"$": "ndarray", "dtype": dtype, "shape": [len(items)] if shape is None else shape, "items": items}


def index(*labels: Any, dtype: str = "object", name: Any = None) -> Any:
    return {"$": "index", "name": name, "values": array(list(labels), dtype)}


def plain(size: int) -> Any:
    return {"$": "index", "name": None, "values": {"$": "range", "parts": [0, size, 1]}}


def series(values: Any, labels: Any = None, name: Any = None) -> Any:
    return {"$": "series", "name": name, "index": labels or plain(len(values["items"])), "values": values}


def frame(labels: Any = None, **columns: Any) -> Any:
    size = max((len(values["items"]) for values in columns.values()), default=0)
    return {"$": "frame", "columns": index(*columns), "index": labels or plain(size), "values": [*columns.values()]}


def scalar(value: Any, dtype: str) -> Any:
    return {"$": "numpy", "dtype": dtype, "v": value}


def stamp(moment: dt.datetime) -> Any:
    return {"$": "sub", "class": "pandas.Timestamp", "base": encode(moment)}


NAT = {"$": "nat"}
INTS = array([1, 2, 3, 4, 5, 6], "int64", [3, 2])
MIXED = frame(n=array([1, 2], "int64"), x=array([0.5, NAN]))


@pytest.mark.parametrize(
    ("expected", "actual", "told"),
    [
        (array([0.3]), array([0.1 + 0.2]), []),
        (array([NAN, 1.0]), array([NAN, 1.0]), []),
        (array([1.0]), array([1], "int64"), [".dtype: 'int64', expected 'float64'"]),
        (array([1], "int32"), array([1], "int64"), [".dtype: 'int64', expected 'int32'"]),
        (array([10**10], "int64"), array([10**10 + 1], "int64"), ["[0]: 10000000001, expected 10000000000"]),
        (INTS, array([1, 2, 3, 4, 5, 7], "int64", [3, 2]), ["[2, 1]: 7, expected 6"]),
        (INTS, array([1, 2, 3, 4, 5, 6], "int64", [2, 3]), [".shape: (2, 3), expected (3, 2)"]),
        (array([1.5], shape=[]), array([2.5], shape=[]), ["[]: 2.5, expected 1.5"]),
        (array([1.0]), [1.0], ["[1.0], expected array([1.0])"]),
        (array([[1], [2]], "object"), array([[1], [3]], "object"), ["[1][0]: 3, expected 2"]),
        (MIXED, copy.deepcopy(MIXED), []),
        (
            MIXED,
            frame(n=array([1, 3], "int64"), x=array([0.5, 2.5])),
            ["column 'n'[1]: 3, expected 2", "column 'x'[1]: 2.5, expected nan"],
        ),
        (
            MIXED,
            frame(n=array([1.0, 2.0]), x=array([0.0, NAN])),
            ["column 'n'.dtype: 'float64', expected 'int64'", "column 'x'[0]: 0.0, expected 0.5"],
        ),
        (
            MIXED,
            frame(x=array([0.5, NAN]), n=array([1, 2], "int64")),
            [".columns[0]: 'x', expected 'n'", ".columns[1]: 'n', expected 'x'"],
        ),
        (MIXED, frame(n=array([1], "int64"), x=array([0.5])), [".index.shape: (1,), expected (2,)"]),
        (frame(), frame(), []),
        (frame(index("a"), x=array([1.0])), frame(index("b"), x=array([1.0])), [".index[0]: 'b', expected 'a'"]),
        (
            frame(index("a"), x=array([1.0])),
            frame(index("a"), x=array([2.0])),
            ["column 'x'[0]: 2.0, expected 1.0"],
        ),
        (series(array([1.0]), name="a"), series(array([1.0])), [".name: None, expected 'a'"]),
        (series(array([1.0, 2.0])), series(array([1.0, 3.0])), ["[1]: 3.0, expected 2.0"]),
        (index("a", name="i"), index("a"), [".name: None, expected 'i'"]),
        (index(0, 1, 2, dtype="int64"), plain(3), []),
        ({"$": "dict", "items": [["k", MIXED]]}, {"$": "dict", "items": [["k", 1]]}, None),
        ([array([1.0])], [array([2.0])], ["[0][0]: 2.0, expected 1.0"]),
    ],
)
def test_differences_are_told_where_they_are(expected, actual, told):
    """By position in an array, by column and label in a table; what they are comes before what they hold."""
    found = [f"{d.where}: " * bool(d.where) + f"{d.actual}, expected {d.expected}" for d in _found(expected, actual)]
    if told is None:
        assert found[0].startswith("['k']: 1, expected DataFrame({'n': [1, 2], 'x': [0.5, nan]})")
    else:
        assert found == told


def _found(expected, actual):
    found = differences(expected, actual, Relation())
    assert bool(found) != agrees(decode(expected), decode(actual), Relation())
    return found


def test_the_tolerance_is_the_cases():
    """For the floats of arrays and tables too."""
    rough = Relation(tolerance=Tolerance(abs=0.1))
    assert agrees(decode(array([1.0])), decode(array([1.05])), rough)
    assert agrees(decode(MIXED), decode(frame(n=array([1, 2], "int64"), x=array([0.55, NAN]))), rough)
    assert not agrees(decode(array([1], "int64")), decode(array([1.0])), rough)


def test_complex_items_have_a_tolerance():
    """Of the whole number's size, as numpy has it: where one part is nothing it can't be held to its own."""
    noisy = array([{"$": "complex", "re": 1e6, "im": 1e-10}], "complex128")
    assert agrees(decode(array([{"$": "complex", "re": 1e6, "im": 0.0}], "complex128")), decode(noisy), Relation())
    assert not agrees(decode(array([{"$": "complex", "re": 1e6, "im": 1.0}], "complex128")), decode(noisy), Relation())


@pytest.mark.parametrize(
    ("expected", "actual", "agree"),
    [
        (1.5, scalar(1.5, "float64"), True),
        (1.5, scalar(1.5, "float32"), True),
        (3, scalar(3, "int64"), True),
        ("a", scalar("a", "str"), True),
        (True, scalar(True, "bool"), False),
        (1, scalar(True, "bool"), False),
        (2024, scalar(2024, "datetime64[Y]"), False),
        (scalar(1.5, "float64"), 1.5, True),
        (scalar(3, "int64"), 3, True),
        (scalar(3, "int32"), 3, False),
        (scalar(3, "int32"), scalar(3, "int64"), False),
        (scalar(True, "bool"), True, True),
        (scalar(3, "int64"), 3.0, False),
        (scalar(1.5, "float64"), array([1.5], shape=[]), False),
        (NAT, NAT, True),
        (NAT, None, False),
    ],
)
def test_numpys_numbers(expected, actual, agree):
    """They are the numbers that they are; where one is expected, its dtype counts."""
    assert agrees(decode(expected), decode(actual), Relation()) is agree


def test_an_exact_int_is_pythons():
    """Where the contract says int, `isinstance(result, int)` is asked for."""
    assert not agrees(3, decode(scalar(3, "int64")), Relation(exact_int=True))
    assert agrees(decode(scalar(3, "int64")), 3, Relation(exact_int=True))


def test_a_timestamp_is_the_datetime_of_its_moment():
    """In any zone."""
    noon = dt.datetime(2024, 1, 2, 12)
    assert agrees(noon, decode(stamp(noon)), Relation())
    assert agrees(decode(stamp(noon)), noon, Relation())
    assert not agrees(noon, decode(stamp(noon.replace(tzinfo=dt.UTC))), Relation())
    zoned, same = noon.replace(tzinfo=dt.timezone(dt.timedelta(hours=1))), dt.datetime(2024, 1, 2, 11, tzinfo=dt.UTC)
    assert agrees(zoned, decode(stamp(same)), Relation())
    assert Keys(Budget()).of(zoned) == Keys(Budget()).of(decode(stamp(same)))


def test_dict_keys_and_set_items_of_numpys_are_found():
    """By their value, as their hashes have it."""
    held = {"$": "dict", "items": [[scalar(1, "int64"), "x"], [stamp(dt.datetime(1970, 1, 1)), "y"]]}
    plain_keys = {"$": "dict", "items": [[encode(dt.datetime(1970, 1, 1)), "y"], [1, "x"]]}
    assert agrees(decode(plain_keys), decode(held), Relation())
    assert agrees(decode(held), decode(plain_keys), Relation())


@pytest.mark.parametrize(
    ("wire", "text"),
    [
        (array([1.0, 2.5]), "array([1.0, 2.5])"),
        (INTS, "array([[1, 2], [3, 4], [5, 6]])"),
        (array([1], "int32"), "array([1], dtype=int32)"),
        (array([]), "array([], dtype=float64)"),
        (array([2.5], shape=[]), "array(2.5)"),
        (array([19724, None], "datetime64[D]"), "array(['2024-01-02', NaT], dtype=datetime64[D])"),
        (MIXED, "DataFrame({'n': [1, 2], 'x': [0.5, nan]})"),
        (
            frame(index("a"), x=array([1.0], "float32")),
            "DataFrame({'x': array([1.0], dtype=float32)}, index=Index(['a']))",
        ),
        (series(array([1.0]), name="s"), "Series([1.0], name='s')"),
        (index("a", name="i"), "Index(['a'], name='i')"),
        (scalar(True, "bool"), "np.True_"),
        (scalar(1.5, "float32"), "np.float32(1.5)"),
        (scalar(19724, "datetime64[D]"), "np.datetime64('2024-01-02')"),
        (scalar(90, "timedelta64[m]"), "np.timedelta64('90 m')"),
        (scalar(1_500, "datetime64[ms]"), "np.datetime64('1970-01-01T00:00:01.5')"),
        (scalar(2**62, "datetime64[s]"), f"np.datetime64('{2**62} s since 1970')"),
        (scalar(None, "timedelta64[s]"), "np.timedelta64(NaT)"),
        (NAT, "NaT"),
        (array([1], "x" * 200), f"array([1], dtype={'x' * 59}…)"),
    ],
)
def test_they_are_shown_as_they_are_written(wire, text):
    """In one short line, the dtype where the items don't say it."""
    assert show(decode(wire)) == text


def test_showing_a_large_one_costs_little():
    """Two ends, as of any long container."""
    shown = show(decode(array(list(range(90_000)), "int64", [300, 300])), 100)
    assert shown.startswith("array([[0, 1, 2, 3,")
    assert len(shown) <= 100


@pytest.mark.parametrize(
    "wire",
    [
        array([1.0], shape=[2]),
        array([1.0], shape=[-1]),
        array([], shape=[0] * 65),
        array([1.0], shape=[True]),
        array([1.0], "\x1b[2J"),
        plain(10**9),
        plain(2**70),
        {"$": "index", "name": None},
        {"$": "index", "name": None, "values": INTS},
        {"$": "series", "name": None, "index": plain(2), "values": array([1.0])},
        {"$": "series", "name": None, "index": 1, "values": array([1.0])},
        {"$": "frame", "columns": index("a"), "index": plain(0), "values": []},
        {"$": "frame", "columns": index("a"), "index": plain(0), "values": [1]},
        {"$": "numpy", "v": 1},
    ],
)
def test_shapes_that_are_never_told_are_refused(wire):
    """The wire is hostile: nothing of it is believed that isn't looked at."""
    with pytest.raises(Unreadable):
        decode(wire)
