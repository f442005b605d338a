"""Syntax trees read and rewritten, small ones put together, and the imports that a source needs."""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

from tdgen.source.names import KNOWN_NAMES, PACKAGES, STDLIB, is_in_module
from tdgen.source.syntax import Definition, parse, walk


def name(text: str) -> ast.Name:
    """A variable that is read."""
    return ast.Name(text, ast.Load())


def names(texts: Iterable[str]) -> list[ast.expr]:
    """Variables that are read."""
    return [name(text) for text in texts]


def constant(value: str | bytes | float | None) -> ast.expr:
    """A number, text, bool or None as an expression; negative numbers as Python reads them."""
    if isinstance(value, int | float) and not isinstance(value, bool) and value < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def is_not(node: ast.expr) -> bool:
    """Whether it is `not …`."""
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def plus(node: ast.expr, by: int) -> ast.expr:
    """`node + 1` or `node - 1`."""
    return ast.BinOp(node, ast.Add() if by > 0 else ast.Sub(), ast.Constant(abs(by)))


def number(node: ast.AST | None) -> int | None:
    """The whole number that stands there, if it is one."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = number(node.operand)
        return None if value is None else -value
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    return None


def call(function: str, *arguments: ast.expr) -> ast.Call:
    """`function(arguments)`."""
    return ast.Call(name(function), list(arguments), [])


def called(node: ast.AST) -> str:
    """The name of the function or method that a call calls, or nothing."""
    if not isinstance(node, ast.Call):
        return ""
    func = node.func
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""


def is_text(node: ast.AST) -> bool:
    """Whether it is certainly a text."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def is_display(node: ast.AST) -> bool:
    """Whether it certainly is a text or a collection, not a number."""
    kinds = (ast.List, ast.ListComp, ast.Tuple, ast.Dict, ast.Set, ast.DictComp, ast.SetComp)
    return is_text(node) or isinstance(node, kinds)


def without(items: list[Any], index: int) -> list[Any]:
    """The items but one."""
    return [*items[:index], *items[index + 1 :]]


def assigned(target: ast.expr, value: ast.expr) -> ast.Assign:
    """`target = value`."""
    return ast.Assign([target], value, lineno=0)


def with_fields(node: ast.expr, **fields: object) -> ast.expr:
    """A copy with other fields."""
    values: dict[str, Any] = {f: fields.get(f, getattr(node, f)) for f in node._fields}
    return type(node)(**values)


_BUILTINS = frozenset(vars(builtins))


def free_names(tree: ast.AST) -> frozenset[str]:
    """Names that `tree` reads and nowhere binds, builtins left out. Scopes are not told apart: bound once is bound."""
    return frozenset(read_names(tree) - bound_names(tree) - _BUILTINS)


def import_lines(sources: Iterable[str], known: Iterable[str] = (), packages: Iterable[str] = ()) -> tuple[str, ...]:
    """The import statements, sorted, for the well-known names free in `sources`; names in `known` need none.

    `np` and `pd` are such names too: whether their packages are allowed is for others to say. So are the names of
    `packages`.
    """
    modules: set[str] = set()
    tops = {package.partition(".")[0] for package in packages}
    third: set[str] = set()
    froms: set[tuple[str, str]] = set()
    skip = frozenset(known)
    for source in sources:
        tree = parse(source)
        # Names such as `datetime` that are a module here because one of the module's own names follows the dot.
        attributes = [node for node in walk(tree) if isinstance(node, ast.Attribute)]
        parted = {(node.value.id, node.attr) for node in attributes if isinstance(node.value, ast.Name)}
        as_module = {module for module, name in parted if module in STDLIB and is_in_module(module, name)}
        for name in free_names(tree) - skip:
            if name in KNOWN_NAMES and name not in as_module:
                froms.add((KNOWN_NAMES[name], name))
            elif name in STDLIB:
                modules.add(name)
            elif name in PACKAGES or name in tops:
                package = PACKAGES.get(name, name)
                third.add(f"import {package}" + f" as {name}" * (name != package))
    by_module: dict[str, list[str]] = {}
    for module, name in sorted(froms):
        by_module.setdefault(module, []).append(name)
    plain = [f"import {module}" for module in sorted(modules)]
    parts = [f"from {module} import {', '.join(names)}" for module, names in sorted(by_module.items())]
    return (*plain, *parts, *sorted(third))


Tree = TypeVar("Tree", bound=ast.AST)


_NAMED = (*get_args(Definition), ast.ExceptHandler, ast.MatchAs, ast.MatchStar)


class Unread(Exception):
    """This test says something that can't be told as a case; the message says what."""


@dataclass(eq=False)
class _Rewriting(ast.NodeTransformer):
    values: Mapping[str, ast.expr]
    prefixes: Collection[str]

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.values and isinstance(node.ctx, ast.Load):
            return copy.deepcopy(self.values[node.id])
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if dotted(node.value) in self.prefixes:
            return ast.Name(node.attr, node.ctx)
        return self.generic_visit(node)


def rewritten(tree: Tree, values: Mapping[str, ast.expr], prefixes: Collection[str] = ()) -> Tree:
    """A copy of `tree` with the names in `values` replaced, and `prefix.name` become `name`."""
    result: Tree = _Rewriting(values, prefixes).visit(copy.deepcopy(tree))
    return ast.fix_missing_locations(result)


def replaced(tree: ast.expr, old: ast.expr, name: str) -> ast.expr:
    """A copy of `tree` where the very node `old` has become the name `name`."""

    class Replacement(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            if node is old:
                return ast.Name(name, ast.Load())
            twin = copy.copy(node)  # with lists of its own, so that the original keeps its children
            for field, value in ast.iter_fields(node):
                if isinstance(value, list):
                    setattr(twin, field, list(value))
            return self.generic_visit(twin)

    result = Replacement().visit(tree)
    assert isinstance(result, ast.expr)
    return ast.fix_missing_locations(result)


def dotted(tree: ast.AST) -> str:
    """`a.b.c` for names joined by dots, "" for everything else."""
    if isinstance(tree, ast.Name):
        return tree.id
    if isinstance(tree, ast.Attribute) and (before := dotted(tree.value)):
        return f"{before}.{tree.attr}"
    return ""


def bare(node: ast.expr) -> ast.expr:
    """A decorator, or a base, without what it is called or subscripted with."""
    return node.func if isinstance(node, ast.Call) else node.value if isinstance(node, ast.Subscript) else node


def decorator_names(node: Definition) -> set[str]:
    """The names of a definition's decorators, without the modules that they are in."""
    return {dotted(bare(one)).rpartition(".")[2] for one in node.decorator_list}


def called_names(tree: ast.AST) -> Iterator[str]:
    """The dotted name of each call in `tree`, where it has one."""
    return filter(None, (dotted(node.func) for node in walk(tree) if isinstance(node, ast.Call)))


def names_in(tree: ast.AST) -> set[str]:
    """The names that `tree` reads or binds as variables."""
    return {node.id for node in walk(tree) if isinstance(node, ast.Name)}


def stored_names(tree: ast.AST) -> set[str]:
    """The names that `tree` binds as variables."""
    return {n.id for n in walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def read_names(tree: ast.AST) -> set[str]:
    """The names that `tree` reads."""
    return {n.id for n in walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def bound_names(tree: ast.AST) -> set[str]:
    """The names that `tree` binds, in whatever scope."""
    bound: set[str] = set()
    for node in walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, _NAMED) and node.name:
            bound.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            bound.add(node.rest)
    return bound


def changed_names(tree: ast.AST) -> set[str]:
    """The names whose values `tree` may change in place: those with a method called, an item or attribute stored."""
    changed = [node.func for node in walk(tree) if isinstance(node, ast.Call)]
    parts = (ast.Attribute, ast.Subscript)
    changed += [node for node in walk(tree) if isinstance(node, parts) and not isinstance(node.ctx, ast.Load)]
    return {name for node in changed if isinstance(node, parts) and (name := dotted(node.value).split(".")[0])}


def outermost_calls(tree: ast.AST, functions: Collection[str]) -> Iterator[ast.Call]:
    """The calls of `functions` in `tree` that stand in no other such call."""
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id in functions:
        yield tree
        return
    for child in ast.iter_child_nodes(tree):
        yield from outermost_calls(child, functions)


def plain_call(node: ast.AST | None, function: str) -> ast.Call | None:
    """The node, where it is a call of a function by its name that spreads nothing; else None."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != function:
        return None
    starred = any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords)
    return None if starred else node


def parameter_names(node: ast.AST) -> list[str]:
    """The names of a function's parameters in order, variadic ones with their stars; none of a class."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return []
    given = node.args
    star = [f"*{given.vararg.arg}"] if given.vararg else []
    more = [f"**{given.kwarg.arg}"] if given.kwarg else []
    plain = [one.arg for one in (*given.posonlyargs, *given.args)]
    return [*plain, *star, *(one.arg for one in given.kwonlyargs), *more]
