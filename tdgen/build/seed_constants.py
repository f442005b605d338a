"""The constants of an implementation as inputs: where it compares, its mutants and other implementations differ."""

from __future__ import annotations

import ast
from typing import Final

from tdgen.source.syntax import parse

MOST_HINTS: Final = 60
LONGEST_TEXT: Final = 60


def seed_constants(*sources: str) -> list[int | float | str]:
    """The numbers and short texts that the sources spell out, each int with its neighbours, each thing once."""
    found: dict[tuple[str, str], int | float | str] = {}
    for source in sources:
        tree = parse(source)
        idle = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and id(node) not in idle:
                found |= {(type(value).__name__, repr(value)): value for value in _near(node.value)}
    return list(found.values())[:MOST_HINTS]


def _near(value: object) -> list[int | float | str]:
    if isinstance(value, bool):
        return []
    if isinstance(value, int):
        return [value, value - 1, value + 1, -value]
    if isinstance(value, float):
        return [value]
    return [value] if isinstance(value, str) and len(value) <= LONGEST_TEXT else []
