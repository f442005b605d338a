"""Reading generated Python without running it, and without Python's warnings about it reaching anybody's terminal."""

from __future__ import annotations

import ast
import threading
import warnings

_filters = threading.Lock()


def parse(source: str) -> ast.Module:
    """`source` as a syntax tree; SyntaxError for everything that the parser can't read.

    NUL bytes, lone surrogates and nesting that exhausts the parser raise other errors by themselves.
    """
    # catch_warnings changes the whole process: two threads that interleave would leave the filters changed.
    with _filters, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(f"Python can't read this: {error or type(error).__name__}") from None


def parses(source: str) -> bool:
    """Whether `source` is Python."""
    try:
        parse(source)
    except SyntaxError:
        return False
    return True
