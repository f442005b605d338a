"""A sequence of calls on which something was found is made as short as it can be and still show that."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from tdgen.source.syntax import statements_of
from tdgen.source.trees import bound_names, read_names
from tdgen.types import Call

MOST_ROUNDS = 10
"""Each takes one step away: a random sequence has no more (`inputs/sequences.py`)."""
Holds = Callable[[Sequence[Call]], Sequence[bool]]
"""Which of some calls still show what was found; all are run together."""


def shortest(call: Call, holds: Holds) -> Call:
    """The call after as few statements of its setup as still show it, none of them guarded that need not be."""
    for _ in range(MOST_ROUNDS):
        fewer = list(_fewer(call))
        held = holds(fewer) if fewer else []
        left = next((one for one, is_shown in zip(fewer, held, strict=True) if is_shown), None)
        if left is None:
            return call
        call = left
    return call


def _fewer(call: Call) -> Iterator[Call]:
    """The call with one statement less in its setup, later ones first; then with one step out of its guard.

    What binds a name that is read stays: without it each call ends in a NameError, which may be what is looked for.
    """
    body = statements_of(call.setup)
    for place in reversed(range(len(body))):
        left = [*body[:place], *body[place + 1 :]]
        trees = [*left, *statements_of(call.expression)]
        lost = bound_names(body[place]) - {name for tree in left for name in bound_names(tree)}
        if lost.isdisjoint(name for tree in trees for name in read_names(tree)):
            yield _after(call, left)
    for place, statement in enumerate(body):
        if isinstance(statement, ast.With):
            yield _after(call, [*body[:place], *statement.body, *body[place + 1 :]])


def _after(call: Call, body: Sequence[ast.stmt]) -> Call:
    return call.model_copy(update={"setup": "\n".join(map(ast.unparse, body))})
