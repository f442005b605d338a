"""What Python's `==` would be too strict for in a value, read from its source, else from a type annotation."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping, Sequence
from typing import Literal

from tdgen.syntax import expression_or_none, literal
from tdgen.testgen.rendering.sources import dotted, last_name
from tdgen.types import SharedType

Need = Literal["float", "odd", "unknown"]
"""`float`: a number within a tolerance. `odd`: what `==` doesn't compare by its content, such as an iterator."""
Needs = frozenset[Need]

NOTHING: Needs = frozenset()
FLOAT: Needs = frozenset({"float"})
ODD: Needs = frozenset({"odd"})
UNKNOWN: Needs = frozenset({"unknown"})
ENDLESS = frozenset({"count", "cycle", "repeat"})
ITERATORS = ENDLESS.union(
    ("iter", "map", "filter", "zip", "enumerate", "reversed", "islice", "chain", "accumulate", "pairwise"),
    ("keys", "values", "items", "permutations", "combinations", "product"),
)
_WHOLE = frozenset({"str", "bytes", "bytearray", "int", "bool", "len", "ord", "chr", "repr", "range", "UUID"}).union(
    ("date", "datetime", "time", "timedelta", "timezone", "ZoneInfo", "Timestamp", "Timedelta", "Period", "Fraction"),
    ("Path", "PurePath", "PurePosixPath", "PureWindowsPath", "ip_address", "IPv4Address", "IPv6Address"),
)
_HOLDERS = frozenset({"list", "tuple", "sorted", "dict", "Counter", "defaultdict"})
_SETS = frozenset({"set", "frozenset"})
_PLAIN_TYPES = (_WHOLE | _HOLDERS | _SETS).union(
    ("None", "Optional", "Union", "Literal", "Annotated", "Decimal", "Sequence", "Mapping", "Collection"),
    ("List", "Tuple", "Set", "FrozenSet", "Dict"),
)
_ITERATED_TYPES = frozenset({"Iterator", "Iterable", "Generator", "Reversible"})
_FLOAT_NAMES = frozenset({"inf", "nan", "pi", "tau", "e"})
_FLOAT_CALLS = frozenset({"float", "complex", "sqrt", "fsum"})
_LARGEST_APPROXIMATE = 1e300
"""pytest.approx makes floats of numbers, which an int beyond all of them can't be."""


class Reader:
    """Reads sources, knowing the types that the plan declares."""

    def __init__(self, types: Mapping[str, SharedType]) -> None:
        self.types = types

    def needs(self, tree: ast.expr) -> Needs:
        """What the value of an expression needs."""
        match tree:
            case ast.JoinedStr() | ast.Compare():
                return NOTHING
            case ast.Constant(value=value):
                return FLOAT if isinstance(value, float | complex) else NOTHING
            case ast.UnaryOp(operand=operand) | ast.Starred(value=operand):
                return self.needs(operand)
            case ast.BinOp(left=left, op=op, right=right):
                is_whole = isinstance(op, ast.Pow) and isinstance(right, ast.Constant)
                return self.all([left, right]) | (
                    NOTHING if is_whole or not isinstance(op, ast.Div | ast.Pow) else FLOAT
                )
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return self.all(parts)
            case ast.Set(elts=parts):
                return self._keyed(parts)
            case ast.Dict(keys=keys, values=values):
                return self._keyed([key for key in keys if key]) | self.all(values)
            case ast.Call():
                return self._call(tree)
        return self._named(tree)

    def _named(self, tree: ast.expr) -> Needs:
        match tree:
            case ast.GeneratorExp(elt=item):
                return self.needs(item) | ODD
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                is_member = owner in self.types and self.types[owner].kind == "enum"
                return NOTHING if is_member else FLOAT if name in _FLOAT_NAMES else UNKNOWN
            case ast.Name(id=name):
                return FLOAT if name in _FLOAT_NAMES else NOTHING if name in vars(builtins) else UNKNOWN
        return UNKNOWN

    def all(self, trees: Sequence[ast.expr]) -> Needs:
        """What the values of several expressions need together."""
        return frozenset(need for tree in trees for need in self.needs(tree))

    def annotated(self, annotation: str, known: frozenset[str] = frozenset()) -> Needs:
        """What values of a type need; all there is where the annotation doesn't tell."""
        tree = expression_or_none(annotation)
        if tree is None:
            return FLOAT | ODD
        outermost = last_name(tree.value if isinstance(tree, ast.Subscript) else tree)
        found: Needs = NOTHING
        for name in {last_name(node) for node in ast.walk(tree) if isinstance(node, ast.Name | ast.Attribute)}:
            if name in self.types and name not in known:
                shared = self.types[name]
                fields = [self.annotated(field.type or "None", known | {name}) for field in shared.fields]
                own = {"exception": ODD, "type_var": FLOAT | ODD, "param_spec": FLOAT | ODD}.get(shared.kind, NOTHING)
                found = found.union(own, *fields)
            elif name in ("float", "complex"):
                found |= FLOAT
            elif name not in _PLAIN_TYPES | known and not (name in _ITERATED_TYPES and name == outermost):
                found |= FLOAT | ODD
        return found

    def _keyed(self, trees: Sequence[ast.expr]) -> Needs:
        """Keys and items of sets are compared exactly; only NaN, which is NaN, needs more."""
        found = self.all(trees)
        has_nan = any("nan" in ast.unparse(tree).lower() for tree in trees)
        return found - FLOAT | (ODD if has_nan else NOTHING)

    def _call(self, tree: ast.Call) -> Needs:
        name, inside = last_name(tree), self.all([*tree.args, *(keyword.value for keyword in tree.keywords)])
        if name in self.types:
            shared = self.types[name]
            defaults = [t for field in shared.fields if (t := expression_or_none(field.default or "None"))]
            held = NOTHING if shared.kind == "enum" else inside | self.all(defaults)
            return held | (ODD if shared.kind == "exception" else NOTHING)
        if name == "Decimal":
            return ODD if "nan" in ast.unparse(tree).lower() else NOTHING
        if name in _WHOLE or name in _FLOAT_CALLS:
            return FLOAT if name in _FLOAT_CALLS else NOTHING
        if name in _HOLDERS:
            return inside - ODD
        if name in _SETS:
            return self._keyed(tree.args)
        found = getattr(builtins, name, None)
        is_error = isinstance(found, type) and issubclass(found, BaseException)
        if is_error or name in ITERATORS or name in ("deque", "OrderedDict"):
            return inside | ODD
        return FLOAT | ODD if dotted(tree.func).startswith(("np.", "pd.")) else UNKNOWN


def is_flat(tree: ast.expr) -> bool:
    """Whether it is a number, or holds nothing but numbers side by side: what pytest.approx takes."""
    if isinstance(tree, ast.List | ast.Tuple):
        return all(map(_is_scalar, tree.elts))
    if isinstance(tree, ast.Dict):
        return None not in tree.keys and all(map(_is_scalar, tree.values))
    return _is_scalar(tree)


def _is_scalar(tree: ast.expr) -> bool:
    match tree:
        case ast.Constant(value=value):
            return isinstance(value, int | float | complex) and (value != value or abs(value) <= _LARGEST_APPROXIMATE)
        case ast.UnaryOp(operand=operand):
            return _is_scalar(operand)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right=right):
            return _is_scalar(left) and _is_scalar(right)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name in _FLOAT_NAMES
        case ast.Call():
            return last_name(tree) in _FLOAT_CALLS
    return False


def is_sortable(items: Sequence[ast.expr]) -> bool:
    """Whether all items are texts, or all numbers, or tuples of such side by side."""
    signatures = {_signature(item) for item in items}
    return len(signatures) < 2 and None not in signatures


def _signature(tree: ast.expr) -> object:
    if isinstance(tree, ast.Tuple | ast.List):
        inner = [_signature(item) for item in tree.elts]
        return None if None in inner else (type(tree), *inner)
    try:
        value = literal(tree)
    except ValueError:
        return None
    return {int: "number", float: "number", bool: "number", str: "text", bytes: "bytes"}.get(type(value))
