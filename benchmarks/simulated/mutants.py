"""Faults that are one small change of the right answer: every way to put each kind in, as sources."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from simulated.problems import Problem
from simulated.reference import function_in, right_module, right_source, source_of, statements

Change = Callable[[ast.AST], Iterator[ast.AST]]
_COMPARED_BESIDE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
_OTHER_SIGN: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add}
_CONFUSED = {
    "append": "add",
    "add": "append",
    "lower": "to_lower",
    "upper": "to_upper",
    "split": "splits",
    "join": "concat",
    "items": "iteritems",
    "count": "count_of",
    "extend": "add_all",
    "replace": "substitute",
}


def unreadable(problem: Problem, others: Sequence[Problem]) -> Iterator[str]:
    """The right answer with a colon or a closing bracket missing at the end of one line."""
    del others
    lines = right_source(problem).splitlines()
    for number, line in enumerate(lines):
        if line.rstrip().endswith((":", ")", "]")) and line.strip():
            broken = "\n".join([*lines[:number], line.rstrip()[:-1], *lines[number + 1 :]]) + "\n"
            if not _parses(broken):
                yield broken


def unimported(problem: Problem, others: Sequence[Problem]) -> Iterator[str]:
    """Without one of its imports; where it needs none, with a use of one that isn't there."""
    del others
    tree = right_module(problem)
    found = False
    for place, node in enumerate(tree.body):
        if isinstance(node, ast.Import):
            found = True
            yield source_of(ast.Module(body=tree.body[:place] + tree.body[place + 1 :], type_ignores=[]))
    if found:
        return
    for call in ("copy", "deepcopy"):
        yield from _changed(problem, partial(_copied_return, call=call))


def misnamed(problem: Problem, others: Sequence[Problem]) -> Iterator[str]:
    """A variable misspelled in one place where it is read; the function under a name that is nearly right."""
    del others
    own = _bound(function_in(right_module(problem), problem.function))

    def misspelled(node: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in own:
            yield ast.Name(id=f"{node.id}s" if not node.id.endswith("s") else node.id[:-1] or "x", ctx=ast.Load())

    yield from _changed(problem, misspelled)
    tree = right_module(problem)
    function_in(tree, problem.function).name = f"{problem.function}_impl"
    yield source_of(tree)


def beside(problem: Problem, others: Sequence[Problem]) -> Iterator[str]:
    """One constant, comparison, sign or boundary beside the right one."""
    del others
    yield from _changed(problem, _beside)


def raising(problem: Problem, others: Sequence[Problem]) -> Iterator[str]:
    """An index too far, a method that isn't there, a bare conversion at the door."""
    del others
    yield from _changed(problem, _too_far)
    tree = right_module(problem)
    function = function_in(tree, problem.function)
    name = function.args.args[0].arg if function.args.args else ""
    for line in (f"{name}[0]", f"1 / len({name})", f"int({name})", f"[0, 1][len(str({name})) % 3]"):
        if name:
            yield with_lines(problem, f"first = {line}")


def with_lines(problem: Problem, lines: str) -> str:
    """The right answer with lines of code in front of the function's own."""
    tree = right_module(problem)
    function = function_in(tree, problem.function)
    at = len(function.body) - len(statements(function))
    function.body[at:at] = ast.parse(lines).body
    return source_of(tree)


def _too_far(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice) and isinstance(node.ctx, ast.Load):
        yield ast.Subscript(node.value, ast.BinOp(node.slice, ast.Add(), ast.Constant(1)), ast.Load())
    if isinstance(node, ast.Attribute) and node.attr in _CONFUSED:
        yield ast.Attribute(node.value, _CONFUSED[node.attr], ast.Load())


def _beside(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield from (ast.Constant(node.value + step) for step in (1, -1))
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARED_BESIDE:
        yield ast.Compare(node.left, [_COMPARED_BESIDE[type(node.ops[0])](), *node.ops[1:]], node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in _OTHER_SIGN:
        yield ast.BinOp(node.left, _OTHER_SIGN[type(node.op)](), node.right)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        last = min(len(node.args), 2) - 1
        for operator in (ast.Add(), ast.Sub()):
            stop = ast.BinOp(node.args[last], operator, ast.Constant(1))
            yield ast.Call(node.func, [*node.args[:last], stop, *node.args[last + 1 :]], node.keywords)


def _copied_return(node: ast.AST, call: str) -> Iterator[ast.AST]:
    if isinstance(node, ast.Return) and node.value is not None:
        function = ast.Attribute(ast.Name("copy", ast.Load()), call, ast.Load())
        yield ast.Return(ast.Call(function, [node.value], []))


def _changed(problem: Problem, change: Change) -> Iterator[str]:
    """Every source that one change at one place of the function's statements makes."""
    places = list(ast.walk(ast.Module(statements(_function(right_module(problem), problem)), [])))
    for place, node in enumerate(places):
        for number, _ in enumerate(change(node)):
            tree = right_module(problem)
            body = ast.Module(statements(_function(tree, problem)), [])
            target = list(ast.walk(body))[place]
            replacement = copy.deepcopy(list(change(target))[number])
            _put(tree, target, replacement)
            yield source_of(tree)


def _put(tree: ast.Module, target: ast.AST, replacement: ast.AST) -> None:
    class Replacing(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return replacement if node is target else super().visit(node)

    Replacing().visit(tree)


def _function(tree: ast.Module, problem: Problem) -> ast.FunctionDef:
    return function_in(tree, problem.function)


def _bound(function: ast.FunctionDef) -> frozenset[str]:
    names = {arg.arg for arg in function.args.args}
    stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return frozenset(names | stored)


def _parses(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True
