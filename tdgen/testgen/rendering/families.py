"""Which expected values are compared alike: the family that a value belongs to, and which families share a table."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from tdgen.syntax import parse
from tdgen.testgen.rendering.arrays import Compared, compared
from tdgen.testgen.rendering.leaves import Leaves, Reader, float_of, is_int, is_scalar
from tdgen.testgen.rendering.sources import expression, expression_text
from tdgen.types import SharedType, Tolerance, Value
from tdgen.values.relation import Relation

Kind = Literal["single", "exact", "number", "each", "sorted", "tested", "same", "any order"]
_TEXTS = frozenset({"str", "bytes", "date", "datetime", "timedelta", "Path", "UUID", "Optional"}).union(
    ("list", "tuple", "set", "frozenset", "dict"), ("List", "Tuple", "Set", "FrozenSet", "Dict")
)
_CONTAINERS: dict[type[ast.expr], str] = {ast.List: "list", ast.Tuple: "tuple", ast.Set: "set", ast.Dict: "dict"}


class Family(NamedTuple):
    """How values are compared.

    `single` by identity, `exact` by plain equality, `number` as one number, `each` and `sorted` as a flat `container`
    of nothing but `item`s, `tested` as numpy or pandas compare `theirs`, the others by a helper. `listed` where the
    result is an iterable to be listed first.
    """

    kind: Kind
    container: str = ""
    item: str = ""
    listed: bool = False
    theirs: Compared | None = None


class Expected(NamedTuple):
    """An expected value: its source and syntax tree, what may be inside, its tolerance and its family."""

    text: str
    tree: ast.expr
    leaves: Leaves
    tolerance: Tolerance
    family: Family


def promises_text(annotation: str) -> bool:
    """Whether a type holds nothing but texts, dates, paths and containers of them, for which `==` is exact."""
    try:
        tree = parse(annotation.strip())
    except SyntaxError:
        return False
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return bool(names) and names <= _TEXTS


def read_expected(value: Value, relation: Relation, types: Mapping[str, SharedType], *, is_text: bool) -> Expected:
    """What is known of an expected value; `is_text` where the contract promises texts, dates and the like alone."""
    text, tree = expression_text(value.source), expression(value.source)
    if relation.iterated and isinstance(tree, ast.Tuple):
        tree = ast.List(tree.elts, ast.Load())
        text = ast.unparse(tree)
    leaves = Reader(types, value.tolerance).leaves(tree)
    if leaves == {"unknown"} and is_text:
        leaves = frozenset()
    theirs = compared(tree, Reader(types, value.tolerance).leaves)
    family = Family("tested", theirs=theirs) if theirs and theirs.kind else _family(tree, leaves, relation)
    return Expected(text, tree, leaves, value.tolerance, family)


def joined(values: Sequence[Expected]) -> list[Family]:
    """The family in which each of the values is compared when all of them are cases of one call.

    Where one value needs a helper all take it. None joins what is compared by plain equality, and an empty container
    joins those with something in them.
    """
    families = {value.family for value in values}
    helpers = [family.kind for family in families if family.kind in ("same", "any order")]
    if helpers:
        return [Family(min(helpers), listed=value.family.listed) for value in values]
    return [_join(value, families, only_none=not any(map(_is_bool, values))) for value in values]


def _join(value: Expected, families: set[Family], *, only_none: bool) -> Family:
    family = value.family
    if family.kind == "single" and only_none and Family("exact") in families:
        return Family("exact")
    if family.kind in ("exact", "sorted") and not family.item:
        full = [f for f in families if f.item and (f.container, f.listed) == (family.container, family.listed)]
        return full[0] if len(full) == 1 else family
    return family


def _is_bool(value: Expected) -> bool:
    return isinstance(value.tree, ast.Constant) and isinstance(value.tree.value, bool)


def _family(tree: ast.expr, leaves: Leaves, relation: Relation) -> Family:
    if isinstance(tree, ast.Constant) and (tree.value is None or isinstance(tree.value, bool)):
        return Family("single")
    container = _CONTAINERS.get(type(tree), "")
    listed = relation.iterated and container not in ("set", "dict") and not isinstance(tree, ast.Constant)
    item = _item(tree) if container else ""
    if relation.unordered and not isinstance(tree, ast.Constant) and container not in ("set", "dict"):
        kind: Kind = "sorted" if item in ("int", "str") or _is_empty(tree) else "any order"
        return Family(kind, container, item, listed) if kind == "sorted" else Family(kind, listed=listed)
    if leaves and leaves <= {"int", "unit", "float", "nan", "number"} and is_scalar(tree) and not listed:
        return Family("number")
    if not is_ambiguous(leaves, relation):
        return Family("exact", container if container == "set" or _is_empty(tree) else "", "", listed)
    if item in ("bool", "int", "float"):
        return Family("each", container, item, listed)
    return Family("same", listed=listed)


def is_ambiguous(leaves: Leaves, relation: Relation) -> bool:
    """Whether `==` is not the judge's relation on such values."""
    return bool(leaves & {"bool", "unit", "float", "nan", "error", "array", "unknown"}) or (
        relation.exact_int and "int" in leaves
    )


def _is_empty(tree: ast.expr) -> bool:
    return (isinstance(tree, ast.List | ast.Tuple) and not tree.elts) or (
        isinstance(tree, ast.Dict) and not tree.values
    )


def _item(tree: ast.expr) -> str:
    """What alone a container holds, side by side; empty where it holds anything else, or several things."""
    items = tree.values if isinstance(tree, ast.Dict) else getattr(tree, "elts", [])
    if isinstance(tree, ast.Dict) and not all(key is not None and _is_text(key) for key in tree.keys):
        return ""
    kinds = {_item_kind(item) for item in items}
    return kinds.pop() if len(kinds) == 1 and not (isinstance(tree, ast.Set) and kinds == {"float"}) else ""


def _item_kind(tree: ast.expr) -> str:
    if is_int(tree):
        return "int"
    if float_of(tree) is not None:
        return "float"
    if isinstance(tree, ast.Constant) and isinstance(tree.value, bool):
        return "bool"
    return "str" if _is_text(tree) else ""


def _is_text(tree: ast.expr) -> bool:
    return isinstance(tree, ast.Constant) and isinstance(tree.value, str)
