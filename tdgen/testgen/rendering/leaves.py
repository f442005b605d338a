"""What is known of an expected value from its source alone, without evaluating it.

The question is where Python's `==` would be too loose or too strict: which numbers, bools and NaNs may be inside. What
can't be told is `unknown`, which is the cautious answer.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Literal

from tdgen.syntax import expression_or_none
from tdgen.testgen.rendering import arrays
from tdgen.types import SharedType, Tolerance
from tdgen.values.names import PACKAGES

Leaf = Literal["bool", "int", "unit", "float", "nan", "number", "record", "error", "keyed", "array", "unknown"]
"""`unit` is a number that True or False equals, `number` one without a tolerance (complex, Decimal, Fraction), `record`
a dataclass, `error` an exception as a value, `keyed` a set or dict with numbers for items or keys, `array` one of
numpy's or pandas' values with nothing inside that is compared in another way."""

Leaves = frozenset[Leaf]
NONE: Leaves = frozenset()
UNKNOWN: Leaves = frozenset({"unknown"})
_WHOLE = frozenset({"str", "bytes", "bytearray", "UUID", "ip_address", "IPv4Address", "IPv6Address"}).union(
    ("date", "datetime", "time", "timedelta", "timezone", "ZoneInfo"),
    ("Path", "PurePath", "PurePosixPath", "PureWindowsPath"),
)
_HOLDERS = frozenset({"list", "tuple", "set", "frozenset", "deque", "dict"})
_ANY_SHAPE = frozenset({"sequence", "mapping"})
_SHAPES: dict[str, frozenset[str]] = {
    **dict.fromkeys(("list", "tuple"), frozenset({"sequence"})),
    **dict.fromkeys(("float", "math", "math.inf", "math.nan", "inf", "nan", "Decimal", "Fraction"), frozenset()),
    **dict.fromkeys(("set", "frozenset", *_WHOLE), frozenset()),
    "dict": frozenset({"mapping"}),
}
_FLOAT_MODULES = frozenset({"math", "np", "numpy"})
_FLOAT_NAMES = {"inf": math.inf, "nan": math.nan, "pi": math.pi, "tau": math.tau, "e": math.e}


class Reader:
    """Reads expected sources: under a case's tolerance, with the plan's shared types."""

    def __init__(self, types: Mapping[str, SharedType], tolerance: Tolerance) -> None:
        self.types = types
        self.tolerance = tolerance

    def leaves(self, tree: ast.expr) -> Leaves:
        """What may be inside of the value of `tree`."""
        if isinstance(tree, ast.Constant):
            return self._constant(tree.value)
        if (number := float_of(tree)) is not None:
            return self._constant(number)
        if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub | ast.UAdd):
            return self.leaves(tree.operand)
        if isinstance(tree, ast.List | ast.Tuple):
            return self._all(tree.elts)
        if isinstance(tree, ast.Set):
            return self._keyed(tree.elts)
        if isinstance(tree, ast.Dict) and None not in tree.keys:
            return self._keyed(key for key in tree.keys if key) | self._all(tree.values)
        if isinstance(tree, ast.BinOp):
            return self._computed(tree)
        if isinstance(tree, ast.Call):
            return self._call(tree)
        if isinstance(tree, ast.Attribute) and isinstance(tree.value, ast.Name):
            return self._member(tree.value.id)
        return NONE if isinstance(tree, ast.JoinedStr) else UNKNOWN

    def _constant(self, value: object) -> Leaves:
        if isinstance(value, bool):
            return frozenset({"bool"})
        if isinstance(value, int):
            return frozenset({"int", "unit"}) if value in (0, 1) else frozenset({"int"})
        if isinstance(value, float):
            return frozenset({"float", *self._float(value)})
        if isinstance(value, complex):
            return frozenset({"unknown"}) if value in (0, 1) or value != value else frozenset({"number"})
        return NONE

    def _float(self, value: float) -> Leaves:
        if math.isnan(value):
            return frozenset({"nan"})
        allowed = max(self.tolerance.rel * abs(value), self.tolerance.abs)
        is_unit = not math.isinf(value) and min(abs(value), abs(value - 1)) <= allowed
        return frozenset({"unit"}) if is_unit else NONE

    def _all(self, trees: Iterable[ast.expr]) -> Leaves:
        return frozenset(leaf for tree in trees for leaf in self.leaves(tree))

    def _keyed(self, trees: Iterable[ast.expr]) -> Leaves:
        found = self._all(trees)
        return found | {"keyed"} if found else found

    def _computed(self, tree: ast.BinOp) -> Leaves:
        """`"ab" * 100` and `2**64`; a complex number; whatever else is computed is unknown."""
        sides = (tree.left, tree.right)
        if isinstance(tree.op, ast.Mult) and any(
            isinstance(side, ast.Constant) and isinstance(side.value, str | bytes) for side in sides
        ):
            return NONE
        if isinstance(tree.op, ast.Mult) and any(isinstance(side, ast.List | ast.Tuple) for side in sides):
            return self._all(side for side in sides if isinstance(side, ast.List | ast.Tuple))
        if all(is_int(side) for side in sides) and isinstance(tree.op, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv):
            return frozenset({"int", "unit"})
        if isinstance(tree.op, ast.Pow) and all(isinstance(side, ast.Constant) and is_int(side) for side in sides):
            return frozenset({"int", "unit"})
        return UNKNOWN

    def _call(self, tree: ast.Call) -> Leaves:
        if arrays.is_moment(tree):
            return NONE
        if arrays.is_theirs(tree, self.leaves):
            return frozenset({"array"})
        name = ast.unparse(tree.func).rpartition(".")[2]
        if name in self.types:
            return self._instance(self.types[name], tree)
        if name in ("Decimal", "Fraction"):
            return self._number(tree)
        if name in _WHOLE:
            return NONE
        if name in _HOLDERS and not tree.keywords and all(isinstance(a, ast.List | ast.Tuple) for a in tree.args):
            inside = self._all(tree.args)
            return inside | {"keyed"} if inside and name in ("set", "frozenset", "dict") else inside
        return UNKNOWN

    def _number(self, tree: ast.Call) -> Leaves:
        """A Decimal or Fraction, where it is plainly neither 0 nor 1 nor NaN."""
        texts = [argument.value for argument in tree.args if isinstance(argument, ast.Constant)]
        try:
            value = Decimal(str(texts[0])) if len(texts) == 1 and len(str(texts[0])) < 400 else Decimal("NaN")
        except InvalidOperation:
            return UNKNOWN
        return UNKNOWN if value.is_nan() or value in (0, 1) else frozenset({"number"})

    def _instance(self, kind: SharedType, tree: ast.Call) -> Leaves:
        """A declared type made from its fields, those left to their defaults included."""
        if kind.kind == "exception":
            return frozenset({"error"})
        if kind.kind == "enum":
            return self._member(kind.name)
        given = {keyword.arg for keyword in tree.keywords}
        left = [field.default for field in kind.fields[len(tree.args) :] if field.name not in given and field.default]
        inside = self._all([*tree.args, *(k.value for k in tree.keywords), *map(_parsed, left)])
        return inside | {"record"} if inside and kind.kind == "dataclass" else inside

    def _member(self, name: str) -> Leaves:
        """An Enum's member: by itself, or its number where int is mixed in."""
        kind = self.types.get(name)
        if kind is None or kind.kind != "enum":
            return UNKNOWN
        return NONE if kind.base in ("", "Enum", "str", "StrEnum", "str, Enum") else frozenset({"int", "unit"})


def shapes_of(tree: ast.expr, types: Mapping[str, SharedType]) -> frozenset[str]:
    """Whether a `sequence` or a `mapping` may be at or inside the value of `tree`."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.List | ast.Tuple):
            found.add("sequence")
        elif isinstance(node, ast.Dict):
            found.add("mapping")
        elif isinstance(node, ast.Call | ast.Name | ast.Attribute):
            name = ast.unparse(node.func if isinstance(node, ast.Call) else node)
            if name.partition(".")[0] in PACKAGES:  # an array is compared by its list
                found.add("sequence")
                continue
            shared = types.get(name.partition(".")[0])
            found |= _shapes_of_type(shared) if shared else _SHAPES.get(name, _ANY_SHAPE)
    return frozenset(found)


def _shapes_of_type(shared: SharedType) -> frozenset[str]:
    if shared.kind == "enum":
        return frozenset()
    is_simple = not any(field.default and set(field.default) & set("[{(") for field in shared.fields)
    found = frozenset[str]() if is_simple else _ANY_SHAPE
    kinds = {"named_tuple": {"sequence"}, "exception": {"sequence"}, "typed_dict": {"mapping"}}
    return found | kinds.get(shared.kind, set())


def float_of(tree: ast.expr) -> float | None:
    """The float that `tree` is, where it is written as one: a literal, `float("nan")`, `math.inf`, a sign before it."""
    if isinstance(tree, ast.Constant):
        return tree.value if isinstance(tree.value, float) else None
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
        inner = float_of(tree.operand)
        return None if inner is None else -inner
    if isinstance(tree, ast.Attribute) and isinstance(tree.value, ast.Name) and tree.value.id in _FLOAT_MODULES:
        return _FLOAT_NAMES.get(tree.attr)
    if isinstance(tree, ast.Name) and tree.id != "e":
        return _FLOAT_NAMES.get(tree.id)
    if isinstance(tree, ast.Call) and ast.unparse(tree.func) == "float" and len(tree.args) == 1 and not tree.keywords:
        return _float_text(tree.args[0])
    return None


def _float_text(tree: ast.expr) -> float | None:
    if not isinstance(tree, ast.Constant) or not isinstance(tree.value, str | int | float):
        return None
    try:
        return float(tree.value)
    except (ValueError, OverflowError):
        return None


def is_int(tree: ast.expr) -> bool:
    """Whether it is an int written as a literal, with or without a sign."""
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub | ast.UAdd):
        tree = tree.operand
    return isinstance(tree, ast.Constant) and type(tree.value) is int


def is_scalar(tree: ast.expr) -> bool:
    """Whether it can't be a container."""
    if isinstance(tree, ast.UnaryOp):
        return is_scalar(tree.operand)
    if isinstance(tree, ast.BinOp):
        return is_scalar(tree.left) and is_scalar(tree.right)
    if isinstance(tree, ast.Call):
        return ast.unparse(tree.func).rpartition(".")[2] in ("Decimal", "Fraction", "float")
    return isinstance(tree, ast.Constant | ast.Attribute | ast.Name)


def _parsed(source: str) -> ast.expr:
    return expression_or_none(source) or ast.Name("unknown", ast.Load())
