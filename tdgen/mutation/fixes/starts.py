"""Values that a variable starts with, and how it is kept: `[]` as `[[]]`, `=` as `+=`, the larger of both."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.changes import instead
from tdgen.mutation.code import Code
from tdgen.mutation.fixes.guess import Guess, names, swaps
from tdgen.mutation.operators.arithmetic import assigned
from tdgen.mutation.operators.nodes import call
from tdgen.mutation.scope import Scope

_AUGMENTED = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Div, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor)


def start_fixes(scope: Scope, node: ast.expr) -> Iterator[Guess]:
    """The guesses at an empty or nested collection, and at infinity."""
    if isinstance(node, ast.List) and isinstance(node.ctx, ast.Load):
        if node.elts:
            yield from swaps(0.15, "start", node, [ast.List([], ast.Load()), *node.elts[:1]])
            return
        inner = [ast.List([], ast.Load()), ast.Constant(0), ast.Constant(1), ast.Constant(""), ast.Constant(None)]
        yield from swaps(0.25, "start", node, [ast.List(inner[:1], ast.Load())])
        yield from swaps(0.08, "start", node, [ast.List([value], ast.Load()) for value in inner[1:]])
        yield from swaps(0.1, "start", node, [ast.Dict([], []), call("set")])
        held = (ast.List([other], ast.Load()) for other in names(scope.variables(node)))
        yield from swaps(0.1, "start", node, held)
    elif isinstance(node, ast.Dict) and not node.keys:
        yield from swaps(0.1, "start", node, [ast.List([], ast.Load()), call("set")])
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id == "set" and not node.args:
            yield from swaps(0.1, "start", node, [ast.List([], ast.Load()), ast.Dict([], [])])
        if node.func.id == "float":
            yield from swaps(0.25, "start", node, [ast.UnaryOp(ast.USub(), node), ast.Constant(0)])


def keeping_fixes(code: Code, node: ast.stmt) -> Iterator[Guess]:
    """The guesses at an assignment as a whole."""
    if isinstance(node, ast.AugAssign):
        others = [ast.AugAssign(node.target, op(), node.value) for op in _AUGMENTED if not isinstance(node.op, op)]
        for other in others:
            prior = 0.6 if {type(node.op), type(other.op)} == {ast.Add, ast.Sub} else 0.15
            yield Guess(prior, instead(code, "augmented assignment", node, other))
        yield Guess(0.4, instead(code, "augmented assignment", node, assigned(node.target, node.value)))
    elif isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
        if not isinstance(target, ast.Name | ast.Attribute | ast.Subscript):
            return
        for op in (ast.Add, ast.Sub, ast.Mult):
            prior = 0.25 if op is ast.Add else 0.08
            yield Guess(prior, instead(code, "augmented assignment", node, ast.AugAssign(target, op(), node.value)))
        for name in ("max", "min"):
            yield Guess(0.12, instead(code, "bounded", node, assigned(target, call(name, target, node.value))))
