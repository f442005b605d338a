"""Type annotations of a rendered test: those of the contract, `Any` where a case passes what these don't allow."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Sequence

from tdgen.syntax import expression_or_none
from tdgen.testgen.rendering.sources import dotted, expression, last_name, unparse
from tdgen.testgen.rendering.words import local_name
from tdgen.types import FunctionSpec, Plan
from tdgen.values.imports import free_names
from tdgen.values.names import KNOWN_NAMES, STDLIB

_PARAMETRIZED = frozenset({"list", "dict", "set", "frozenset", "tuple", "type", "deque", "defaultdict"}).union(
    ("Iterator", "Iterable", "Generator", "Callable", "Sequence", "Mapping", "MutableMapping", "MutableSequence"),
    ("Collection", "Counter", "List", "Dict", "Set", "Tuple"),
)
_LISTS = frozenset({"list", "List", "Sequence", "MutableSequence", "Iterable", "Collection"})
_TUPLES = frozenset({"tuple", "Tuple", "Sequence", "Iterable", "Collection"})
_SETS = frozenset({"set", "Set", "MutableSet", "AbstractSet", "Iterable", "Collection"})
_DICTS = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "Iterable", "Collection"})
_ACCEPTED: dict[str, frozenset[str]] = {
    "bool": frozenset({"bool", "int", "float", "complex"}),
    "int": frozenset({"int", "float", "complex"}),
    "float": frozenset({"float", "complex"}),
    "str": frozenset({"str", "Sequence", "Iterable", "Collection"}),
    "bytes": frozenset({"bytes", "Sequence", "Iterable", "Collection"}),
}
_CLOSED = frozenset({"None", "date", "datetime", "Decimal", "Fraction", "Path", "object"}).union(
    _ACCEPTED, _LISTS, _TUPLES, _SETS, _DICTS, ("complex", "frozenset", "Callable", "Iterator")
)
"""Types of which it is known what they accept."""


class Annotations:
    """The annotations that a plan's test files can take from its contracts."""

    def __init__(self, plan: Plan) -> None:
        self._types = {shared.name for shared in plan.types}
        self._closed = _CLOSED | {shared.name for shared in plan.types if shared.kind != "typed_dict"}

    def of_parameter(self, name: str, spec: FunctionSpec, values: Sequence[str]) -> str:
        """That of a parameter, for values given as sources."""
        found = [parameter.type for parameter in spec.parameters if parameter.name == name]
        return self.fitting(found[0], values) if found else "Any"

    def of_expected(self, spec: FunctionSpec, values: Sequence[str]) -> str:
        """That of expected values: the return annotation, with a list for what is iterated."""
        tree = expression_or_none(spec.returns.type)
        is_iterated = isinstance(tree, ast.Subscript) and last_name(tree.value) in ("Iterator", "Iterable", "Generator")
        return "Any" if is_iterated else self.fitting(spec.returns.type, values)

    def bypassed(self, call: str, spec: FunctionSpec, before: list[str]) -> str:
        """The call with what a type checker refuses bound to names of any type, by lines added to `before`."""
        tree = expression(call)
        types = {parameter.name: expression_or_none(parameter.type) for parameter in spec.parameters}
        bound: list[str] = []

        def named(value: ast.expr, parameter: str) -> ast.expr:
            annotation = types.get(parameter)
            if annotation is None or self.fits(value, annotation):
                return value
            name = local_name(parameter, free_names(tree))
            bound.append(f"{name}: Any = {unparse(value)}")
            return ast.Name(name, ast.Load())

        for node in [node for node in ast.walk(tree) if isinstance(node, ast.Call) and last_name(node) == spec.name]:
            positional = [named(value, name) for value, name in zip(node.args, types, strict=False)]
            node.args = [*positional, *node.args[len(positional) :]]
            for keyword in node.keywords:
                keyword.value = named(keyword.value, keyword.arg or "")
        before += bound
        return unparse(tree) if bound else call

    def fitting(self, annotation: str, values: Iterable[str]) -> str:
        """The annotation where each value may be of it, and every name in it is known; else `Any`."""
        tree = expression_or_none(annotation)
        if tree is None or not self._is_known(tree):
            return "Any"
        trees = [expression_or_none(value) for value in values]
        return annotation if all(value is not None and self.fits(value, tree) for value in trees) else "Any"

    def fits(self, value: ast.expr, annotation: ast.expr) -> bool:
        """Whether a type checker may take the value for one of that type: False only where it plainly is of another."""
        return any(self._fits_one(value, alternative) for alternative in _alternatives(annotation))

    def _fits_one(self, value: ast.expr, annotation: ast.expr) -> bool:
        name = (
            "None"
            if isinstance(annotation, ast.Constant) and annotation.value is None
            else last_name(annotation.value if isinstance(annotation, ast.Subscript) else annotation)
        )
        if name == "object" or name not in self._closed:
            return True
        inner = annotation.slice if isinstance(annotation, ast.Subscript) else None
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner] if inner is not None else []
        match value:
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._fits_one(operand, annotation)
            case ast.Constant(value=constant):
                return name in ({"None"} if constant is None else _ACCEPTED.get(type(constant).__name__, _CLOSED))
            case ast.List(elts=items) | ast.Set(elts=items):
                holders = _LISTS if isinstance(value, ast.List) else _SETS
                return name in holders and all(self.fits(item, part) for item in items for part in parts[:1])
            case ast.Tuple(elts=items):
                is_even = name not in ("tuple", "Tuple") or (len(parts) == 2 and ast.unparse(parts[1]) == "...")
                pairs = zip(items, parts[:1] * len(items) if is_even else parts, strict=False)
                is_long = is_even or len(items) == len(parts)
                return name in _TUPLES and is_long and all(self.fits(item, part) for item, part in pairs)
            case ast.Dict(keys=keys, values=values):
                pairs = zip([*filter(None, keys), *values], parts[:1] * len(keys) + parts[1:] * len(keys), strict=False)
                return name in _DICTS and all(self.fits(item, part) for item, part in pairs)
            case ast.Call(func=ast.Name(id=made)) if made in self._closed:
                return name == made or (name, made) == ("date", "datetime") or name in _LISTS
        return True

    def _is_known(self, tree: ast.expr) -> bool:
        """Whether all its names can be imported, and no generic type stands without its parameters."""
        known = vars(builtins).keys() | KNOWN_NAMES.keys() | STDLIB | self._types
        bare = set(_bare_names(tree))
        return free_names(tree) <= known and not bare & _PARAMETRIZED


def _bare_names(tree: ast.AST) -> Iterator[str]:
    """The names in an annotation that are not followed by parameters."""
    if isinstance(tree, ast.Subscript):
        yield from _bare_names(tree.slice)
    elif isinstance(tree, ast.Name | ast.Attribute):
        yield dotted(tree).rpartition(".")[2]
    else:
        for child in ast.iter_child_nodes(tree):
            yield from _bare_names(child)


def _alternatives(tree: ast.expr) -> Iterator[ast.expr]:
    """The types of a union, each by itself."""
    if isinstance(tree, ast.BinOp):
        yield from (*_alternatives(tree.left), *_alternatives(tree.right))
    elif isinstance(tree, ast.Subscript) and last_name(tree.value) in ("Optional", "Union"):
        yield from tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
        if last_name(tree.value) == "Optional":
            yield ast.Constant(None)
    else:
        yield tree
