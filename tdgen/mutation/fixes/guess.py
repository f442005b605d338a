"""A guess: a change, and how likely an edit of its kind is to heal a fault."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tdgen.mutation.changes import Change, Swap


class Guess(NamedTuple):
    """A change with its prior, from 0 to 1."""

    prior: float
    change: Change


def swaps(prior: float, told: str, old: ast.expr, news: Iterable[ast.expr]) -> Iterator[Guess]:
    """An expression replaced by each of others."""
    for new in news:
        yield Guess(prior, Swap(told, old, new))


def name(text: str) -> ast.Name:
    """A variable."""
    return ast.Name(text, ast.Load())


def names(texts: Iterable[str]) -> list[ast.expr]:
    """Variables."""
    return [name(text) for text in texts]
