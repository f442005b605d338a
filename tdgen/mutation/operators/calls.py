"""Calls: taken off their argument, their opposite called, an option left out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.changes import Swap
from tdgen.mutation.code import Code
from tdgen.mutation.operators.nodes import called, with_fields

_OFF = frozenset({"sorted", "abs", "list", "set", "tuple", "reversed", "round", "int", "float", "str", "frozenset"})
_METHODS_OFF = frozenset({
    "strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "casefold", "swapcase", "copy", "replace",
    "removeprefix", "removesuffix", "zfill", "ljust", "rjust", "center", "expandtabs", "encode", "decode",
})  # fmt: skip
_COPIES = frozenset({"list", "tuple", "copy", "frozenset", "reversed"})
_PAIRS = (
    "min max", "any all", "floor ceil", "lower upper", "startswith endswith", "find rfind", "index rindex",
    "lstrip rstrip", "ljust rjust", "union intersection", "bisect_left bisect_right", "issubset issuperset",
    "isalpha isdigit", "combinations permutations",
)  # fmt: skip
OPPOSITES = {one: other for pair in _PAIRS for one, other in (pair.split(), pair.split()[::-1])}
_DROPPABLE = frozenset({"key", "reverse", "default", "start", "sep", "end", "strict", "ndigits"})


def calls(code: Code, node: ast.Call) -> Iterator[Swap]:
    """`sorted(x)` as `x`, `x.strip()` as `x`, `min` as `max`, `any` as `all`, and without `reverse=`."""
    yield from unwrapped(code, node)
    yield from opposite(node)
    for index, keyword in enumerate(node.keywords):
        if keyword.arg in _DROPPABLE:
            rest = [*node.keywords[:index], *node.keywords[index + 1 :]]
            yield Swap("argument dropped", node, with_fields(node, keywords=rest))


def unwrapped(code: Code, node: ast.Call) -> Iterator[Swap]:
    """The call taken off its argument, where that is a change that can show."""
    name = called(node)
    if name in _COPIES and _is_only_read(code, node):
        return
    if isinstance(node.func, ast.Name) and name in _OFF and node.args and not isinstance(node.args[0], ast.Starred):
        yield Swap("call dropped", node, node.args[0])
    elif isinstance(node.func, ast.Attribute) and name in _METHODS_OFF:
        yield Swap("call dropped", node, node.func.value)


def opposite(node: ast.Call) -> Iterator[Swap]:
    """The function or method that does the opposite."""
    other = OPPOSITES.get(called(node))
    if not other:
        return
    if isinstance(node.func, ast.Name):
        yield Swap("other call", node.func, ast.Name(other, ast.Load()))
    elif isinstance(node.func, ast.Attribute):
        yield Swap("other call", node, with_fields(node, func=ast.Attribute(node.func.value, other, ast.Load())))


def _is_only_read(code: Code, node: ast.Call) -> bool:
    """Whether a copy is gone through at once, so that it makes no difference."""
    parent, field, _ = code.places[node]
    return field == "iter" or called(parent) in {"sorted", "sum", "len", "set", "min", "max", "any", "all", "join"}
