"""When an observed value is the expected one: the options of that relation, and where a function's contract sets them.

The relation itself is in `equality.py`. In short: `==` on plain data, with bools strict, floats within the case's
tolerance, NaN equal to NaN, declared types by class and fields, arrays and tables by dtype, shape, labels and items,
and nothing equal to what can't be told as data.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from tdgen.source.syntax import expression_or_none
from tdgen.types import Call, Case, FunctionSpec, Tolerance, Value
from tdgen.types.base import Frozen

_ITERATORS = frozenset(
    {"Iterator", "Iterable", "Generator", "AsyncIterator", "AsyncIterable", "AsyncGenerator", "Reversible"}
)
_WRAPPERS = frozenset({"Optional", "Union", "Annotated", "Final"})
_SCALARS = frozenset(
    {"int", "bool", "str", "bytes", "bytearray", "None", "NoneType", "range", "slice", "type", "Literal"}
)
_BUILTINS = frozenset({"list", "tuple", "set", "frozenset", "dict", "List", "Tuple", "Set", "FrozenSet", "Dict"})
_COLLECTIONS = frozenset({"deque", "Deque", "defaultdict", "DefaultDict", "OrderedDict", "Counter", "AbstractSet"})
_SEQUENCES = frozenset(
    {"Sequence", "MutableSequence", "Collection", "Container", "MutableSet", "Awaitable", "Coroutine"}
)
_MAPPINGS = frozenset({"Mapping", "MutableMapping", "KeysView", "ValuesView", "ItemsView"})
_LIBRARY = frozenset({"date", "datetime", "time", "timedelta", "Path", "PurePath", "UUID"})
_MODULES = frozenset({"typing", "collections", "abc", "t", "datetime", "pathlib", "uuid"})
_NEVER_FRACTIONAL = frozenset[str]().union(
    _ITERATORS, _WRAPPERS, _SCALARS, _BUILTINS, _COLLECTIONS, _SEQUENCES, _MAPPINGS, _LIBRARY, _MODULES
)


class Relation(Frozen):
    """How an expected value and an observed one are compared.

    `exact_int`: where an int is expected, 2.0 is not 2. `unordered`: the order of the outermost list's or tuple's
    items is free. `iterated`: iterators, views, lists and tuples are compared by the items that they yield.
    """

    tolerance: Tolerance = Tolerance()
    exact_int: bool = False
    unordered: bool = False
    iterated: bool = False


def relation_for(spec: FunctionSpec, tolerance: Tolerance | None = None) -> Relation:
    """The relation for what `spec` returns. `tolerance` is the case's; None leaves the default.

    Ints are exact where the annotation speaks of int and of nothing that may hold another number: neither float,
    complex, Decimal, Fraction, Any or object, nor a declared type, whose fields it doesn't show.
    """
    return _relation(spec.returns.type, spec, tolerance)


def _relation(annotation: str, spec: FunctionSpec, tolerance: Tolerance | None) -> Relation:
    tree = _parsed(annotation)
    names = _names(tree)
    return Relation(
        tolerance=tolerance or Tolerance(),
        exact_int="int" in names and names <= _NEVER_FRACTIONAL,
        unordered=spec.returns.unordered,
        iterated=any(name in _ITERATORS for name in _outermost(tree)),
    )


def relation_of_case(case: Case, spec: FunctionSpec) -> Relation:
    """The relation for what the call of `case` returns.

    A call that is an expression around the function's (`list(islice(f(), 5))`) returns another type than the function,
    so that the annotation says nothing of it; the order of the items stays as free as it was.
    """
    tolerance = case.expectation.tolerance if isinstance(case.expectation, Value) else Tolerance()
    return relation_of_call(case.done, spec, tolerance)


def relation_of_call(call: Call, spec: FunctionSpec, tolerance: Tolerance = Tolerance()) -> Relation:  # noqa: B008
    """The relation for what `call` returns, whatever is expected of it; a class's by the method that it calls."""
    relation = relation_for(spec, tolerance)
    tree = _parsed(call.expression)
    if spec.interface:
        return _relation(spec.interface.gives(tree), spec, tolerance)
    if isinstance(tree, ast.Call) and _last_name(tree.func) == spec.name:
        return relation
    return Relation(tolerance=tolerance, unordered=relation.unordered)


@lru_cache(maxsize=256)  # asked for each case of a suite; nobody here changes a tree
def _parsed(annotation: str) -> ast.expr:
    return expression_or_none(annotation) or ast.Constant(None)


def _names(tree: ast.expr) -> frozenset[str]:
    """Every name in an annotation, those in quotes included; what a Literal lists is no name."""
    names: set[str] = set()
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            pending.append(_parsed(node.value))
        if isinstance(node, ast.Subscript) and _last_name(node.value) == "Literal":
            names.add("Literal")
            names.update(type(item.value).__name__ for item in ast.walk(node.slice) if isinstance(item, ast.Constant))
        else:
            pending.extend(ast.iter_child_nodes(node))
    return frozenset(names)


def _outermost(tree: ast.expr) -> list[str]:
    """The names of the type itself, or of each alternative of a union."""
    if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        return _outermost(_parsed(tree.value))
    if isinstance(tree, ast.BinOp):
        return [name for member in _members(tree) for name in _outermost(member)]
    if isinstance(tree, ast.Subscript):
        if _last_name(tree.value) in _WRAPPERS:
            parts = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
            return [name for part in parts for name in _outermost(part)]
        return [_last_name(tree.value)]
    return [_last_name(tree)]


def _members(union: ast.expr) -> list[ast.expr]:
    """The members of `a | b | c`, which is nested as deep as it has members."""
    right: list[ast.expr] = []
    while isinstance(union, ast.BinOp):
        right.append(union.right)
        union = union.left
    return [union, *reversed(right)]


def _last_name(tree: ast.expr) -> str:
    if isinstance(tree, ast.Attribute):
        return tree.attr
    return tree.id if isinstance(tree, ast.Name) else ""
