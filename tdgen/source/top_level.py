"""What a module binds at its top level, and the import by which another module has it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from tdgen.source.syntax import Definition, parse


class Bound(NamedTuple):
    """A name that a module binds: whether it is defined there, and the line by which another module imports it."""

    name: str
    line: str
    is_own: bool = False


@lru_cache(maxsize=4)
def bindings(source: str, module: str, *, is_package: bool = False) -> dict[str, Bound]:
    """The names that the source of `module` binds at its top level, in branches of it too, by name.

    Relative imports are told as absolute ones. What `import *` binds is not known. SyntaxError where it is no Python.
    """
    package = module if is_package else module.rpartition(".")[0]
    return {one.name: one for node, _ in statements(parse(source).body) for one in _bound(node, module, package)}


def statements(body: Iterable[ast.stmt], *, typing: bool = False) -> Iterator[tuple[ast.stmt, bool]]:
    """The statements that bind names at a module's top level, and whether only type checkers see them."""
    for node in body:
        only = typing or (isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"))
        if isinstance(node, ast.If):
            yield from statements(node.body, typing=only)
            yield from statements(node.orelse, typing=typing)
        elif isinstance(node, ast.Try | ast.With | ast.For | ast.While):
            handlers = [inner for handler in getattr(node, "handlers", ()) for inner in handler.body]
            parts = [*node.body, *handlers, *getattr(node, "orelse", ()), *getattr(node, "finalbody", ())]
            yield from statements(parts, typing=typing)
        else:
            yield node, typing


def _bound(node: ast.stmt, module: str, package: str) -> Iterator[Bound]:
    match node:
        case ast.Import(names=aliases):
            for alias in aliases:
                name = alias.asname or alias.name.partition(".")[0]
                yield Bound(name, f"import {alias.name}" + f" as {alias.asname}" * bool(alias.asname))
        case ast.ImportFrom(module="__future__"):
            return
        case ast.ImportFrom(names=aliases):
            origin = absolute(node, package)
            for alias in aliases:
                line = f"from {origin} import {alias.name}" + f" as {alias.asname}" * bool(alias.asname)
                if alias.name != "*":
                    yield Bound(alias.asname or alias.name, line)
        case _:
            yield from (Bound(name, f"from {module} import {name}", is_own=True) for name in defined_names(node))


def absolute(node: ast.ImportFrom, package: str) -> str:
    """The module that a `from` names, a relative one from within `package`."""
    if not node.level:
        return node.module or ""
    parts = package.split(".") if package else []
    above = parts[: len(parts) - node.level + 1]
    return ".".join([*above, *([node.module] if node.module else [])])


def defined_names(node: ast.stmt) -> list[str]:
    """The names that a statement at module level binds, imports aside."""
    if isinstance(node, Definition):
        return [node.name]
    targets = [*getattr(node, "targets", ()), getattr(node, "target", None), getattr(node, "name", None)]
    parts = (part for target in targets if isinstance(target, ast.AST) for part in ast.walk(target))
    return [part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
