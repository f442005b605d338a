"""Every operator's edits of a function's code, and a source with an edit applied.

Of repairs that are equally likely, those of an operator that stands further up in the list come first.

In an edit that is applied to the source text, what changes is written by `ast.unparse`, and all around it keeps its
layout. Of an expression all that fills its place in the statement is written anew. Statements are dropped, replaced and
added as whole lines; where they share a line, the statement around them is written anew.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from tdgen.mutation import statement_operators as statements
from tdgen.mutation import value_operators as values
from tdgen.mutation.statement_operators import Edit, Node
from tdgen.source.scope import Code, Scope
from tdgen.source.syntax import first_line, line_starts
from tdgen.types import Mutant

Operator = Callable[[Scope, Any], Iterator[Edit]]
Catalogue = tuple[tuple[type[ast.AST] | tuple[type[ast.AST], ...], tuple[Operator, ...]], ...]

_JUMPS = (ast.Break, ast.Continue)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)

_BOTH: Catalogue = (
    (ast.Compare, (values.likely_comparison,)),
    (ast.BinOp, (values.likely_operator,)),
    (ast.UnaryOp, (values.sign_dropped,)),
    (ast.AugAssign, (values.augmented,)),
    (ast.expr, (statements.changed_test,)),
    (ast.IfExp, (statements.ternary,)),
    (ast.BoolOp, (statements.and_or,)),
    (_COMPREHENSIONS, (statements.filter_dropped,)),
    (ast.Call, (statements.opposite,)),
    (ast.Constant, (values.constants,)),
    ((ast.Dict, ast.List, ast.Set), (values.emptied,)),
    (_JUMPS, (statements.jump,)),
)
MUTANTS: Catalogue = (
    *_BOTH,
    (ast.BinOp, (values.joined_dropped,)),
    (ast.expr, (values.bound_by_one,)),
    (ast.For, (values.loop_never,)),
    (ast.Call, (statements.call_reduced,)),
    (ast.JoinedStr, (values.text_parts,)),
    ((ast.Return, ast.Yield), (statements.empty_return,)),
    (ast.stmt, (statements.effect_dropped,)),
    (ast.Raise, (statements.other_raised,)),
    (ast.Try, (statements.other_caught,)),
)
REPAIRS: Catalogue = (
    (ast.Name, (values.other_variable, values.part_of_variable)),
    ((ast.Attribute, ast.Subscript), (values.attribute_or_item,)),
    ((ast.Tuple, ast.List), (values.reordered,)),
    *_BOTH,
    (ast.BinOp, (values.other_operation,)),
    (ast.Assign, (values.accumulated,)),
    (ast.Compare, (values.other_comparison,)),
    (ast.expr, (values.off_by_one,)),
    (ast.Call, (statements.arguments, statements.own_call)),
    (ast.expr, (statements.other_test,)),
    ((ast.List, ast.Dict, ast.Call), (values.starts,)),
    (ast.stmt, (statements.dropped, statements.added)),
)


def edits(catalogue: Catalogue, scope: Scope, node: Node) -> Iterator[Edit]:
    """All that a catalogue's operators know to change at a node."""
    if not isinstance(node, ast.FormattedValue):
        for kinds, operators in catalogue:
            if isinstance(node, kinds):
                for operator in operators:
                    yield from operator(scope, node)


_LONGEST = 80


class _Splice(NamedTuple):
    """Bytes from `start` to `end` replaced by a text."""

    start: int
    end: int
    text: str


class _SharedLineError(Exception):
    """A statement is not alone on its lines."""


class Writer:
    """Writes the mutants of one source."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._data = code.source.encode("utf-8")
        self._starts = line_starts(self._data)

    def mutant(self, edit: Edit) -> Mutant | None:
        """The source after the edit; None where its tree can't be written."""
        try:
            before = [old for old, new in edit.replacements.items() if old not in new]
            after = [item for old, new in edit.replacements.items() for item in new if item is not old]
            return Mutant(self._source(edit), edit.operator, edit.at.lineno, _short(before), _short(after))
        except (ValueError, RecursionError):
            return None

    def _source(self, edit: Edit) -> str:
        try:
            splices = sorted(splice for old in edit.replacements for splice in self._splices(edit, old))
        except _SharedLineError:
            splices = [self._of_enclosing(edit)]
        parts, at = [], 0
        for start, end, text in splices:
            parts += [self._data[at:start], text.encode("utf-8")]
            at = end
        return b"".join([*parts, self._data[at:]]).decode("utf-8")

    def _splices(self, edit: Edit, old: ast.AST) -> Iterator[_Splice]:
        if isinstance(old, ast.stmt):
            yield from self._of_statement(edit, old)
        elif isinstance(old, ast.expr):
            # What fills a place of a statement is written anew; words must not touch.
            root = self._root(old)
            start, end = self._span(root)
            text = ast.unparse(self._code.edited(root, edit.replacements))
            around = (self._data[at : at + 1].decode("latin-1") for at in (start - 1, end))
            before, behind = (" " * (one.isalnum() or one == "_") for one in around)
            yield _Splice(start, end, before + text + behind)

    def _root(self, node: ast.expr) -> ast.expr:
        root = node
        for above in self._code.above(node):
            in_lambda = isinstance(above, ast.arguments) and isinstance(self._code.places[above].parent, ast.Lambda)
            if isinstance(above, ast.expr):
                root = above
            elif not in_lambda and not isinstance(above, ast.comprehension | ast.keyword):
                break
        return root

    def _of_statement(self, edit: Edit, old: ast.stmt) -> Iterator[_Splice]:
        new = edit.replacements[old]
        if not new:
            siblings = self._code.siblings(old)
            is_left = old is not siblings[-1] or any(edit.replacements.get(one, (one,)) for one in siblings)
            new = () if is_left else (ast.Pass(),)  # for the last statement of a body of which nothing is left
        start, end, indent = self._lines(old)
        if old not in new:
            yield _Splice(start, end, _indented(new, indent))
            return
        kept = new.index(old)
        yield _Splice(start, start, _indented(new[:kept], indent))
        added = _indented(new[kept + 1 :], indent)
        if added and not self._data[:end].endswith(b"\n"):  # the source's last line, which nothing ends
            added = f"\n{added.removesuffix(chr(10))}"
        yield _Splice(end, end, added)

    def _of_enclosing(self, edit: Edit) -> _Splice:
        """The innermost statement around all that changes and alone on its lines, or all of the source."""
        first, *others = edit.replacements
        for node in self._code.above(first):
            if isinstance(node, ast.stmt) and all(node in self._code.above(other) for other in others):
                with suppress(_SharedLineError):
                    start, end, indent = self._lines(node)
                    return _Splice(start, end, _indented((self._code.edited(node, edit.replacements),), indent))
        text = ast.unparse(self._code.edited(self._code.tree, edit.replacements))
        return _Splice(0, len(self._data), text + "\n")

    def _lines(self, statement: ast.stmt) -> tuple[int, int, str]:
        """Where the lines of a statement begin and end, and its indent."""
        start = self._starts[first_line(statement) - 1]
        end = self._starts[statement.end_lineno or statement.lineno]
        first = self._starts[statement.lineno - 1]
        begins, ends = self._span(statement)
        indent = self._data[first:begins].decode("utf-8")
        is_elif = isinstance(statement, ast.If) and self._data.startswith(b"elif", begins)
        rest = self._data[ends:end].strip()
        if indent.strip() or (rest and not rest.startswith(b"#")) or is_elif:
            raise _SharedLineError
        return start, end, indent

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        last = (node.end_lineno or node.lineno) - 1
        return self._starts[node.lineno - 1] + node.col_offset, self._starts[last] + (node.end_col_offset or 0)


def _short(nodes: list[ast.AST]) -> str:
    """Nodes as one line, cut."""
    text = " ".join(" ".join(ast.unparse(node) for node in nodes).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _indented(statements: tuple[ast.AST, ...], indent: str) -> str:
    """Statements written anew as whole lines at an indent."""
    return "".join(f"{indent}{line}\n" for one in statements for line in ast.unparse(one).splitlines())
