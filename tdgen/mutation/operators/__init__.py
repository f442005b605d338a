"""What mutants do to a function's code, one file a kind: each operator gives edits of one node.

An edit replaces, inserts or deletes; a mutant is a module's source with one of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tdgen.source.scope import Replacements

Node = ast.expr | ast.stmt


class Edit(NamedTuple):
    """Nodes of a tree and what stands in their places after the edit.

    In the place of an expression stands one other, in that of a statement any number. What stays of the node itself is
    among them: so a statement is added before or behind it. `at` is the node that the edit is about. `prior`, from 0 to
    1, says how often an edit of this kind is the one that repairs a fault; with 0 it only makes mutants.
    """

    operator: str
    at: Node
    replacements: Replacements
    prior: float = 0.0


def each(operator: str, old: Node, others: Iterable[Node], prior: float = 0.0) -> Iterator[Edit]:
    """One edit for each of the others, which then stands in the place of the old node."""
    for new in others:
        yield Edit(operator, old, {old: (new,)}, prior)
