"""Small changes to source text that keep all else as it is: comments, blank lines, what strings hold."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from tdgen.replies.lines import whole_lines


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
