"""A case's sources with a module told from the class of its name: `datetime.date(...)` becomes `dt.date(...)`.

In a case `datetime` means the class, except where another of the module's names follows the dot, each source by itself.
One file can bind the name only once, so the module gets another one. numpy and pandas get their usual names.
"""

from __future__ import annotations

import ast

from tdgen.syntax import parse
from tdgen.testgen.rendering.headers import ALIASES
from tdgen.types import After, Case, Check, Value
from tdgen.values.names import KNOWN_NAMES

_SHORT = {"numpy": "np", "pandas": "pd"}


def unambiguous(case: Case) -> Case:
    """The case with its sources rewritten where they use such a module."""
    expectation = case.expectation
    if "import" in case.setup and any(name in case.setup for name in _SHORT):
        return case
    if isinstance(expectation, Value | Check):
        expectation = expectation.model_copy(update={"source": _rewritten(expectation.source)})
    return case.model_copy(
        update={
            "setup": _rewritten(case.setup),
            "arguments": tuple(_rewritten(source, "_({}\n)") for source in case.arguments),
            "call": _rewritten(case.call),
            "expectation": expectation,
            "after": tuple(
                After(expression=_rewritten(after.expression), source=_rewritten(after.source)) for after in case.after
            ),
        }
    )


def _rewritten(source: str, frame: str = "{}") -> str:
    if not any(name in source for name in (*ALIASES, *_SHORT)):
        return source
    try:
        tree = parse(frame.format(source.strip()))
    except SyntaxError:
        return source  # whoever places it says what is wrong with it
    modules = {name for node in ast.walk(tree) for name in _module(node)}
    if not modules:
        return source
    changed = _Renamed(modules).visit(tree)
    statement = changed.body[0]
    is_argument = frame != "{}" and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    return ast.unparse(statement.value)[2:-1] if is_argument else ast.unparse(changed)


def _module(node: ast.AST) -> list[str]:
    """The name of the module where `node` is one with one of its own names after the dot, or a package with any."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return []
    name = node.value.id
    return [name] if name in _SHORT or (name in ALIASES and KNOWN_NAMES.get(node.attr) == name) else []


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name((ALIASES | _SHORT)[node.id], node.ctx) if node.id in self.names else node
