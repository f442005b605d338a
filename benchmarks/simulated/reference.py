"""The right answer as a developer would write it: the reference's imports, its helpers, and the function."""

from __future__ import annotations

import ast
import copy

from simulated.problems import Problem


def right_module(problem: Problem) -> ast.Module:
    """The reference as a tree of its own, with a docstring of one line in the function."""
    tree = ast.parse(problem.reference)
    body: list[ast.stmt] = [
        node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef)
    ]
    for node in body:
        if isinstance(node, ast.FunctionDef):
            _with_short_docstring(node)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    kept = [node for node in body if not isinstance(node, ast.Import | ast.ImportFrom) or _is_used(node, used)]
    return ast.Module(body=copy.deepcopy(kept), type_ignores=[])


def right_source(problem: Problem) -> str:
    """The right answer's source."""
    return source_of(right_module(problem))


def source_of(tree: ast.Module) -> str:
    """A tree as source."""
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def function_in(tree: ast.Module, name: str) -> ast.FunctionDef:
    """The definition of that name; KeyError where there is none."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return node
    raise KeyError(name)


def statements(function: ast.FunctionDef) -> list[ast.stmt]:
    """The function's statements after its docstring."""
    has_docstring = ast.get_docstring(function, clean=False) is not None
    return function.body[1:] if has_docstring else function.body


def _with_short_docstring(node: ast.FunctionDef) -> None:
    body = statements(node)
    node.body = [ast.Expr(ast.Constant(f"Do what the contract of {node.name} says.")), *(body or [ast.Pass()])]


def _is_used(node: ast.Import | ast.ImportFrom, used: set[str]) -> bool:
    return any((alias.asname or alias.name).split(".")[0] in used for alias in node.names)
