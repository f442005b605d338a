"""Repairs to try, the likeliest first: single edits by the suspicion of their line and how often their kind repairs."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from itertools import islice

from tdgen.mutation.applying import Writer
from tdgen.mutation.catalogue import REPAIRS, edits
from tdgen.mutation.code import Code
from tdgen.mutation.edits import Edit, Mutant, Node
from tdgen.mutation.live import live_nodes
from tdgen.mutation.scope import Scope

MOST = 5000
UNSEEN = 0.5
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def repairs(
    source: str, function: str, *, suspicion: Mapping[int, float], names: Collection[str] = (), most: int = MOST
) -> Iterator[Mutant]:
    """Single edits of a source that does not do what it should, the likeliest to repair it first, at most `most`.

    `suspicion` is a share from 0 to 1 by line; lines inside functions that are absent are not edited, and where it is
    empty all are alike. What stands outside of functions no run tells of: it counts half of the most suspicious.
    `names` are functions at hand beside those of the source. SyntaxError where the source does not parse.
    """
    code = Code(source)
    scope, writer = Scope(code, names), Writer(code)
    nodes = [n for n in live_nodes(code, function) if isinstance(n, ast.stmt) or _of_lines(code, n, suspicion) > 0]
    all_edits = (edit for node in nodes for edit in edits(REPAIRS, scope, node))
    ranked = [(edit.prior * _weight(code, edit, suspicion), edit) for edit in all_edits]
    ranked.sort(key=lambda weighed: -weighed[0])
    for edit in islice(_distinct(code, ranked), most):
        if mutant := writer.mutant(edit):
            yield mutant


def _distinct(code: Code, ranked: list[tuple[float, Edit]]) -> Iterator[Edit]:
    """The edits that can repair, none twice and none that changes nothing."""
    known = {code.tree_hash(code.tree)}
    for weight, edit in ranked:
        if weight <= 0:
            return
        tree = code.tree_hash(code.edited(code.tree, edit.replacements))
        if tree not in known:
            known.add(tree)
            yield edit


def _weight(code: Code, edit: Edit, suspicion: Mapping[int, float]) -> float:
    """How suspicious the lines are that an edit is about."""
    weight = _of_lines(code, edit.at, suspicion)
    if isinstance(edit.at, ast.stmt) and suspicion:
        return max([weight, *(suspicion.get(line, 0.0) for line in _beside(code, edit))])
    return weight


def _of_lines(code: Code, node: Node, suspicion: Mapping[int, float]) -> float:
    """The most suspicious of the lines from the start of a node's statement to its own end; a statement's own line."""
    if not suspicion:
        return 1.0
    statement = code.statement(node)
    if statement is None or not any(isinstance(n, _Function) for n in code.above(statement)):
        return UNSEEN * max(suspicion.values())
    last = node.lineno if isinstance(node, ast.stmt) else node.end_lineno or node.lineno
    return max(suspicion.get(line, 0.0) for line in range(statement.lineno, last + 1))


def _beside(code: Code, edit: Edit) -> Iterator[int]:
    """The lines of what stands beside the statement after it was moved, or something was added to it."""
    for old, new in edit.replacements.items():
        if edit.at in new:
            after = [item for one in code.siblings(old) for item in edit.replacements.get(one, (one,))]
            place = after.index(edit.at)
            beside = [*after[max(place - 1, 0) : place], *after[place + 1 : place + 2], code.places[old].parent]
            yield from (part.lineno for part in beside if isinstance(part, ast.stmt) and code.has(part))
