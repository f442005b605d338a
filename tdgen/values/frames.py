"""pandas' values as tagged plain JSON data: Series, DataFrame, Index, its arrays, Timestamp and their like.

Shipped into the sandbox beside `wire.py`, under the same rules; pandas is never imported. Its classes are Python's, so
a subclass could lie through any method: what a Series or a DataFrame holds is read from where pandas keeps it, never
asked of the value, and told by pandas' own arrays. What can't be found there is refused.

`{"$": "series", "name", "index", "values"}`, `{"$": "frame", "columns", "index", "values"}` with an array for each
column, `{"$": "index", "names", "levels", "multi"}` with an array for each level (and `freq`, for `remade.py` alone),
`{"$": "array", "dtype", "items"}` for arrays that numpy has not (a category's with `categories` and `ordered`), and
`{"$": "pandas", "class", "parts"}` for Timestamp, Timedelta, Period and Interval.
"""

from __future__ import annotations

from typing import Any

from .arrays import counted, dtype_name, numpy_base, tell_array, tell_numpy
from .facts import instance_dict, members_of, mro_of, name_of, qualified_name
from .leaves import LEAVES, opaque

_ZONES = frozenset({"timezone", "ZoneInfo"})
_FAULTS = (AttributeError, KeyError, TypeError, IndexError, ValueError)


def pandas_base(mro: Any) -> str:
    """The name of the first of pandas' own classes in `mro` that can be told; empty where there is none."""
    for cls in mro:
        if name_of(cls) in _TELLERS and qualified_name(cls).startswith("pandas."):
            return str(name_of(cls))
    return ""


def third_party(e: Any, x: Any, mro: Any, depth: int) -> Any:
    """`x` where it is one of numpy's or pandas' values, None for anything else; `e` is the encoder of `wire.py`."""
    base = numpy_base(mro)
    if base is not None:
        return tell_numpy(e, x, base, depth)
    name = pandas_base(mro)
    return _TELLERS[name](e, x, depth) if name else None


def _series(e: Any, x: Any, depth: int) -> Any:
    held = instance_dict(x)
    try:
        rows, index, values, name = held["_mgr"].shape[0], *_axes(held), held["_mgr"].internal_values(), held["_name"]
    except _FAULTS:
        return e.refuse("a Series of a pandas that isn't known")
    e.open(x, rows)
    wire = {"$": "series", "name": e.encode(name, depth), "index": e.encode(index, depth)}
    return {**wire, "values": _array(e, values, depth)}


def _frame(e: Any, x: Any, depth: int) -> Any:
    held = instance_dict(x)
    try:
        manager, (columns, index) = held["_mgr"], _axes(held)
        count, rows = manager.shape
        e.open(x, count * (rows + 1))
        values = [manager.iget_values(place) for place in range(count)]
    except _FAULTS:
        return e.refuse("a DataFrame of a pandas that isn't known")
    wire = {"$": "frame", "columns": e.encode(columns, depth), "index": e.encode(index, depth)}
    return {**wire, "values": [_array(e, array, depth) for array in values]}


def _index(e: Any, x: Any, depth: int) -> Any:
    held = instance_dict(x)
    try:
        values, name = held["_range"] if "_range" in held else held["_data"], held["_name"]
    except _FAULTS:
        return e.refuse("an Index of a pandas that isn't known")
    e.open(x)
    wire: dict[str, Any] = {"$": "index", "multi": False, "names": [e.encode(name, depth)]}
    freq = getattr(held.get("_freq", getattr(values, "_freq", None)), "freqstr", None)
    if type(freq) is str:
        wire["freq"] = freq
    return {**wire, "levels": [_range(e, values) if type(values) is range else _array(e, values, depth)]}


def _range(e: Any, values: range) -> Any:
    """The labels 0, 1, 2 and so on: in few words, as nearly every table has them."""
    e.open(values, len(values))
    return {"$": "ndarray", "dtype": "int64", "shape": [len(values)], "items": LEAVES[range](values, e.spend)}


def _multi_index(e: Any, x: Any, depth: int) -> Any:
    base: Any = next(cls for cls in mro_of(type(x)) if name_of(cls) == "MultiIndex")
    held = instance_dict(x)
    try:
        names, codes = list(held["_names"]), held["_codes"]
        e.open(x, len(codes) * len(codes[0]))
        levels = [base.get_level_values(x, place) for place in range(len(codes))]
        arrays = [instance_dict(level)["_data"] for level in levels]
    except _FAULTS:
        return e.refuse("a MultiIndex of a pandas that isn't known")
    wire = {"$": "index", "multi": True, "names": e.all(names, depth)}
    return {**wire, "levels": [_array(e, array, depth) for array in arrays]}


def _array(e: Any, x: Any, depth: int) -> Any:
    """What a table's values are kept in: numpy's array, or one of pandas' own."""
    mro = mro_of(type(x))
    base = numpy_base(mro)
    if base is not None:
        return tell_array(e, x, base, depth)
    if pandas_base(mro) != "ExtensionArray" or not qualified_name(type(x)).startswith("pandas."):
        return e.refuse(f"an array of the class {qualified_name(type(x))}")
    held = _numpy_inside(x)
    if held is not None and getattr(x.dtype, "tz", None) is None:
        return tell_array(e, held, numpy_base(mro_of(type(held))), depth)
    e.open(x, len(x))
    wire: dict[str, Any] = {"$": "array", "dtype": str(x.dtype)}
    if held is not None:
        e.nodes -= len(x)
        return {**wire, "items": counted(held)}
    if any(name_of(cls) == "Categorical" for cls in mro):
        wire.update(ordered=x.dtype.ordered is True, categories=e.encode(x.dtype.categories, depth))
    return {**wire, "items": e.all(x.astype(object).tolist(), depth)}


def _numpy_inside(x: Any) -> Any:
    """The array of numpy's, of dates or times, inside pandas' one, or None for pandas' other arrays."""
    of_time = any(name_of(cls) in ("DatetimeArray", "TimedeltaArray") for cls in mro_of(type(x)))
    return object.__getattribute__(x, "_ndarray") if of_time else None


def _stamp(e: Any, x: Any, depth: int) -> Any:
    """A Timestamp or Timedelta: its count as numpy's scalar, and its zone."""
    mro = mro_of(type(x))
    kind = pandas_base(mro)
    parts = [_count(_deepest(x, mro, "asm8"))]
    if kind == "Timestamp":
        zone = _deepest(x, mro, "tzinfo")
        told = _zone(e, zone)
        if told is None and zone is not None:
            return opaque(x, "a time in a zone of a class of its own")
        parts.append(told)
    return {"$": "pandas", "class": kind, "parts": parts}


def _count(scalar: Any) -> Any:
    flat = scalar.reshape(-1)
    return {"$": "numpy", "dtype": dtype_name(flat.dtype), "v": counted(flat)[0]}


def _zone(e: Any, zone: Any) -> Any:
    """A time zone: Python's, or one of pytz by its name; None for any other."""
    kind = type(zone)
    if kind in LEAVES and name_of(kind) in _ZONES:
        return LEAVES[kind](zone, e.spend)
    key = getattr(zone, "zone", None) if qualified_name(kind).startswith("pytz.") else None
    return {"$": "zone", "key": key} if type(key) is str else None


def _period(e: Any, x: Any, depth: int) -> Any:
    mro = mro_of(type(x))
    own: Any = next(cls for cls in mro if qualified_name(cls).startswith("pandas.") and "__str__" in members_of(cls))
    parts = [_deepest(x, mro, "ordinal"), _deepest(x, mro, "freqstr"), own.__str__(x)]
    return {"$": "pandas", "class": "Period", "parts": e.all(parts, depth)}


def _interval(e: Any, x: Any, depth: int) -> Any:
    mro = mro_of(type(x))
    parts = [_deepest(x, mro, name) for name in ("left", "right", "closed")]
    return {"$": "pandas", "class": "Interval", "parts": e.all(parts, depth)}


def _missing(e: Any, x: Any, depth: int) -> Any:
    return {"$": "missing", "v": pandas_base(mro_of(type(x)))[:-4]}


def _deepest(x: Any, mro: Any, name: str) -> Any:
    """The attribute `name` as the first class to define it has it, whatever a subclass puts in its place."""
    owner = next(cls for cls in reversed(mro) if name in members_of(cls))
    return members_of(owner)[name].__get__(x)


def _axes(held: dict[str, Any]) -> list[Any]:
    return list(held["_mgr"].axes)


_TELLERS = {
    "Series": _series,
    "DataFrame": _frame,
    "MultiIndex": _multi_index,
    "Index": _index,
    "ExtensionArray": _array,
    "Timestamp": _stamp,
    "Timedelta": _stamp,
    "Period": _period,
    "Interval": _interval,
    "NaTType": _missing,
    "NAType": _missing,
}
