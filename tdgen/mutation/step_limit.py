"""A step limit: a source whose loops and functions count their rounds, and raise where there are too many.

An edit of a loop often makes it endless. To kill a process for it costs a hundred times what a round count does. What
never comes to a loop or a function of the source's own (a call into the library) is not bounded by this.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.syntax import parse

ROUNDS = 30_000
_TICK = "_tick_()"
_PROLOGUE = """class _Endless_(BaseException):
    pass


def _tick_(_left=iter(range(%d)), _next=next, _error=_Endless_):
    if _next(_left, None) is None:
        raise _error()


"""
_BODIES = (ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef)


def step_limited(source: str, rounds: int = ROUNDS) -> str:
    """`source` with a count in each loop and function: beyond so many rounds of them all it raises a BaseException.

    SyntaxError where it does not parse.
    """
    lines = [line.encode("utf-8") for line in source.split("\n")]
    for line, column in sorted(_places(parse(source)), reverse=True):
        text = lines[line - 1]
        indent = text[:column]
        if indent.strip():  # it follows a colon on its line, so that it is simple
            lines[line - 1] = indent + f"{_TICK}; ".encode() + text[column:]
        else:
            lines.insert(line - 1, indent + _TICK.encode())
    return _PROLOGUE % rounds + b"\n".join(lines).decode("utf-8")


def _places(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """Line (from 1) and column in bytes of what each body begins with, docstrings left where they are."""
    for node in ast.walk(tree):
        if isinstance(node, _BODIES):
            first = node.body[1] if _is_docstring(node.body[0]) and len(node.body) > 1 else node.body[0]
            decorators: list[ast.expr] = getattr(first, "decorator_list", [])
            line = min([first.lineno, *(decorator.lineno for decorator in decorators)])
            yield line, first.col_offset


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
