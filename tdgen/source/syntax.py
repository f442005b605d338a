"""Reading Python without running it: the one place where tdgen calls the parser.

There is one lock around it, for two reasons. On Python 3.11, two threads that parse at once can fail with a
SystemError ("AST constructor recursion depth mismatch"): the parser counts in a place that they share, and a garbage
collection in the middle of it lets the other one in (CPython's issue 106905). And Python's warnings about a source
reach nobody's terminal from here, which `catch_warnings` does for the whole process: two threads that interleave
would leave the filters changed.
"""

from __future__ import annotations

import ast
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

_MOST_HASHED = 5_000
_parser = threading.Lock()


def parse(source: str) -> ast.Module:
    """`source` as a syntax tree; SyntaxError for everything that the parser can't read.

    NUL bytes, lone surrogates and nesting that exhausts the parser raise other errors by themselves.
    """
    with _alone():
        return ast.parse(source)


def parses(source: str) -> bool:
    """Whether `source` is Python."""
    try:
        parse(source)
    except SyntaxError:
        return False
    return True


def expression(source: str) -> ast.expr:
    """`source`, without the white space around it, as one expression; SyntaxError where it is none.

    As in `parse`, SyntaxError is all that is raised.
    """
    with _alone():
        return ast.parse(source.strip(), mode="eval").body


def expression_or_none(source: str) -> ast.expr | None:
    """As `expression`, and None where it is none."""
    try:
        return expression(source)
    except SyntaxError:
        return None


def literal(source: str | ast.expr) -> Any:
    """The value of a literal, given as its source or as its tree; ValueError for everything that is none.

    As `ast.literal_eval` has it: also signed and complex numbers, and what tuples, lists, sets and dicts hold. Sets and
    dicts have a bound: ints can be chosen that all have one hash, and a set of them takes quadratic time.
    """
    try:
        tree = expression(source) if isinstance(source, str) else source
        if any(len(_hashed(node)) > _MOST_HASHED for node in ast.walk(tree)):
            raise ValueError("a set or dict of too many items")
        return ast.literal_eval(tree)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError) as error:
        raise ValueError(f"not a literal: {error or type(error).__name__}") from None


def _hashed(node: ast.AST) -> Sequence[ast.AST | None]:
    """What a set or a dict hashes; nothing for other nodes."""
    return node.elts if isinstance(node, ast.Set) else node.keys if isinstance(node, ast.Dict) else ()


def is_literal(source: str | ast.expr) -> bool:
    """Whether it has a value that `literal` tells."""
    try:
        literal(source)
    except ValueError:
        return False
    return True


@contextmanager
def _alone() -> Iterator[None]:
    """The parser for this thread, silent, and with one error for all that it can't read."""
    with _parser, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(f"Python can't read this: {error or type(error).__name__}") from None
