"""Names of expressions are told to be bound only where nothing would be bound for them."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from tdgen.sandbox.inside.namespace import is_bound, names_in, resolve

SOURCES = (
    "[1, {'a': (2.5, None)}]",
    "f(len('x'), sorted([2, 1]))",
    "Decimal('1.5')",
    "[Decimal(n) for n in mine]",
    "lambda: datetime.date(2024, 1, n)",
    "math.floor(1.5)",
    "other(1)",
    "f'{mine!r:>{n}}'",
    "nowhere_to_be_found",
)


@pytest.mark.parametrize("source", SOURCES)
def test_what_is_bound_is_left_as_it_is(source: str) -> None:
    """Where every name of an expression is bound already, its tree binds nothing more."""
    namespace: dict[str, Any] = {"f": len, "n": 1, "datetime": ast}
    own, elsewhere = frozenset({"mine"}), {"other": "json.loads", "len": "json.loads"}
    before = dict(namespace)
    names = names_in(compile(source, "<call>", "eval"))
    settled = all(is_bound(name, namespace, own, elsewhere) for name in names)
    resolve(list(ast.walk(ast.parse(source, mode="eval"))), namespace, lambda _: False, own, elsewhere)
    assert not settled or namespace == before
    assert settled == (source in SOURCES[:1] or source.startswith("f'"))


def test_names_within_lambdas_and_comprehensions_are_names_too() -> None:
    """They are looked up where the expression is evaluated."""
    code = compile("[Decimal(lambda: [Fraction(m) for m in it]) for it in all_of]", "<call>", "eval")
    assert {"Decimal", "Fraction", "all_of"} <= names_in(code)
