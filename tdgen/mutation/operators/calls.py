"""Calls: taken off, put around, another function, arguments swapped, dropped, added; a recursion that shrinks."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.edits import Edit, each
from tdgen.mutation.nodes import call, called, name, plus, with_fields, without
from tdgen.mutation.scope import ITEMS, NUMBER, Scope

_OFF = frozenset({"sorted", "abs", "list", "set", "tuple", "reversed", "round", "int", "float", "str", "frozenset"})
_METHODS_OFF = frozenset({
    "strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "casefold", "swapcase", "copy", "replace",
    "removeprefix", "removesuffix", "zfill", "ljust", "rjust", "center", "expandtabs", "encode", "decode",
})  # fmt: skip
_COPIES = frozenset({"list", "tuple", "copy", "frozenset", "reversed"})
_READERS = frozenset({"sorted", "sum", "len", "set", "min", "max", "any", "all", "join"})
_PAIRS = (
    "min max", "any all", "floor ceil", "lower upper", "startswith endswith", "find rfind", "index rindex",
    "lstrip rstrip", "ljust rjust", "union intersection", "bisect_left bisect_right", "issubset issuperset",
    "isalpha isdigit", "combinations permutations",
)  # fmt: skip
_OPPOSITES = {one: other for pair in _PAIRS for one, other in (pair.split(), pair.split()[::-1])}
_OPTIONS = frozenset({"key", "reverse", "default", "start", "sep", "end", "strict", "ndigits"})
_ALIKE = (
    ("append", "extend", "add", "appendleft", "insert"), ("pop", "popleft", "remove"), ("add", "discard", "remove"),
    ("keys", "values", "items"), ("sum", "len", "max", "min"), ("update", "add"), ("split", "rsplit"),
    ("isdigit", "isalnum", "isalpha", "isnumeric", "isdecimal"), ("round", "int", "floor", "ceil"),
    ("sorted", "reversed", "list", "set"),
)  # fmt: skip
_AROUND = ("len", "list", "sorted", "set", "abs", "int", "str", "reversed", "sum", "max", "min", "tuple")
_AROUND_NUMBERS = frozenset({"abs", "int", "str"})


def unwrapped(scope: Scope, node: ast.Call) -> Iterator[Edit]:
    """`sorted(x)` as `x`, `x.strip()` as `x`, where that is a change that can show."""
    (parent, field, _), function = scope.code.places[node], called(node)
    if function in _COPIES and (field == "iter" or called(parent) in _READERS):
        return
    if isinstance(node.func, ast.Name) and function in _OFF and node.args and not isinstance(node.args[0], ast.Starred):
        yield from each("call dropped", node, node.args[:1])
    elif isinstance(node.func, ast.Attribute) and function in _METHODS_OFF:
        yield from each("call dropped", node, [node.func.value])


def option_dropped(_: Scope, node: ast.Call) -> Iterator[Edit]:
    """Without `reverse=`, `key=` and the like."""
    for index, keyword in enumerate(node.keywords):
        if keyword.arg in _OPTIONS:
            fewer = with_fields(node, keywords=without(node.keywords, index))
            yield from each("argument dropped", node, [fewer])


def opposite(_: Scope, node: ast.Call) -> Iterator[Edit]:
    """The function or method that does the opposite: `min` as `max`, `any` as `all`."""
    if called(node) in _OPPOSITES:
        yield from _instead(node, _OPPOSITES[called(node)], 0.6)


def other_function(_: Scope, node: ast.Call) -> Iterator[Edit]:
    """A function or method that is alike; `pop()` as `pop(0)`."""
    function = called(node)
    for other in dict.fromkeys(other for group in _ALIKE if function in group for other in group if other != function):
        yield from _instead(node, other, 0.5 if (function, other) == ("append", "extend") else 0.25)
    if isinstance(node.func, ast.Attribute) and function == "pop":
        first: list[ast.expr] = [] if node.args else [ast.Constant(0)]
        yield from each("argument", node, [with_fields(node, args=first)], 0.3)


def _instead(node: ast.Call, other: str, prior: float) -> Iterator[Edit]:
    if isinstance(node.func, ast.Name):
        yield from each("other call", node.func, [name(other)], prior)
    elif isinstance(node.func, ast.Attribute):
        func = ast.Attribute(node.func.value, other, ast.Load())
        yield from each("other call", node, [with_fields(node, func=func)], prior)


def arguments(scope: Scope, node: ast.Call) -> Iterator[Edit]:
    """Arguments swapped, dropped and added, and the call taken off its only argument."""
    args = node.args
    for low in range(len(args)):
        for high in range(low + 1, min(len(args), low + 4)):
            swapped = list(args)
            swapped[low], swapped[high] = swapped[high], swapped[low]
            yield from each("arguments swapped", node, [with_fields(node, args=swapped)], 0.5)
        yield from each("argument dropped", node, [with_fields(node, args=without(args, low))], 0.15)
    if len(args) == 1 and not node.keywords:
        yield from each("call dropped", node, args, 0.3)
    if isinstance(node.func, ast.Attribute) and not args:
        yield from each("call dropped", node, [node.func.value], 0.3)
    if isinstance(node.func, ast.Name):
        longer = (with_fields(node, args=[*args, name(other)]) for other in scope.variables(node)[:8])
        yield from each("argument added", node, longer, 0.08)


def own_call(scope: Scope, node: ast.Call) -> Iterator[Edit]:
    """A call of a function of the piece: its result one more, or joined to something; smaller arguments."""
    if called(node) not in scope.functions:
        return
    one = ast.Constant(1)
    yield from each("operand added", node, [plus(node, 1), plus(node, -1), ast.BinOp(one, ast.Add(), node)], 0.25)
    yield from each("negation", node, [ast.UnaryOp(op, node) for op in (ast.Not(), ast.USub())], 0.06)
    for text in scope.variables(node):
        other = name(text)
        for added in (other, ast.List([other], ast.Load())):
            joined = [ast.BinOp(added, ast.Add(), node), ast.BinOp(node, ast.Add(), added)]
            yield from each("operand added", node, joined, 0.1)
        if scope.may_be(text, NUMBER):
            yield from each("operand added", node, [ast.BinOp(other, ast.Mult(), node)], 0.05)
            yield from each("bounded", node, [call("max", other, node), call("min", other, node)], 0.05)
    for argument in node.args:
        if isinstance(argument, ast.Name) and scope.seems(argument, ITEMS):
            parts = (ast.Slice(one), ast.Slice(None, ast.UnaryOp(ast.USub(), one)))
            yield from each("argument", argument, [ast.Subscript(argument, part, ast.Load()) for part in parts], 0.25)
        if scope.seems(argument, NUMBER):
            yield from each("argument", argument, [ast.BinOp(argument, ast.FloorDiv(), ast.Constant(2))], 0.1)


def wrapped(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """A value that is returned, passed, kept or gone through: in a call, copied, backwards, in a list."""
    parent, field, _ = scope.code.places[node]
    of_call = isinstance(parent, ast.Call) and field == "args"
    of_statement = isinstance(parent, ast.Return | ast.Assign | ast.Yield) and field == "value"
    if not (of_call or of_statement or field == "iter") or isinstance(node, ast.Constant | ast.Starred):
        return
    prior = 0.03 if of_call else 0.06
    for around in _AROUND:
        kind = NUMBER if around in _AROUND_NUMBERS else ITEMS
        if called(node) != around and called(parent) != around and scope.seems(node, kind):
            yield from each("call added", node, [call(around, node)], prior)
    if scope.seems(node, ITEMS):
        copied = ast.Call(ast.Attribute(node, "copy", ast.Load()), [], [])
        whole = ast.Subscript(node, ast.Slice(), ast.Load())
        backwards = ast.Slice(None, None, ast.UnaryOp(ast.USub(), ast.Constant(1)))
        yield from each("copied", node, [copied, whole, call("list", node)], 0.12)
        yield from each("order", node, [ast.Subscript(node, backwards, ast.Load())], prior)
    yield from each("in a list", node, [ast.List([node], ast.Load())], 0.05)
    yield from each("call added", node, (call(own, node) for own in scope.functions if called(node) != own), 0.05)


def other_comprehension(_: Scope, node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> Iterator[Edit]:
    """A list that is made as a set or a generator, and the other way round."""
    kinds = (kind for kind in (ast.ListComp, ast.GeneratorExp, ast.SetComp) if not isinstance(node, kind))
    yield from each("comprehension", node, (kind(node.elt, node.generators) for kind in kinds), 0.1)
