"""Single edits of a function in Python: mutants that a strong suite kills, and repairs that a search tries.

Mutants are sampled for the analysis of a suite, repairs ranked by the suspicion of their lines.

A node is worth changing where the function reaches it and running it can show. Left out are docstrings, annotations,
decorators, imports, type-only code, `if __name__`, what is logged, and what an exception or an assertion says: cases
rarely fix messages.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from tdgen.mutation.applying import MUTANTS, REPAIRS, Writer, edits
from tdgen.mutation.statement_operators import Edit, Node
from tdgen.source.scope import Code, Scope
from tdgen.source.syntax import Definition, Function
from tdgen.source.trees import called, names_in
from tdgen.types import Mutant

MOST_SAMPLED = 200


def mutants(
    source: str, function: str, *, most: int = MOST_SAMPLED, within: Sequence[range] = (), near: Collection[int] = ()
) -> tuple[Mutant, ...]:
    """At most `most` mutants of a piece's code that `function` reaches, in the order of the text.

    Where there are ranges of lines (from 1) to stay `within`, an edit begins in one of these.

    Each parses, and differs from the source and from all others as a tree. Where there are more than `most`, those on
    lines that are `near` come first, and of all others they are taken evenly from all over the text. SyntaxError where
    the source does not parse.
    """
    code = Code(source)
    scope = Scope(code)
    all_edits = (edit for node in live_nodes(code, function) for edit in edits(MUTANTS, scope, node))
    if within:
        all_edits = (edit for edit in all_edits if any(edit.at.lineno in lines for lines in within))
    by_tree: dict[int, Edit] = {}
    for edit in all_edits:
        by_tree.setdefault(code.tree_hash(code.edited(code.tree, edit.replacements)), edit)
    by_tree.pop(code.tree_hash(code.tree), None)
    distinct = list(by_tree.values())
    distinct.sort(key=lambda edit: (edit.at.lineno, edit.at.col_offset))
    chosen: list[Edit] = []
    for is_near in (True, False):
        alike, room = [edit for edit in distinct if (edit.at.lineno in near) is is_near], most - len(chosen)
        chosen += alike if len(alike) <= room else [alike[index * len(alike) // room] for index in range(room)]
    writer = Writer(code)
    return tuple(mutant for edit in distinct if edit in chosen and (mutant := writer.mutant(edit)))


_SKIPPED_FIELDS = frozenset(
    {"decorator_list", "returns", "annotation", "bases", "type_params", "pattern", "names", "format_spec"}
)
_SKIPPED = (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Pass)
_LOGGERS = frozenset({"logging", "logger", "log", "_logger", "_log", "LOGGER", "warnings"})
_TYPE_MAKERS = frozenset({"TypeVar", "NewType", "ParamSpec", "TypeVarTuple", "NamedTuple", "TypedDict", "namedtuple"})


def live_nodes(code: Code, function: str) -> Iterator[ast.expr | ast.stmt]:
    """The statements and expressions in the order of the text, each before what it holds.

    Those that the function stands on; all of the module, where it isn't defined here.
    """
    body = code.tree.body
    makers: dict[str, list[ast.stmt]] = {}
    for node in body:
        for name in _bound(node):
            makers.setdefault(name, []).append(node)
    reached = set(body if function not in makers else (node for node in body if not _bound(node)))
    waiting = [*makers.get(function, ()), *reached]
    while waiting:
        node = waiting.pop()
        reached.add(node)
        names = names_in(node)
        waiting += [maker for name in names for maker in makers.get(name, ()) if maker not in reached]
    for node in body:
        if node in reached:
            yield from _live(node)


def _live(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    if isinstance(node, ast.stmt) and _is_left_out(node):
        return
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    for field in node._fields:
        is_message = isinstance(node, ast.Raise) or (isinstance(node, ast.Assert) and field == "msg")
        is_typing = isinstance(node, ast.ClassDef) and field == "keywords"
        if field in _SKIPPED_FIELDS or is_message or is_typing:
            continue
        value: Any = getattr(node, field, None)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, ast.AST):
                yield from _live(item)


def _is_left_out(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        if isinstance(node.value, ast.Call) and isinstance(function := node.value.func, ast.Attribute):
            return not _LOGGERS.isdisjoint(names_in(function) | _attributes(function))
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.If):
        names = names_in(node.test)
        return "__name__" in names or "TYPE_CHECKING" in names or "TYPE_CHECKING" in _attributes(node.test)
    if isinstance(node, ast.AnnAssign):
        return node.value is None or "TypeAlias" in ast.unparse(node.annotation)
    if isinstance(node, ast.Assign):
        is_dunder = any(isinstance(target, ast.Name) and target.id.startswith("__") for target in node.targets)
        return is_dunder or called(node.value) in _TYPE_MAKERS
    return isinstance(node, _SKIPPED) or type(node).__name__ == "TypeAlias"


def _attributes(node: ast.expr) -> set[str]:
    return {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}


def _bound(node: ast.stmt) -> list[str]:
    """The names that a statement at module level defines."""
    if isinstance(node, Definition):
        return [node.name]
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
    return []


MOST = 5000
UNSEEN = 0.5


def repairs(source: str, function: str, *, suspicion: Mapping[int, float], most: int = MOST) -> Iterator[Mutant]:
    """Single edits of a source that does not do what it should, the likeliest to repair it first, at most `most`.

    `suspicion` is a share from 0 to 1 by line; lines inside functions that are absent are not edited, and where it is
    empty all are alike. What stands outside of functions no run tells of: it counts half of the most suspicious.
    SyntaxError where the source does not parse.
    """
    code = Code(source)
    scope, writer = Scope(code), Writer(code)
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
    """How suspicious the lines are that an edit is about; of a statement that is added, those around it."""
    weight = _of_lines(code, edit.at, suspicion)
    if suspicion and isinstance(edit.at, ast.stmt) and edit.at in edit.replacements.get(edit.at, ()):
        siblings, (parent, _, place) = code.siblings(edit.at), code.places[edit.at]
        beside = [parent, *siblings[max(place - 1, 0) : place + 2]]
        return max([weight, *(suspicion.get(part.lineno, 0.0) for part in beside if isinstance(part, ast.stmt))])
    return weight


def _of_lines(code: Code, node: Node, suspicion: Mapping[int, float]) -> float:
    """The most suspicious of the lines from the start of a node's statement to its own end; a statement's own line."""
    if not suspicion:
        return 1.0
    statement = code.statement(node)
    if statement is None or not any(isinstance(n, Function) for n in code.above(statement)):
        return UNSEEN * max(suspicion.values())
    last = node.lineno if isinstance(node, ast.stmt) else node.end_lineno or node.lineno
    return max(suspicion.get(line, 0.0) for line in range(statement.lineno, last + 1))
