"""Which import lines a piece of generated source needs for the well-known names that it leaves free."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable

from tdgen.source.names import KNOWN_NAMES, PACKAGES, STDLIB
from tdgen.source.syntax import parse

_BUILTINS = frozenset(vars(builtins))


def free_names(tree: ast.AST) -> frozenset[str]:
    """Names that `tree` reads and nowhere binds, builtins left out. Scopes are not told apart: bound once is bound."""
    read, bound = set[str](), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)
    return frozenset(read - bound - _BUILTINS)


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
        as_module = _used_as_module(tree)
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


def _used_as_module(tree: ast.AST) -> frozenset[str]:
    """Names such as `datetime` that are a module here because one of the module's own names follows the dot."""
    return frozenset(
        node.value.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in STDLIB
        and KNOWN_NAMES.get(node.attr) == node.value.id
    )
