"""Small changes to source text that keep all else as it is: comments, blank lines, what strings hold."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tdgen.replies.lines import whole_lines
from tdgen.syntax import parse


class Edit(NamedTuple):
    """A stretch of a source (lines from 1, columns in bytes, as trees have them), and what comes in its place."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str = ""


def edited(source: str, edits: Iterable[Edit]) -> str:
    """`source` with the edits made; they must not overlap."""
    lines = [line.encode("utf-8") for line in whole_lines(source)]
    for edit in sorted(set(edits), reverse=True):
        first, last = edit.line - 1, edit.end_line - 1
        before, after = lines[first][: edit.column], lines[last][edit.end_column :]
        lines[first : last + 1] = [before + edit.text.encode("utf-8") + after]
    return b"".join(lines).decode("utf-8")


def over(node: ast.expr | ast.stmt | ast.arg, text: str = "") -> Edit:
    """The edit that puts `text` in the place of a node."""
    return Edit(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0, text)


def without_lines(source: str, first: int, last: int) -> str:
    """`source` without these lines (from 1), both included."""
    lines = whole_lines(source)
    return "".join(lines[: first - 1] + lines[last:])


def dedented(source: str, width: int, tree: ast.AST, offset: int = 0) -> str:
    """`source` with each line's indentation less by `width`, but for lines inside strings that are no docstrings.

    `tree` is the tree in which line numbers are greater by `offset` than in `source`.
    """
    inside = {line - offset for line in _lines_of_data(tree)}
    lines = whole_lines(source)
    return "".join(line if number in inside else _less(line, width) for number, line in enumerate(lines, start=1))


def _less(line: str, width: int) -> str:
    return line[width:] or "\n" if not line[:width].strip() else line


def _lines_of_data(tree: ast.AST) -> Iterator[int]:
    """The lines that begin inside a string whose value counts."""
    docstrings = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in docstrings:
            yield from range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)


def indented_tree(source: str) -> ast.Module | None:
    """The tree of a source all of which is indented: one line is put before it. None where it does not parse so."""
    try:
        return parse(f"if True:\n{source}")
    except SyntaxError:
        return None
