"""The lines of a source as the parser counts them.

Only line feed and carriage return end one: `str.splitlines` also breaks at a form feed, U+2028 and others, which may
stand in a string, and from there on its numbers are not those that syntax trees have.
"""

from __future__ import annotations

from io import StringIO
from itertools import accumulate


def whole_lines(source: str) -> list[str]:
    """The lines, each with what ends it."""
    return StringIO(source, newline="").readlines()


def lines_of(source: str) -> list[str]:
    """The lines without what ends them."""
    return [line.rstrip("\r\n") for line in whole_lines(source)]


def line_starts(data: bytes) -> list[int]:
    """The offset in bytes at which each line of a source in UTF-8 begins, and after them that of its end."""
    return [0, *accumulate(map(len, data.splitlines(keepends=True)))]
