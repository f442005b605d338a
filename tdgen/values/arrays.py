"""numpy's and pandas' values as tagged plain JSON data, and back where the two can be imported.

Shipped into the sandbox beside `encode.py`, under the same rules: standard library only, Python 3.9 and later. To
tell a value nothing is imported: what it is shows in its class's bases, and what it holds is read by numpy's own
methods and from where pandas keeps it, never by a method that a subclass could have replaced. Told are arrays and
scalars of plain dtypes, Series, DataFrame and Index of such arrays and of texts, Timestamp, Timedelta and NaT. All
else (a mask, a MultiIndex, categories, periods, intervals, pandas' own arrays) is opaque.

An array is `{"$": "ndarray", "dtype", "shape", "items"}`, its items in C order, and a scalar `{"$": "numpy", "dtype",
"v"}`; items of datetime64 and timedelta64 are ints that count their unit, or None. Tables are `{"$": "series", "name",
"index", "values"}`, `{"$": "frame", "columns", "index", "values"}` and `{"$": "index", "name", "values"}`, of arrays
and, for a RangeIndex, a range. A Timestamp is a subclass of datetime, as which it is told.
"""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Callable
from typing import Any

from .facts import instance_dict, members_of, mro_of, name_of, qualified_name
from .leaves import LEAVES, opaque, zone_of
from .readers import Unreadable, list_of, read_leaf, text_of

STAMPS = ("pandas.Timestamp", "pandas.Timedelta")
_NAT_COUNT = -(2**63)  # what numpy counts for NaT
_HEAP_TYPE = 1 << 9  # CPython's Py_TPFLAGS_HEAPTYPE: a class that was made by code, not in C
_FAULTS = (AttributeError, KeyError, TypeError, IndexError, ValueError)
_MOMENTS = re.compile(r"(?:datetime|timedelta)64\[\w+\]\Z")
_DTYPE = re.compile(
    r"(?:bool|object|str|bytes|(?:u?int|float|complex)\d+|(?:datetime64|timedelta64|[<>][a-zA-Z]\d+)(?:\[\d*\w+\])?)\Z"
)
_flags_of = type.__dict__["__flags__"].__get__


def third_party(e: Any, x: Any, mro: Any, depth: int) -> Any:
    """`x` where it is one of numpy's or pandas' values, None for anything else; `e` is the encoder of `encode.py`."""
    base = _numpy_base(mro)
    if base is not None:
        if any(name_of(cls) == "MaskedArray" for cls in mro):
            return opaque(x, "an array with a mask")
        flat = x if name_of(base) == "ndarray" else base.reshape(x, -1)  # a scalar by way of an array of that one item
        if not _is_told(flat, base):
            return opaque(x, "of a dtype that can't be told")
        if flat is x:
            return _array(e, x, base, depth)
        return {"$": "numpy", "dtype": _dtype_name(flat.dtype), "v": _items(e, flat, depth)[0]}
    for cls in mro:
        if name_of(cls) in _TELLERS and qualified_name(cls).startswith("pandas."):
            wire: Any = _TELLERS[name_of(cls)](e, x, depth)
            return wire or opaque(x, f"a {name_of(cls)} of a kind that can't be told")
    return None


def _numpy_base(mro: Any) -> Any:
    """The `ndarray` or `generic` of numpy's own, which is written in C, among the bases of a class, or None."""
    for cls in mro:
        if name_of(cls) in ("ndarray", "generic") and qualified_name(cls).startswith("numpy."):
            return None if _flags_of(cls) & _HEAP_TYPE else cls
    return None


def _is_told(x: Any, base: Any) -> bool:
    """Whether an array is of a dtype whose items Python has too: no record, and no float longer than Python's."""
    dtype = members_of(base)["dtype"].__get__(x) if name_of(base) == "ndarray" else x.dtype
    return dtype.kind in "biufcSUmMO" and dtype.char not in "gG"


def _array(e: Any, x: Any, base: Any, depth: int) -> Any:
    """An array; `base` is `numpy.ndarray`."""
    size, shape, dtype = (members_of(base)[name].__get__(x) for name in ("size", "shape", "dtype"))
    e.open(x, size + len(shape))
    items = _items(e, base.reshape(base.view(x, base), -1), depth)
    return {"$": "ndarray", "dtype": _dtype_name(dtype), "shape": list(shape), "items": items}


def _items(e: Any, flat: Any, depth: int) -> list[Any]:
    """The encoded items of an array of one dimension, of the exact class."""
    if flat.dtype.kind not in "mM":
        return list(e.all(flat.tolist(), depth))
    e.nodes -= flat.size
    counts = flat.view(f"{flat.dtype.str[0]}i8").tolist()
    return [None if count == _NAT_COUNT else count for count in counts]


def _dtype_name(dtype: Any) -> str:
    """A dtype in words: `int64`, `>i4` where its bytes are swapped; of texts and bytes without their width."""
    if dtype.kind in "US":
        return "str" if dtype.kind == "U" else "bytes"
    return str(dtype.name if dtype.isnative else dtype.str)


def _series(e: Any, x: Any, depth: int) -> Any:
    held = instance_dict(x)
    try:
        index, values, name = held["_mgr"].axes[0], _plain(held["_mgr"].internal_values()), held["_name"]
    except _FAULTS:
        return None
    if values is None or _labels(index) is None:
        return None
    e.open(x, len(values))
    wire = {"$": "series", "name": e.encode(name, depth), "index": e.encode(index, depth)}
    return {**wire, "values": _column(e, values, depth)}


def _frame(e: Any, x: Any, depth: int) -> Any:
    try:
        manager = instance_dict(x)["_mgr"]
        (columns, index), (count, rows) = manager.axes, manager.shape
        values = [_plain(manager.iget_values(place)) for place in range(count)]
    except _FAULTS:
        return None
    if any(array is None for array in values) or _labels(columns) is None or _labels(index) is None:
        return None
    e.open(x, count * (rows + 1))
    wire = {"$": "frame", "columns": e.encode(columns, depth), "index": e.encode(index, depth)}
    return {**wire, "values": [_column(e, array, depth) for array in values]}


def _index(e: Any, x: Any, depth: int) -> Any:
    labels = _labels(x)
    if labels is None:
        return None
    e.open(x, len(labels))
    wire = {"$": "index", "name": e.encode(instance_dict(x).get("_name"), depth)}
    if type(labels) is range:
        e.nodes -= len(labels)
        return {**wire, "values": LEAVES[range](labels, e.spend)}
    return {**wire, "values": _column(e, labels, depth)}


def _labels(index: Any) -> Any:
    """What an index's labels are kept in: a range or an array; None where it has several levels or is not plain."""
    held = instance_dict(index)
    return held["_range"] if type(held.get("_range")) is range else _plain(held.get("_data"))


def _plain(x: Any) -> Any:
    """An array of numpy's, the one inside pandas' array of moments, or pandas' texts; None for anything else."""
    base = _numpy_base(mro_of(type(x)))
    if base is not None:
        return x if _is_told(x, base) else None
    dtype = str(x.dtype) if qualified_name(type(x)).startswith("pandas.") else ""
    return object.__getattribute__(x, "_ndarray") if _MOMENTS.match(dtype) else x if dtype == "str" else None


def _column(e: Any, array: Any, depth: int) -> Any:
    """What `_plain` found, as an array; pandas' texts have None or NaN among them."""
    base = _numpy_base(mro_of(type(array)))
    if base is not None:
        return _array(e, array, base, depth)
    e.open(array, len(array))
    items = e.all(array.astype(object).tolist(), depth)
    return {"$": "ndarray", "dtype": "str", "shape": [len(array)], "items": items}


def _stamp(e: Any, x: Any, depth: int) -> Any:
    """A Timestamp or Timedelta as a datetime or timedelta, where there is one of that moment in that zone."""
    mro = mro_of(type(x))
    scalar = _own(x, mro, "asm8")
    kind = "Timestamp" if scalar.dtype.kind == "M" else "Timedelta"
    in_microseconds = scalar.astype(f"{scalar.dtype.kind}8[us]")
    moment = in_microseconds.item()
    if in_microseconds != scalar or type(moment) is int:
        return None
    zone = _own(x, mro, "tzinfo") if kind == "Timestamp" else None
    if zone is not None:
        zone = zone_of(getattr(zone, "zone", None)) if qualified_name(type(zone)).startswith("pytz.") else zone
        if type(zone) not in LEAVES:
            return None
        moment = zone.fromutc(moment.replace(tzinfo=zone))
    e.open(x)
    return {"$": "sub", "class": f"pandas.{kind}", "base": LEAVES[type(moment)](moment, e.spend)}


def _own(x: Any, mro: Any, name: str) -> Any:
    """The attribute `name` as the first class to define it has it, whatever a subclass puts in its place."""
    owner = next(cls for cls in reversed(mro) if name in members_of(cls))
    return members_of(owner)[name].__get__(x)


_TELLERS: dict[str, Callable[[Any, Any, int], Any]] = {
    "Series": _series,
    "DataFrame": _frame,
    "Index": _index,
    "Timestamp": _stamp,
    "Timedelta": _stamp,
    "NaTType": lambda e, x, depth: {"$": "nat"},
}


def made_stamp(name: str, moment: Any) -> Any:
    """The Timestamp or Timedelta of a datetime or timedelta; `name` is one of STAMPS."""
    return _made(name, lambda: getattr(_package("pandas"), name.rpartition(".")[2])(moment))


def _made_array(b: Any, wire: dict[str, Any], depth: int) -> Any:
    np, number = _package("numpy"), b.reserve()
    shape, items, dtype = list_of(wire, "shape"), b.all(list_of(wire, "items"), depth), text_of(wire, "dtype")
    if not all(type(size) is int and 0 <= size < 2**62 for size in shape) or len(items) != math.prod(shape):
        raise Unreadable("an array whose items don't fit its shape")
    return b.keep(number, _made("ndarray", lambda: _filled(np, items, dtype).reshape(shape)))


def _filled(np: Any, items: list[Any], dtype: str) -> Any:
    """A flat array of the items."""
    if not _DTYPE.match(dtype):
        raise Unreadable(f"an array of the dtype {dtype[:60]}")
    kind = np.dtype({"str": "U", "bytes": "S"}.get(dtype, dtype))
    if kind.kind in "mM":
        counts = [_NAT_COUNT if item is None else item for item in items]
        return np.array(counts, dtype="int64").astype(f"{kind.str[0]}i8").view(kind)
    if dtype != "object" and not (dtype == "str" and any(type(item) is not str for item in items)):
        return np.array(items, dtype=kind)
    array = np.empty(len(items), dtype=object)
    for place, item in enumerate(items):
        array[place] = item
    return array


def _made_index(b: Any, wire: dict[str, Any], depth: int) -> Any:
    pd, number = _package("pandas"), b.reserve()
    name, labels = b.build(wire.get("name"), depth), wire.get("values")
    if type(labels) is dict and labels.get("$") == "range":
        return b.keep(number, _made("index", lambda: pd.RangeIndex(read_leaf(labels), name=name)))
    values = b.build(labels, depth)
    return b.keep(number, _made("index", lambda: pd.Index(values, name=name, dtype=_dtype(labels, values))))


def _made_series(b: Any, wire: dict[str, Any], depth: int) -> Any:
    pd, number = _package("pandas"), b.reserve()
    name, index, values = b.all([wire.get("name"), wire.get("index"), wire.get("values")], depth)
    series = _made("series", lambda: pd.Series(values, index=index, name=name, dtype=_dtype(wire["values"], values)))
    return b.keep(number, series)


def _made_frame(b: Any, wire: dict[str, Any], depth: int) -> Any:
    pd, number = _package("pandas"), b.reserve()
    columns, index = b.all([wire.get("columns"), wire.get("index")], depth)
    wires = list_of(wire, "values")
    arrays = b.all(wires, depth)

    def make() -> Any:
        pairs = zip(wires, arrays)  # noqa: B905 - Python 3.9 has no such option
        series = [pd.Series(array, index=index, dtype=_dtype(one, array)) for one, array in pairs]
        frame = pd.DataFrame(dict(enumerate(series)), index=index)
        frame.columns = columns
        return frame

    return b.keep(number, _made("frame", make))


def _dtype(wire: Any, array: Any) -> Any:
    """The dtype of a column or of labels: texts are pandas' own, all else numpy's."""
    return "str" if wire.get("dtype") == "str" else array.dtype


def _made_scalar(b: Any, wire: dict[str, Any], depth: int) -> Any:
    np, dtype, value = _package("numpy"), text_of(wire, "dtype"), b.build(wire.get("v"), depth)
    return _made("numpy", lambda: _filled(np, [value], dtype)[0])


def _package(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Unreadable(f"{name} can't be imported here") from None


def _made(tag: str, make: Callable[[], Any]) -> Any:
    """What `make` makes; Unreadable where numpy or pandas refuses."""
    try:
        return make()
    except Unreadable:
        raise
    except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, ImportError, NotImplementedError) as e:
        raise Unreadable(f"a {tag} that can't be made: {type(e).__name__}") from None


MAKERS: dict[str, Callable[[Any, dict[str, Any], int], Any]] = {
    "ndarray": _made_array,
    "index": _made_index,
    "series": _made_series,
    "frame": _made_frame,
    "numpy": _made_scalar,
    "nat": lambda b, wire, depth: _package("pandas").NaT,
}
