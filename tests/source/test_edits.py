"""Lines as the parser counts them."""

from __future__ import annotations

import ast
from itertools import pairwise

import pytest

from tdgen.source.edits import line_starts, lines_of, whole_lines

SOURCES = [
    "",
    "x = 1",
    "x = 1\n",
    "x = 1\r\ny = 2\rz = 3\n\n",
    "x = '\x0c \x0b \x1c \x85 \u2028'\ny = 2\n",
    "\x0cx = 1\ny = 'ä'\n",
    "x = '''\r\na\r'''\ny = 2",
]


@pytest.mark.parametrize("source", SOURCES)
def test_trees_and_lines_count_alike(source):
    """Each statement's text is found at its tree's line, by number and by offset; joined, the lines are the source."""
    data, starts = source.encode(), line_starts(source.encode())
    for node in ast.parse(source).body:
        first, last = starts[node.lineno - 1], starts[node.end_lineno - 1]
        text = data[first + node.col_offset : last + node.end_col_offset]
        assert ast.dump(ast.parse(text)) == ast.dump(ast.Module([node], []))
        assert lines_of(source)[node.lineno - 1].encode()[node.col_offset :].startswith(text.splitlines()[0])
    assert "".join(whole_lines(source)) == source
    assert [len(line.encode()) for line in whole_lines(source)] == [end - start for start, end in pairwise(starts)]
