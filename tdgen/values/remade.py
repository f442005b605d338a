"""The way back from `arrays.py` and `frames.py`: numpy's and pandas' values, where the two can be imported.

Shipped into the sandbox beside `rebuild.py`: standard library only, Python 3.9 and later, and the two imported only
where the wire tells of them. The wire is hostile data: a dtype is one of a few forms, and whatever numpy or pandas
refuse to make is Unreadable. Flags and attributes of pandas' tables are not told, and so not made again.
"""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Callable
from typing import Any

from .readers import Unreadable, list_of, read_leaf, text_of

MAX_RANGE = 10_000_000
_NAT_COUNT = -(2**63)
_NUMBER = re.compile(r"(?:bool|object|StringDType|str|bytes|void\d+|(?:u?int|float|complex)\d+|[<>][a-zA-Z]\d+)\Z")
_COUNTED = re.compile(r"(?:datetime64|timedelta64|[<>][mM]8)(?:\[\d*\w+\])?\Z")
_ZONED = re.compile(r"datetime64\[(\w+), (.+)\]\Z")


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


def _ndarray(b: Any, wire: dict[str, Any], depth: int) -> Any:
    np, number = _package("numpy"), b.reserve()
    shape = list_of(wire, "shape")
    if not all(type(size) is int and 0 <= size < 2**62 for size in shape):
        raise Unreadable("an array of no readable shape")
    if "fields" in wire:
        return b.keep(number, _made("ndarray", lambda: _structured(np, b, wire, shape, depth)))
    items = _items(b, wire, depth)
    if len(items) != math.prod(shape):
        raise Unreadable("an array whose items don't fit its shape")
    dtype = text_of(wire, "dtype")
    return b.keep(number, _made("ndarray", lambda: _filled(np, items, dtype).reshape(shape)))


def _items(b: Any, wire: dict[str, Any], depth: int) -> list[Any]:
    told = wire.get("items")
    if type(told) is dict and told.get("$") == "range":
        labels = read_leaf(told)
        if not labels or (labels[-1] - labels[0]) // labels.step < MAX_RANGE:
            return list(labels)
        raise Unreadable("a range too long to make")
    return list(b.all(list_of(wire, "items"), depth))


def _structured(np: Any, b: Any, wire: dict[str, Any], shape: list[int], depth: int) -> Any:
    pairs = list_of(wire, "fields")
    fields = [(pair[0], b.build(pair[1], depth)) for pair in pairs]
    made = np.empty(math.prod(shape), dtype=[(name, field.dtype, field.shape[1:]) for name, field in fields])
    for name, field in fields:
        made[name] = field
    return made.reshape(shape)


def _filled(np: Any, items: list[Any], dtype: str) -> Any:
    """A flat array of the items; masked where one of them is."""
    masked = np.ma.masked
    if any(item is masked for item in items):
        rest = [item for item in items if item is not masked]
        filler = _filled(np, rest, dtype)[:1].tolist() if rest and not _COUNTED.match(dtype) else [0]
        data = _filled(np, [filler[0] if item is masked else item for item in items], dtype)
        return np.ma.array(data, mask=[item is masked for item in items])
    if _COUNTED.match(dtype):
        return _counted(np, items, dtype)
    if not _NUMBER.match(dtype):
        raise Unreadable(f"an array of the dtype {dtype[:60]}")
    if dtype == "object":
        made = np.empty(len(items), dtype=object)
        for place, item in enumerate(items):
            made[place] = item
        return made
    if dtype == "StringDType":
        return np.array(items, dtype=np.dtypes.StringDType(na_object=None))
    width = f"V{len(items[0])}" if dtype.startswith("void") and items else dtype
    return np.array(items, dtype={"str": "U", "bytes": "S"}.get(dtype, width))


def _counted(np: Any, items: list[Any], dtype: str) -> Any:
    """An array of moments or spans from what they count."""
    kind = np.dtype(dtype)
    counts = [item if type(item) is int else _NAT_COUNT for item in items]
    return np.array(counts, dtype="int64").astype(f"{kind.str[0]}i8").view(kind)


def _extension(b: Any, wire: dict[str, Any], depth: int) -> Any:
    pd, number = _package("pandas"), b.reserve()
    dtype = text_of(wire, "dtype")
    categories = b.build(wire["categories"], depth) if "categories" in wire else None
    items = b.all(list_of(wire, "items"), depth)
    return b.keep(number, _made("array", lambda: _of_pandas(pd, items, dtype, categories, wire.get("ordered") is True)))


def _of_pandas(pd: Any, items: list[Any], dtype: str, categories: Any, ordered: Any) -> Any:
    if categories is not None:
        return pd.Categorical(items, categories=categories, ordered=ordered)
    zoned = _ZONED.match(dtype)
    if not zoned:
        return pd.array(items, dtype=dtype)
    naive = pd.DatetimeIndex(_counted(_package("numpy"), items, f"datetime64[{zoned[1]}]"))
    return naive.tz_localize("UTC").tz_convert(zoned[2]).array


def _index(b: Any, wire: dict[str, Any], depth: int) -> Any:
    pd, number = _package("pandas"), b.reserve()
    names = b.all(list_of(wire, "names"), depth)
    levels = list_of(wire, "levels", len(names))
    if wire.get("multi") is True:
        arrays = b.all(levels, depth)
        return b.keep(number, _made("index", lambda: pd.MultiIndex.from_arrays(arrays, names=names)))
    told = levels[0].get("items") if len(levels) == 1 and type(levels[0]) is dict else None
    if type(told) is dict and told.get("$") == "range":
        b.reserve()
        labels = read_leaf(told)
        return b.keep(number, _made("index", lambda: pd.RangeIndex(labels, name=names[0])))
    arrays = b.all(levels, depth)
    return b.keep(number, _made("index", lambda: _of_one_level(pd, arrays[0], names[0], wire.get("freq"))))


def _of_one_level(pd: Any, array: Any, name: Any, freq: Any) -> Any:
    made = pd.Index(array, name=name, dtype=array.dtype)
    if type(freq) is str:
        made.freq = freq
    return made


def _series(b: Any, wire: dict[str, Any], depth: int) -> Any:
    pd, number = _package("pandas"), b.reserve()
    name, index, values = b.all([wire.get("name"), wire.get("index"), wire.get("values")], depth)
    return b.keep(number, _made("series", lambda: pd.Series(values, index=index, name=name, dtype=values.dtype)))


def _frame(b: Any, wire: dict[str, Any], depth: int) -> Any:
    pd, number = _package("pandas"), b.reserve()
    columns, index = b.all([wire.get("columns"), wire.get("index")], depth)
    arrays = b.all(list_of(wire, "values"), depth)

    def make() -> Any:
        series = [pd.Series(array, index=index, dtype=array.dtype) for array in arrays]
        made = pd.DataFrame(dict(enumerate(series)), index=index)
        made.columns = columns
        return made

    return b.keep(number, _made("frame", make))


def _scalar(b: Any, wire: dict[str, Any], depth: int) -> Any:
    np, dtype = _package("numpy"), text_of(wire, "dtype")
    value = b.build(wire.get("v"), depth)
    if dtype.startswith("["):
        return _made("numpy", lambda: value.reshape(-1)[0])
    return _made("numpy", lambda: _filled(np, [value], dtype)[0])


def _missing(b: Any, wire: dict[str, Any], depth: int) -> Any:
    name = text_of(wire, "v")
    if name == "masked":
        return _package("numpy").ma.masked
    if name not in ("NaT", "NA"):
        raise Unreadable("something of no known kind is missing")
    return getattr(_package("pandas"), name)


def _stamp(b: Any, wire: dict[str, Any], depth: int) -> Any:
    pd, kind = _package("pandas"), text_of(wire, "class")
    parts = b.all(list_of(wire, "parts"), depth)

    def make() -> Any:
        if kind == "Timestamp":
            naive = pd.Timestamp(parts[0])
            return naive if parts[1] is None else naive.tz_localize("UTC").tz_convert(parts[1])
        if kind == "Timedelta":
            return pd.Timedelta(parts[0])
        if kind == "Period":
            return pd.Period(ordinal=parts[0], freq=parts[1])
        return pd.Interval(parts[0], parts[1], closed=parts[2])

    if kind not in ("Timestamp", "Timedelta", "Period", "Interval"):
        raise Unreadable("a moment of no readable form")
    return _made("moment", make)


MAKERS: dict[str, Callable[[Any, dict[str, Any], int], Any]] = {
    "ndarray": _ndarray,
    "array": _extension,
    "index": _index,
    "series": _series,
    "frame": _frame,
    "numpy": _scalar,
    "missing": _missing,
    "pandas": _stamp,
}
