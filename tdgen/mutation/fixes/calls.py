"""Calls: arguments swapped, dropped, appended; the opposite called; taken off, put around; a recursion that shrinks."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.code import Code
from tdgen.mutation.fixes.guess import Guess, name, swaps
from tdgen.mutation.operators.calls import OPPOSITES
from tdgen.mutation.operators.nodes import call, called, plus, with_fields
from tdgen.mutation.scope import ITEMS, NUMBER, Scope

_ALIKE = (
    ("append", "extend", "add", "appendleft", "insert"), ("pop", "popleft", "remove"), ("add", "discard", "remove"),
    ("keys", "values", "items"), ("sum", "len", "max", "min"), ("update", "add"), ("split", "rsplit"),
    ("isdigit", "isalnum", "isalpha", "isnumeric", "isdecimal"), ("round", "int", "floor", "ceil"),
    ("sorted", "reversed", "list", "set"),
)  # fmt: skip
_AROUND = ("len", "list", "sorted", "set", "abs", "int", "str", "reversed", "sum", "max", "min", "tuple")
_AROUND_NUMBERS = frozenset({"abs", "int", "str"})


def call_fixes(code: Code, scope: Scope, node: ast.expr) -> Iterator[Guess]:
    """The guesses at a call, and at what might have to be in one."""
    if isinstance(node, ast.Call):
        yield from _other(node)
        yield from _arguments(scope, node)
        if called(node) == "range":
            yield from _range(node)
        if called(node) in scope.functions:
            yield from _of_own(scope, node)
    if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp):
        yield from _comprehension(node)
    yield from _wrapped(code, scope, node)


def _other(node: ast.Call) -> Iterator[Guess]:
    told, func = called(node), node.func
    others = {other: 0.25 for group in _ALIKE if told in group for other in group if other != told}
    if opposite := OPPOSITES.get(told):
        others[opposite] = 0.6
    for other, prior in others.items():
        if told == "append" and other == "extend":
            prior = 0.5
        if isinstance(func, ast.Name):
            yield from swaps(prior, "other call", func, [name(other)])
        elif isinstance(func, ast.Attribute):
            anew = ast.Attribute(func.value, other, ast.Load())
            yield from swaps(prior, "other call", node, [with_fields(node, func=anew)])
    if isinstance(func, ast.Attribute) and told == "pop":
        first = [] if node.args else [ast.Constant(0)]
        yield from swaps(0.3, "argument", node, [with_fields(node, args=first)])


def _arguments(scope: Scope, node: ast.Call) -> Iterator[Guess]:
    args = node.args
    for low in range(len(args)):
        for high in range(low + 1, min(len(args), low + 4)):
            anew = list(args)
            anew[low], anew[high] = anew[high], anew[low]
            yield from swaps(0.5, "arguments swapped", node, [with_fields(node, args=anew)])
        rest = [*args[:low], *args[low + 1 :]]
        yield from swaps(0.15, "argument dropped", node, [with_fields(node, args=rest)])
    if len(args) == 1 and not node.keywords:
        yield from swaps(0.3, "call dropped", node, args)
    if isinstance(node.func, ast.Attribute) and not args:
        yield from swaps(0.3, "call dropped", node, [node.func.value])
    if isinstance(node.func, ast.Name):
        for other in scope.variables(node)[:8]:
            yield from swaps(0.08, "argument added", node, [with_fields(node, args=[*args, name(other)])])


def _range(node: ast.Call) -> Iterator[Guess]:
    one = ast.Constant(1)
    if len(node.args) == 1:
        stop = node.args[0]
        changed = [call("range", one, stop), call("range", one, plus(stop, 1))]
        yield from swaps(0.4, "bound", node, changed)
    elif len(node.args) == 2:
        start, stop = node.args
        changed = [
            call("range", stop),
            call("range", start, plus(stop, 1)),
            call("range", plus(start, 1), plus(stop, 1)),
        ]
        yield from swaps(0.2, "bound", node, changed)
    yield from swaps(0.12, "order", node, [call("reversed", node)])


def _of_own(scope: Scope, node: ast.Call) -> Iterator[Guess]:
    """A call of a function of the piece: its result one more, or joined to something; smaller arguments."""
    one = ast.Constant(1)
    yield from swaps(0.25, "operand added", node, [plus(node, 1), plus(node, -1), ast.BinOp(one, ast.Add(), node)])
    yield from swaps(0.06, "negation", node, [ast.UnaryOp(ast.Not(), node), ast.UnaryOp(ast.USub(), node)])
    for other in scope.variables(node):
        single: list[ast.expr] = [name(other), ast.List([name(other)], ast.Load())]
        for added in single:
            pair = [ast.BinOp(added, ast.Add(), node), ast.BinOp(node, ast.Add(), added)]
            yield from swaps(0.1, "operand added", node, pair)
        if scope.may_be(other, NUMBER):
            yield from swaps(0.05, "operand added", node, [ast.BinOp(name(other), ast.Mult(), node)])
            yield from swaps(0.05, "bounded", node, [call(f, name(other), node) for f in ("max", "min")])
    for argument in node.args:
        if scope.seems(argument, ITEMS) and isinstance(argument, ast.Name):
            parts = [ast.Slice(one), ast.Slice(None, ast.UnaryOp(ast.USub(), one))]
            smaller = [ast.Subscript(argument, part, ast.Load()) for part in parts]
            yield from swaps(0.25, "argument", argument, smaller)
        if scope.seems(argument, NUMBER):
            half = ast.BinOp(argument, ast.FloorDiv(), ast.Constant(2))
            yield from swaps(0.1, "argument", argument, [half])


def _wrapped(code: Code, scope: Scope, node: ast.expr) -> Iterator[Guess]:
    """A value that is returned, passed, kept or gone through, in a call."""
    parent, field, _ = code.places[node]
    of_call = isinstance(parent, ast.Call) and field == "args"
    of_statement = isinstance(parent, ast.Return | ast.Assign | ast.Yield) and field == "value"
    if not (of_call or of_statement or field == "iter") or isinstance(node, ast.Constant | ast.Starred):
        return
    prior = 0.03 if of_call else 0.06
    for around in _AROUND:
        kind = NUMBER if around in _AROUND_NUMBERS else ITEMS
        if called(node) != around and called(parent) != around and scope.seems(node, kind):
            yield from swaps(prior, "call added", node, [call(around, node)])
    if scope.seems(node, ITEMS):
        copied = ast.Call(ast.Attribute(node, "copy", ast.Load()), [], [])
        whole = ast.Subscript(node, ast.Slice(), ast.Load())
        yield from swaps(0.12, "copied", node, [copied, whole, call("list", node)])
        yield from swaps(prior, "order", node, [ast.Subscript(node, _backwards(), ast.Load())])
    yield from swaps(0.05, "in a list", node, [ast.List([node], ast.Load())])
    for own in scope.functions:
        if called(node) != own:
            yield from swaps(0.05, "call added", node, [call(own, node)])


def _backwards() -> ast.Slice:
    return ast.Slice(None, None, ast.UnaryOp(ast.USub(), ast.Constant(1)))


def _comprehension(node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> Iterator[Guess]:
    for kind in (ast.ListComp, ast.GeneratorExp, ast.SetComp):
        if not isinstance(node, kind):
            yield from swaps(0.1, "comprehension", node, [kind(node.elt, node.generators)])
