"""How a rendered test compares: `==` where it accepts what the judge does, `pytest.approx`, else the file's own helper.

No comparison is stricter than the judge; it is looser where `==` is (True is 1).
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from tdgen.source.syntax import expression_or_none, literal
from tdgen.testgen.rendering.sources import expression, expression_text, last_name
from tdgen.types import Case, FunctionSpec, SharedType, Tolerance, Value
from tdgen.values.relation import Relation, relation_of_case

Form = Literal["is", "==", "approx", "same"]
_FORMS: tuple[Form, ...] = ("is", "==", "approx", "same")
_EXACT_CALLS = frozenset({"str", "bytes", "bytearray", "int", "bool", "len", "ord", "chr", "repr", "range"}).union(
    ("date", "datetime", "time", "timedelta", "timezone", "ZoneInfo", "Timestamp", "Timedelta", "Decimal", "Fraction"),
    ("Path", "PurePath", "PurePosixPath", "PureWindowsPath", "UUID", "ip_address", "IPv4Address", "IPv6Address"),
)
_EXACT_HOLDERS = frozenset({"list", "tuple", "sorted", "set", "frozenset", "dict", "Counter"})
_EXACT_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
_UNLISTED = (ast.Constant, ast.JoinedStr, ast.Set, ast.Dict, ast.SetComp, ast.DictComp)
_LARGEST_APPROXIMATE = 1e300
"""pytest.approx makes floats of numbers, which an int beyond all of them can't be."""


class Expected(NamedTuple):
    """An expected value and how it is compared by itself, the result put through `wrap` (`list` or `sorted`) first."""

    text: str
    tree: ast.expr
    tolerance: Tolerance
    form: Form
    wrap: str = ""
    any_order: bool = False


def read_expected(value: Value, case: Case, spec: FunctionSpec, types: Mapping[str, SharedType]) -> Expected:
    """What `case` expects its call to give."""
    return read_value(value, relation_of_case(case, spec), types)


def read_value(value: Value, relation: Relation, types: Mapping[str, SharedType]) -> Expected:
    """An expected value of one relation."""
    text, tree = expression_text(value.source), expression(value.source)
    found = Expected(text, tree, value.tolerance, _form_of(tree, types))
    if isinstance(tree, _UNLISTED):
        return found
    is_display = isinstance(tree, ast.List | ast.Tuple)
    if relation.unordered:
        items = _sorted_items(tree)
        if items is None:
            return found._replace(form="same", any_order=last_name(tree) not in ("set", "frozenset", "dict"))
        return found._replace(text=repr(items), form="==", wrap="sorted")
    if relation.iterated and is_display:
        return found._replace(text=_as_list(text, tree), wrap="list")
    return found._replace(form="same") if relation.iterated else found


class Comparison:
    """How all of `values` are compared, which are one case's or those of a table: alike but for value and form."""

    def __init__(self, values: Sequence[Expected]) -> None:
        self._values, self._first = values, values[0]
        self.form = max((value.form for value in values), key=_FORMS.index)
        self._in_cells = self.form == "approx" and not all(_is_flat(value.tree) for value in values)

    @property
    def helpers(self) -> frozenset[str]:
        """The helpers of the file that it calls."""
        called = {"same_value"} if self.form == "same" else set[str]()
        return frozenset(called | ({"same_items"} if self._first.any_order else set()))

    def cell(self, value: Expected) -> str:
        """An expected value as it stands in a table or an assertion."""
        return self._approx(value.text) if self._in_cells and value.form == "approx" else value.text

    def line(self, call: str, expected: str) -> str:
        """The statement that calls and compares."""
        call = f"{self._first.wrap}({call})" if self._first.wrap else call
        if self.form == "same":
            tolerance = self._first.tolerance
            options = f", rel={_number(tolerance.rel)}, abs={_number(tolerance.abs)}" * (tolerance != Tolerance())
            return f"assert {'same_items' if self._first.any_order else 'same_value'}({call}, {expected}{options})"
        if self.form == "approx" and not self._in_cells:
            expected = self._approx(expected)
        return f"assert {call} {'is' if self.form == 'is' else '=='} {expected}"

    def _approx(self, expected: str) -> str:
        rel, abs_ = self._first.tolerance.rel, self._first.tolerance.abs
        options = "" if (rel, abs_) == (1e-6, 1e-12) else f", rel={_number(rel)}"
        options += "" if abs_ == 1e-12 else f", abs={_number(abs_)}"
        options += ", nan_ok=True" * any("nan" in value.text for value in self._values)
        return f"pytest.approx({expected}{options})"


def _form_of(tree: ast.expr, types: Mapping[str, SharedType]) -> Form:
    if isinstance(tree, ast.Constant) and (tree.value is None or isinstance(tree.value, bool)):
        return "is"
    return "==" if _is_exact(tree, types) else "approx" if _is_flat(tree) else "same"


def _is_exact(tree: ast.expr | None, types: Mapping[str, SharedType]) -> bool:
    """Whether `==` accepts all that the judge does: nothing in it has a tolerance or is compared by its identity."""
    match tree:
        case ast.Constant(value=value):
            return not isinstance(value, float | complex)
        case ast.JoinedStr() | ast.Compare():
            return True
        case ast.UnaryOp(operand=operand) | ast.Starred(value=operand):
            return _is_exact(operand, types)
        case ast.BinOp(left=left, op=op, right=right):
            is_whole = isinstance(op, _EXACT_OPERATORS) or (isinstance(op, ast.Pow) and isinstance(right, ast.Constant))
            return is_whole and _is_exact(left, types) and _is_exact(right, types)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return all(_is_exact(part, types) for part in parts)
        case ast.Set(elts=keys):
            return _are_exact_keys(keys, types)
        case ast.Dict(keys=keys, values=parts):
            return _are_exact_keys(keys, types) and all(_is_exact(part, types) for part in parts)
    return _is_exact_name(tree, types)


def _are_exact_keys(keys: Sequence[ast.expr | None], types: Mapping[str, SharedType]) -> bool:
    """Whether `==` accepts them as a dict's keys or a set's items, which have no tolerance."""
    return all(key is None or isinstance(key, ast.Constant) or _is_exact(key, types) for key in keys)


def _is_exact_name(tree: ast.expr | None, types: Mapping[str, SharedType]) -> bool:
    match tree:
        case ast.Name(id=name):
            return name in vars(builtins)
        case ast.Attribute(value=ast.Name(id=owner)):
            return owner in types and types[owner].kind == "enum"
        case ast.Call():
            return _is_exact_call(tree, types)
    return False


def _is_exact_call(tree: ast.Call, types: Mapping[str, SharedType]) -> bool:
    name = last_name(tree)
    arguments = [*tree.args, *(keyword.value for keyword in tree.keywords)]
    if name in types:
        shared = types[name]
        defaults = [expression_or_none(field.default) for field in shared.fields if field.default]
        is_whole = all(_is_exact(part, types) for part in (*arguments, *defaults))
        return shared.kind == "enum" or (shared.kind != "exception" and is_whole)
    if name in _EXACT_CALLS:
        return "nan" not in ast.unparse(tree).lower()
    return name in _EXACT_HOLDERS and all(_is_exact(argument, types) for argument in arguments)


def _is_flat(tree: ast.expr) -> bool:
    """Whether pytest.approx takes it: a number, or a list, tuple or dict of nothing but numbers."""
    if isinstance(tree, ast.List | ast.Tuple):
        return all(map(_is_scalar, tree.elts))
    if isinstance(tree, ast.Dict):
        return None not in tree.keys and all(map(_is_scalar, tree.values))
    return _is_scalar(tree)


def _is_scalar(tree: ast.expr) -> bool:
    match tree:
        case ast.Constant(value=value):
            return isinstance(value, int | float | complex) and not abs(value) > _LARGEST_APPROXIMATE
        case ast.UnaryOp(operand=operand):
            return _is_scalar(operand)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right=right):
            return _is_scalar(left) and _is_scalar(right)
        case ast.Attribute(value=ast.Name(id="math")):
            return True
        case ast.Call():
            return last_name(tree) in ("float", "complex")
    return False


def _sorted_items(tree: ast.expr) -> list[Any] | None:
    """The items of a list or tuple written out, sorted, where all are ints or all texts; None for anything else."""
    try:
        items: list[Any] = list(literal(tree)) if isinstance(tree, ast.List | ast.Tuple) else [None]
    except ValueError:
        return None
    return sorted(items) if {type(item) for item in items} in (set(), {int}, {str}) else None


def _as_list(text: str, tree: ast.expr) -> str:
    return ast.unparse(ast.List(tree.elts, ast.Load())) if isinstance(tree, ast.Tuple) else text


def _number(value: float) -> str:
    """A float as people write it: 1e-9 rather than 1e-09."""
    return repr(value).replace("e-0", "e-").replace("e+0", "e").replace("e+", "e")
