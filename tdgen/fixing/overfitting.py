"""Whether a change knows the failing tests: it compares with values that stand in these tests and nowhere else.

A patch that passes tests may serve their inputs alone (patch overfitting: Smith et al. 2015). What is found here is a
reason to ask again, and to leave the last word to a person: a right fix may name a value that a test names too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.fixing.changing import Changed
from tdgen.source.syntax import parse, parses

_SMALL = frozenset(range(-2, 11))
"""Numbers that algorithms name for reasons of their own."""


def special_cases(changed: Changed, tests: str) -> tuple[str, ...]:
    """A sentence for each function that compares with values of the tests' source; empty where none does.

    Left out are values that the module had before, or that the function's docs name, small numbers and single letters.
    """
    shown = {repr(value) for value in _constants(parse(tests))} if parses(tests) else set[str]()
    sentences = []
    for module, unit in changed.units:
        before = {repr(value) for value in _constants(parse(module.text))}
        known = [value for value in _compared(unit.node) if repr(value) in shown and repr(value) not in before]
        values = dict.fromkeys(repr(value) for value in known if not _is_told(value, unit.docstring))
        if values:
            sentences.append(f"{unit.name} compares with {', '.join(values)} of the tests, which its docs do not name")
    return tuple(sentences)


def _is_told(value: object, docs: str) -> bool:
    if isinstance(value, str):
        return len(value) < 2 or value in docs
    return value in _SMALL or str(value) in docs


def _compared(node: ast.AST) -> Iterator[object]:
    """The values that a function compares with, or looks up in a table that it spells out."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Compare):
            for side in (inner.left, *inner.comparators):
                yield from _constants(side)
        elif isinstance(inner, ast.MatchValue):
            yield from _constants(inner.value)
        elif isinstance(inner, ast.Dict):
            for key in inner.keys:
                yield from _constants(key) if key else ()


def _constants(node: ast.AST) -> Iterator[object]:
    for inner in ast.walk(node):
        value = inner.value if isinstance(inner, ast.Constant) else None
        if isinstance(value, str | bytes | int | float) and not isinstance(value, bool):
            yield value
