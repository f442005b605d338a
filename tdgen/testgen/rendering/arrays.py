"""Expected values that are plainly numpy's arrays or pandas' tables, and the assertion of theirs that compares them.

Only what a source shows for sure counts: `np.array([0.5, 1.0])`, `np.zeros(3)`, `pd.DataFrame({"x": [1]})`. All else
that may be an array is left to the helper, which looks at the value when the test runs.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, NamedTuple

from tdgen.values.names import PACKAGES

Leaves = frozenset[Any]
_LeavesOf = Callable[[ast.expr], Leaves]

_FLOATS = frozenset({"zeros", "ones", "eye", "identity", "linspace", "logspace", "geomspace"})
_FLOAT_FUNCTIONS = frozenset({"sqrt", "exp", "log", "log2", "log10", "sin", "cos", "tan"})
_FLOAT_TYPES = frozenset({"float", "float64", "np.float64", "np.double"})
_INTS = frozenset(f"{sign}int{bits}" for bits in (8, 16, 32, 64) for sign in ("", "u"))
_EXACT_TYPES = frozenset({"int", "bool", "np.bool_"}) | _INTS | {f"np.{name}" for name in _INTS}
_NUMBERS = frozenset({"int", "unit", "float", "nan"})
_SCALARS = _INTS | {"float64", "float32", "float16", "bool_", "str_", "complex128", "datetime64", "timedelta64"}
_SAME_KIND = frozenset({"copy", "reshape", "T", "transpose", "ravel", "flatten"})
_SAME_TABLE = frozenset({"copy", "set_index", "reset_index", "rename", "rename_axis", "astype"})
_TABLES = {
    "Series": "series",
    **dict.fromkeys(("DataFrame", "DataFrame.from_records", "DataFrame.from_dict"), "frame"),
    **dict.fromkeys(("Index", "RangeIndex", "DatetimeIndex", "CategoricalIndex", "date_range"), "index"),
    **dict.fromkeys(("MultiIndex.from_tuples", "MultiIndex.from_arrays", "MultiIndex.from_product"), "index"),
}
_WITHOUT_FREQUENCY = frozenset({"DataFrame", "Series", "Index", "RangeIndex", "array", "float"})


class Compared(NamedTuple):
    """What is compared: `array`, `frame`, `series` or `index`; whether within a tolerance, and whether dates may be in.

    With dates in an index comes a frequency, which the judge does not look at.
    """

    kind: str
    close: bool
    dated: bool = False


def compared(tree: ast.expr, leaves_of: _LeavesOf) -> Compared | None:
    """How the value of `tree` is compared, where it is plainly an array of numbers or a table; None elsewhere."""
    return _array(tree, leaves_of) or _table(tree, leaves_of)


def is_theirs(tree: ast.Call, leaves_of: _LeavesOf) -> bool:
    """Whether it makes one of numpy's or pandas' values, with nothing inside but numbers, texts and bools."""
    if compared(tree, leaves_of) is not None:
        return True
    package, _, maker = dotted(tree.func).partition(".")
    if package == "np" and maker in ("array", "asarray") and tree.args:
        return "unknown" not in _inside(tree.args[0], leaves_of, texts=True)
    return package == "np" and maker in _SCALARS


def is_moment(tree: ast.Call) -> bool:
    """Whether it is a Timestamp or Timedelta that is written out, and so not NaT."""
    is_stamp = dotted(tree.func) in ("pd.Timestamp", "pd.Timedelta") and len(tree.args) == 1
    text = tree.args[0].value if is_stamp and isinstance(tree.args[0], ast.Constant) else ""
    return isinstance(text, str) and any(character.isdigit() for character in text)


def dotted(tree: ast.expr) -> str:
    """`np.array` for a name with dots, numpy and pandas by their short names; empty for anything else."""
    if isinstance(tree, ast.Name):
        return {"numpy": "np", "pandas": "pd"}.get(tree.id, tree.id)
    inner = dotted(tree.value) if isinstance(tree, ast.Attribute) else ""
    return f"{inner}.{tree.attr}" if inner and isinstance(tree, ast.Attribute) else ""


def packages_in(names: frozenset[str]) -> frozenset[str]:
    """Which of numpy and pandas are among names."""
    return frozenset(PACKAGES[name] for name in names & PACKAGES.keys())


def _array(tree: ast.expr, leaves_of: _LeavesOf) -> Compared | None:
    if isinstance(tree, ast.Attribute) and tree.attr in _SAME_KIND:
        return _array(tree.value, leaves_of)
    if not isinstance(tree, ast.Call):
        return None
    if isinstance(tree.func, ast.Attribute) and tree.func.attr in _SAME_KIND:
        return _array(tree.func.value, leaves_of)
    package, _, maker = dotted(tree.func).partition(".")
    if package != "np" or not tree.args:
        return None
    dtypes = [keyword.value for keyword in tree.keywords if keyword.arg == "dtype"]
    if dtypes:
        return _of_dtype(dtypes[0]) if maker in _FLOATS | {"array", "asarray", "arange", "full"} else None
    if maker in _FLOATS:
        return Compared("array", close=True) if len(tree.args) == 1 or maker.endswith("space") else None
    inside = [_inside(argument, leaves_of) for argument in tree.args]
    if maker in ("array", "asarray") and len(inside) == 1 and isinstance(tree.args[0], ast.List | ast.Tuple):
        return _of_leaves(inside[0])
    if maker == "arange" and len(inside) <= 3:
        return _of_leaves(frozenset().union(*inside))
    return _of_leaves(inside[1]) if maker == "full" and len(inside) == 2 else None


def _inside(tree: ast.expr, leaves_of: _LeavesOf, *, texts: bool = False) -> Leaves:
    """The numbers and bools in nested lists, computed ones too; texts, unless they are wanted, are `unknown`."""
    if isinstance(tree, ast.List | ast.Tuple):
        return frozenset[Any]().union(*(_inside(item, leaves_of, texts=texts) for item in tree.elts))
    if isinstance(tree, ast.BinOp):
        leaves = _inside(tree.left, leaves_of) | _inside(tree.right, leaves_of)
        return leaves | {"float"} if isinstance(tree.op, ast.Div) and leaves <= _NUMBERS else leaves
    if isinstance(tree, ast.Call) and dotted(tree.func).rpartition(".")[2] in _FLOAT_FUNCTIONS:
        return frozenset({"float"})
    leaves = leaves_of(tree)
    return leaves if leaves or (texts and isinstance(tree, ast.Constant)) else frozenset({"unknown"})


def _of_leaves(leaves: Leaves) -> Compared | None:
    """By what is inside: nothing, of which numpy makes floats, or numbers, or bools alone."""
    if leaves <= _NUMBERS:
        is_float = not leaves or bool(leaves & {"float", "nan"})
        return Compared("array", close=is_float) if leaves != {"unit"} else None
    return Compared("array", close=False) if leaves == {"bool"} else None


def _of_dtype(tree: ast.expr) -> Compared | None:
    name = tree.value if isinstance(tree, ast.Constant) else dotted(tree)
    if name in _FLOAT_TYPES:
        return Compared("array", close=True)
    return Compared("array", close=False) if name in _EXACT_TYPES else None


def _table(tree: ast.expr, leaves_of: _LeavesOf) -> Compared | None:
    if not isinstance(tree, ast.Call):
        return None
    if isinstance(tree.func, ast.Attribute) and tree.func.attr in _SAME_TABLE:
        inner = _table(tree.func.value, leaves_of)
        return inner and inner._replace(close=True, kind=inner.kind if inner.kind == "frame" else "")
    package, _, maker = dotted(tree.func).partition(".")
    if package != "pd" or maker not in _TABLES:
        return None
    given = [*tree.args, *(keyword.value for keyword in tree.keywords)]
    is_typed = any(keyword.arg not in ("index", "columns", "name", "names", "data") for keyword in tree.keywords)
    leaves = frozenset[Any]().union(*(leaves_of(argument) for argument in given))
    has_gaps = any(isinstance(node, ast.Constant) and node.value is None for node in ast.walk(tree))
    is_exact = not is_typed and not has_gaps and leaves <= {"int", "unit", "bool", "keyed"}
    return Compared(_TABLES[maker], close=not is_exact, dated=_dated(tree))


def _dated(tree: ast.expr) -> bool:
    """Whether something is made in it that may be dates."""
    calls = [dotted(node.func).rpartition(".")[2] for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id not in PACKAGES]
    return not _WITHOUT_FREQUENCY.issuperset([*calls, *names])
