"""Syntax trees looked at and rewritten: names replaced, names read and bound, calls found."""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterator, Mapping
from typing import TypeVar

Tree = TypeVar("Tree", bound=ast.AST)


_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler)


class Unread(Exception):
    """This test says something that can't be told as a case; the message says what."""


class _Rewriting(ast.NodeTransformer):
    def __init__(self, values: Mapping[str, ast.expr], prefixes: Collection[str]) -> None:
        self.values, self.prefixes = values, prefixes

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


def substituted(tree: Tree, values: Mapping[str, ast.expr]) -> Tree:
    """A copy of `tree` with the names in `values` replaced; Unread where it binds one of them itself."""
    if clash := bound_names(tree) & values.keys():
        raise Unread(f"{min(clash)} is bound again")
    return rewritten(tree, values)


def replaced(tree: ast.expr, old: ast.expr, name: str) -> ast.expr:
    """A copy of `tree` where the very node `old` has become the name `name`."""

    class Replacement(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return ast.Name(name, ast.Load()) if node is old else self.generic_visit(_twin(node))

    result = Replacement().visit(tree)
    assert isinstance(result, ast.expr)
    return ast.fix_missing_locations(result)


def _twin(node: ast.AST) -> ast.AST:
    """A copy of one node with lists of its own, so that the original keeps its children."""
    twin = copy.copy(node)
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            setattr(twin, name, list(value))
    return twin


def dotted(tree: ast.AST) -> str:
    """`a.b.c` for names joined by dots, "" for everything else."""
    if isinstance(tree, ast.Name):
        return tree.id
    if isinstance(tree, ast.Attribute) and (before := dotted(tree.value)):
        return f"{before}.{tree.attr}"
    return ""


def called_names(tree: ast.AST) -> Iterator[str]:
    """The dotted name of each call in `tree`, where it has one."""
    return filter(None, (dotted(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)))


def read_names(tree: ast.AST) -> set[str]:
    """The names that `tree` reads."""
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def bound_names(tree: ast.AST) -> set[str]:
    """The names that `tree` binds, in whatever scope."""
    bound: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, _NAMED) and node.name:
            bound.add(node.name)
    return bound


def outermost_calls(tree: ast.AST, functions: Collection[str]) -> Iterator[ast.Call]:
    """The calls of `functions` in `tree` that stand in no other such call."""
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id in functions:
        yield tree
        return
    for child in ast.iter_child_nodes(tree):
        yield from outermost_calls(child, functions)
