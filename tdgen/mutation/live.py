"""Which nodes of a piece are worth changing: what the function reaches and what running it can show.

Left out are docstrings, annotations, decorators, imports, type-only code, `if __name__`, what is logged, and what an
exception or an assertion says: cases rarely fix messages.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from tdgen.mutation.code import Code
from tdgen.mutation.nodes import called

_SKIPPED_FIELDS = frozenset(
    {"decorator_list", "returns", "annotation", "bases", "type_params", "pattern", "names", "format_spec"}
)
_SKIPPED = (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Pass)
_LOGGERS = frozenset({"logging", "logger", "log", "_logger", "_log", "LOGGER", "warnings"})
_TYPE_MAKERS = frozenset({"TypeVar", "NewType", "ParamSpec", "TypeVarTuple", "NamedTuple", "TypedDict", "namedtuple"})
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def live_nodes(code: Code, function: str) -> Iterator[ast.expr | ast.stmt]:
    """The statements and expressions in the order of the text, each before what it holds."""
    for statement in _reached(code.tree, function):
        yield from _live(statement)


def _live(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    if isinstance(node, ast.stmt) and _is_left_out(node):
        return
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    for field in node._fields:
        if field in _SKIPPED_FIELDS or _says_something(node, field):
            continue
        value: Any = getattr(node, field, None)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, ast.AST):
                yield from _live(item)


def _is_left_out(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) or _is_logging(node.value)
    if isinstance(node, ast.If):
        names = {part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)}
        return "__name__" in names or "TYPE_CHECKING" in names or "TYPE_CHECKING" in _attributes(node.test)
    if isinstance(node, ast.AnnAssign):
        return node.value is None or "TypeAlias" in ast.unparse(node.annotation)
    if isinstance(node, ast.Assign):
        is_dunder = any(isinstance(target, ast.Name) and target.id.startswith("__") for target in node.targets)
        return is_dunder or called(node.value) in _TYPE_MAKERS
    return isinstance(node, _SKIPPED) or type(node).__name__ == "TypeAlias"


def _says_something(node: ast.AST, field: str) -> bool:
    """Whether the field holds a message, or a type that is only read by type checkers."""
    if isinstance(node, ast.Raise):
        return True
    if isinstance(node, ast.ClassDef):
        return field == "keywords"
    return isinstance(node, ast.Assert) and field == "msg"


def _is_logging(node: ast.expr) -> bool:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    names = {part.id for part in ast.walk(node.func) if isinstance(part, ast.Name)}
    return bool((names | _attributes(node.func)) & _LOGGERS)


def _attributes(node: ast.expr) -> set[str]:
    return {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}


def _reached(tree: ast.Module, function: str) -> list[ast.stmt]:
    """The module's statements that the function stands on; all, where it isn't defined here."""
    makers: dict[str, list[ast.stmt]] = {}
    for node in tree.body:
        for name in _bound(node):
            makers.setdefault(name, []).append(node)
    if function not in makers:
        return tree.body
    reached: set[ast.stmt] = {node for node in tree.body if not _bound(node)}
    waiting = [*makers[function], *reached]
    while waiting:
        node = waiting.pop()
        reached.add(node)
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        waiting += [maker for name in names for maker in makers.get(name, ()) if maker not in reached]
    return [node for node in tree.body if node in reached]


def _bound(node: ast.stmt) -> list[str]:
    """The names that a statement at module level defines."""
    if isinstance(node, _Definition):
        return [node.name]
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
    return []
