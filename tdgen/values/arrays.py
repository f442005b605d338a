"""numpy's values as tagged plain JSON data: arrays, masked arrays and scalars, each with its dtype.

Shipped into the sandbox beside `wire.py`, under the same rules: standard library only, Python 3.9 and later. numpy is
never imported: what a value is shows in its class's bases, of which only those count that are written in C, and what
it holds is read by their own methods. A subclass is told by the array that it is, and none of its methods is called.

An array is `{"$": "ndarray", "dtype", "shape", "items"}`, its items in C order (a structured one has `fields`, an
array for each, instead); a scalar is `{"$": "numpy", "dtype", "v"}`; what isn't there is `{"$": "missing", "v"}`. Items
of datetime64 and timedelta64 are ints that count their unit.
"""

from __future__ import annotations

from typing import Any

from .facts import instance_dict, members_of, mro_of, name_of, qualified_name
from .leaves import opaque

MASKED = {"$": "missing", "v": "masked"}
NAT = {"$": "missing", "v": "NaT"}
_NAT_COUNT = -(2**63)
_HEAP_TYPE = 1 << 9
_TOLD = frozenset("biufcSUTVOmM")
_flags_of = type.__dict__["__flags__"].__get__


def numpy_base(mro: Any) -> Any:
    """The `ndarray` or `generic` of numpy's own among the bases of a class, or None."""
    for cls in mro:
        if name_of(cls) in ("ndarray", "generic") and qualified_name(cls).startswith("numpy."):
            return None if _flags_of(cls) & _HEAP_TYPE else cls
    return None


def tell_numpy(e: Any, x: Any, base: Any, depth: int) -> Any:
    """`x`, whose class is or inherits `base`, one of numpy's two; `e` is the encoder of `wire.py`."""
    return tell_array(e, x, base, depth) if name_of(base) == "ndarray" else _scalar(e, x, base, depth)


def tell_array(e: Any, x: Any, base: Any, depth: int) -> Any:
    """An array; `base` is `numpy.ndarray`."""
    members = members_of(base)
    size, shape, dtype = (members[name].__get__(x) for name in ("size", "shape", "dtype"))
    if dtype.kind not in _TOLD:
        return opaque(x, "an array of a dtype that can't be told")
    e.open(x, size + len(shape))
    wire: dict[str, Any] = {"$": "ndarray", "dtype": dtype_name(dtype), "shape": list(shape)}
    flat: Any = base.reshape(base.view(x, base), -1)
    if dtype.names is not None:
        wire["fields"] = [[name, tell_array(e, flat[name], base, depth + 1)] for name in dtype.names]
        return wire
    wire["items"] = _items(e, flat, depth)
    mask: Any = instance_dict(x).get("_mask")
    if (
        type(mask) is base
        and any(name_of(cls) == "MaskedArray" for cls in mro_of(type(x)))
        and members["size"].__get__(mask) == size
    ):
        hidden = base.reshape(mask, -1).tolist()
        wire["items"] = [MASKED if is_hidden is True else v for v, is_hidden in zip(wire["items"], hidden)]  # noqa: B905
    return wire


def counted(flat: Any) -> list[Any]:
    """Items of datetime64 or timedelta64, as ints that count their unit, or NaT."""
    order = flat.dtype.str[0]
    return [NAT if count == _NAT_COUNT else count for count in flat.view(f"{order}i8").tolist()]


def dtype_name(dtype: Any) -> str:
    """A dtype in words: `int64`, `>i4` where its bytes are swapped; of texts and bytes without their width."""
    if dtype.names is not None:
        return "[" + ", ".join(f"({name!r}, {dtype_name(dtype.fields[name][0].base)!r})" for name in dtype.names) + "]"
    if dtype.kind in "UST":
        return {"U": "str", "S": "bytes", "T": "StringDType"}[dtype.kind]
    return str(dtype.name if dtype.isnative else dtype.str)


def _items(e: Any, flat: Any, depth: int) -> list[Any]:
    """The encoded items of an array of one dimension, of the exact class."""
    dtype = flat.dtype
    if dtype.kind in "mM":
        e.nodes -= flat.size
        return counted(flat)
    if dtype.kind in "fc" and dtype.itemsize > (8 if dtype.kind == "f" else 16):
        flat = flat.astype("float64" if dtype.kind == "f" else "complex128")  # Python has no longer floats
    return list(e.all(flat.tolist(), depth))


def _scalar(e: Any, x: Any, base: Any, depth: int) -> Any:
    """A scalar, by way of an array of that one item."""
    flat = base.reshape(x, -1)
    dtype = flat.dtype
    if dtype.kind not in _TOLD:
        return opaque(x)
    value = e.encode(flat, depth) if dtype.names is not None else _items(e, flat, depth)[0]
    return {"$": "numpy", "dtype": dtype_name(dtype), "v": value}
