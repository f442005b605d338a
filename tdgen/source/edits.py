"""The lines of a source as the parser counts them, and edits that leave all else as it is.

The lines of a source as the parser counts them.

Only line feed and carriage return end one: `str.splitlines` also breaks at a form feed, U+2028 and others, which may
stand in a string, and from there on its numbers are not those that syntax trees have.

Small changes to source text that keep all else as it is: comments, blank lines, what strings hold.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from io import StringIO
from itertools import accumulate
from typing import NamedTuple


def whole_lines(source: str) -> list[str]:
    """The lines, each with what ends it."""
    return StringIO(source, newline="").readlines()


def lines_of(source: str) -> list[str]:
    """The lines without what ends them."""
    return [line.rstrip("\r\n") for line in whole_lines(source)]


def line_starts(data: bytes) -> list[int]:
    """The offset in bytes at which each line of a source in UTF-8 begins, and after them that of its end."""
    return [0, *accumulate(map(len, data.splitlines(keepends=True)))]


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
