"""Mutants by which a suite is scored: each one is a small fault that a strong suite finds."""

from __future__ import annotations

from collections.abc import Iterable

from tdgen.mutation.applying import Writer
from tdgen.mutation.candidates import live_nodes
from tdgen.mutation.catalogue import MUTANTS, edits
from tdgen.mutation.operators.edits import Edit, Mutant
from tdgen.source.code import Code
from tdgen.source.scope import Scope

MOST = 200


def mutants(source: str, function: str, *, most: int = MOST) -> tuple[Mutant, ...]:
    """At most `most` mutants of a piece's code that `function` reaches, in the order of the text.

    Each parses, and differs from the source and from all others as a tree. Where there are more than `most`, they are
    taken evenly from all over the text. SyntaxError where the source does not parse.
    """
    code = Code(source)
    scope = Scope(code)
    all_edits = (edit for node in live_nodes(code, function) for edit in edits(MUTANTS, scope, node))
    distinct = _distinct(code, all_edits)
    distinct.sort(key=lambda edit: (edit.at.lineno, edit.at.col_offset))
    if len(distinct) > most:
        distinct = [distinct[index * len(distinct) // most] for index in range(most)]
    writer = Writer(code)
    return tuple(mutant for edit in distinct if (mutant := writer.mutant(edit)))


def _distinct(code: Code, all_edits: Iterable[Edit]) -> list[Edit]:
    by_tree: dict[int, Edit] = {}
    for edit in all_edits:
        by_tree.setdefault(code.tree_hash(code.edited(code.tree, edit.replacements)), edit)
    by_tree.pop(code.tree_hash(code.tree), None)
    return list(by_tree.values())
