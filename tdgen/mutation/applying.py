"""Every operator's edits of a function's code, and versions of a module with edits applied, bounded in their loops.

Of repairs that are equally likely, those of an operator that stands further up in the list come first.

In an edit that is applied to the source text, what changes is written by `ast.unparse`, and all around it keeps its
layout. Of an expression all that fills its place in the statement is written anew. Statements are dropped, added and
moved as whole lines, with their comments; where they share a line, the statement around them is written anew.

An edit of a loop often makes it endless, and to kill a process for it costs a hundred times what counting costs. So
loops and functions count their rounds, and raise where there are too many. What never comes to a loop or a function of
the source's own (a call into the library) is not bounded by this.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from tdgen.mutation.operators import Edit, Node, calls, flow, numbers, values
from tdgen.mutation.operators import calls as insertions
from tdgen.mutation.operators import calls as returns
from tdgen.mutation.operators import flow as conditions
from tdgen.mutation.operators import values as variables
from tdgen.source.scope import Code, Scope
from tdgen.source.syntax import first_line, line_starts, parse
from tdgen.types import Mutant

Operator = Callable[[Scope, Any], Iterator[Edit]]
Catalogue = tuple[tuple[type[ast.AST] | tuple[type[ast.AST], ...], tuple[Operator, ...]], ...]

_JUMPS = (ast.Break, ast.Continue)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SEQUENCES = (ast.ListComp, ast.SetComp, ast.GeneratorExp)
_COMPREHENSIONS = (*_SEQUENCES, ast.DictComp)

_BOTH: Catalogue = (
    (ast.Compare, (numbers.boundary, numbers.negation)),
    (ast.BinOp, (numbers.likely_operator,)),
    (ast.UnaryOp, (numbers.sign_dropped,)),
    (ast.AugAssign, (numbers.augmented,)),
    (ast.expr, (conditions.negated_test, conditions.forced_test)),
    (ast.IfExp, (conditions.ternary,)),
    (ast.BoolOp, (conditions.and_or,)),
    (_COMPREHENSIONS, (conditions.filter_dropped,)),
    (ast.Call, (calls.opposite,)),
    (ast.Constant, (values.constants,)),
    ((ast.Dict, ast.List, ast.Set), (values.emptied,)),
    (_JUMPS, (flow.jump,)),
)
MUTANTS: Catalogue = (
    *_BOTH,
    (ast.BinOp, (numbers.joined_dropped,)),
    (ast.expr, (numbers.bound_by_one,)),
    (ast.For, (numbers.loop_never,)),
    (ast.Call, (calls.unwrapped, calls.option_dropped)),
    (ast.JoinedStr, (values.text_parts,)),
    (ast.Return, (returns.empty_return,)),
    (ast.Yield, (returns.empty_yield,)),
    (ast.stmt, (flow.effect_dropped,)),
    (ast.Raise, (flow.other_raised,)),
    (ast.Try, (flow.other_caught,)),
)
REPAIRS: Catalogue = (
    (ast.Name, (variables.other_variable, variables.part_of_variable)),
    ((ast.Attribute, ast.Subscript), (variables.attribute_or_item,)),
    ((ast.Tuple, ast.List), (variables.reordered,)),
    *_BOTH,
    (ast.BinOp, (numbers.other_operator, numbers.operands_swapped)),
    (ast.BinOp, (numbers.operand_dropped, numbers.regrouped)),
    (ast.AugAssign, (numbers.other_augmented,)),
    (ast.Assign, (numbers.accumulated,)),
    (ast.Compare, (numbers.other_comparison,)),
    (ast.BoolOp, (conditions.operand_negated,)),
    (ast.Constant, (values.other_constants,)),
    (ast.expr, (numbers.off_by_one,)),
    (ast.Call, (calls.other_function, calls.arguments, numbers.range_bounds, calls.own_call)),
    (_SEQUENCES, (calls.other_comprehension,)),
    (ast.expr, (calls.wrapped,)),
    (ast.Slice, (numbers.slice_bounds,)),
    (ast.expr, (conditions.other_test,)),
    (_COMPREHENSIONS, (conditions.filter_added,)),
    ((ast.Compare, ast.BoolOp, ast.Call, ast.UnaryOp), (conditions.returned_test,)),
    ((ast.List, ast.Dict, ast.Call), (values.starts,)),
    (ast.stmt, (flow.dropped, flow.swapped, flow.moved_out, flow.moved_in)),
    (_JUMPS, (flow.return_instead,)),
    ((ast.If, ast.While), (flow.branches,)),
    (ast.Expr, (returns.missing_return,)),
    (ast.Return, (returns.other_return,)),
    (ast.FunctionDef, (returns.return_at_end,)),
    (ast.stmt, (insertions.added,)),
    (_FUNCTIONS, (insertions.guards,)),
)


def edits(catalogue: Catalogue, scope: Scope, node: Node) -> Iterator[Edit]:
    """All that a catalogue's operators know to change at a node."""
    if not isinstance(node, ast.FormattedValue):
        for kinds, operators in catalogue:
            if isinstance(node, kinds):
                for operator in operators:
                    yield from operator(scope, node)


_LONGEST = 80
_COMPOUND = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.For, ast.AsyncFor, ast.While, ast.If, ast.With,
    ast.AsyncWith, ast.Match, ast.Try,
)  # fmt: skip


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
            yield self._of_expression(edit, old)

    def _of_expression(self, edit: Edit, old: ast.expr) -> _Splice:
        """The expression that fills a place of a statement, written anew; words must not touch."""
        root = self._root(old)
        start, end = self._start(root), self._end(root)
        text = ast.unparse(self._code.edited(root, edit.replacements))
        before, behind = (self._data[at : at + 1].decode("latin-1") for at in (start - 1, end))
        return _Splice(start, end, " " * _is_word(before) + text + " " * _is_word(behind))

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
        new = edit.replacements[old] or self._filling(edit, old)
        is_simple = len(new) == 1 and not self._code.has(new[0])
        if is_simple and not isinstance(old, _COMPOUND) and not isinstance(new[0], _COMPOUND):
            yield _Splice(self._start(old), self._end(old), ast.unparse(new[0]))
            return
        start, end, indent = self._lines(old)
        if old not in new:
            yield _Splice(start, end, self._text(new, indent))
            return
        kept = new.index(old)
        ends_open = end == len(self._data) and not self._data.endswith((b"\n", b"\r"))
        yield _Splice(start, start, self._text(new[:kept], indent))
        if added := self._text(new[kept + 1 :], indent):
            yield _Splice(end, end, "\n" * ends_open + added)

    def _of_enclosing(self, edit: Edit) -> _Splice:
        """The innermost statement around all that changes and alone on its lines, or all of the source."""
        first, *others = edit.replacements
        for node in self._code.above(first):
            if isinstance(node, ast.stmt) and all(node in self._code.above(other) for other in others):
                with suppress(_SharedLineError):
                    start, end, indent = self._lines(node)
                    lines = ast.unparse(self._code.edited(node, edit.replacements)).splitlines()
                    return _Splice(start, end, "".join(f"{indent}{line}\n" for line in lines))
        text = ast.unparse(self._code.edited(self._code.tree, edit.replacements))
        return _Splice(0, len(self._data), text + "\n")

    def _filling(self, edit: Edit, old: ast.stmt) -> tuple[ast.AST, ...]:
        """`pass`, for the last statement of a body of which nothing is left."""
        siblings = self._code.siblings(old)
        is_left = old is not siblings[-1] or any(edit.replacements.get(one, (one,)) for one in siblings)
        return () if is_left else (ast.Pass(),)

    def _text(self, statements: tuple[ast.AST, ...], indent: str) -> str:
        """Statements as whole lines at an indent; those of the source keep their text."""
        return "".join(f"{indent}{line}\n" for one in statements for line in self._written(one))

    def _written(self, statement: ast.AST) -> list[str]:
        if isinstance(statement, ast.stmt) and self._code.has(statement):
            start, end, indent = self._lines(statement)
            lines = self._data[start:end].decode("utf-8").splitlines()
            if all(line.startswith(indent) or not line.strip() for line in lines) and not _has_long_text(statement):
                return [line.removeprefix(indent) for line in lines]
        return ast.unparse(statement).splitlines()

    def _lines(self, statement: ast.stmt) -> tuple[int, int, str]:
        """Where the lines of a statement begin and end, and its indent."""
        start = self._starts[first_line(statement) - 1]
        end = self._starts[statement.end_lineno or statement.lineno]
        first = self._starts[statement.lineno - 1]
        indent = self._data[first : self._start(statement)].decode("utf-8")
        rest = self._data[self._end(statement) : end].strip()
        if indent.strip() or (rest and not rest.startswith(b"#")) or self._is_elif(statement):
            raise _SharedLineError
        return start, end, indent

    def _is_elif(self, statement: ast.stmt) -> bool:
        at = self._start(statement)
        return isinstance(statement, ast.If) and self._data[at : at + 4] == b"elif"

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self._starts[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr | ast.stmt) -> int:
        return self._starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)


def _short(nodes: list[ast.AST]) -> str:
    """Nodes as one line, cut."""
    text = " ".join(" ".join(ast.unparse(node) for node in nodes).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _has_long_text(statement: ast.stmt) -> bool:
    """Whether a text goes over several lines: another indent would change it."""
    texts = (node for node in ast.walk(statement) if isinstance(node, ast.Constant | ast.JoinedStr))
    return any(node.lineno != node.end_lineno for node in texts)


ROUNDS = 30_000
_TICK = "_tick_()"
_PROLOGUE = """class _Endless_(BaseException):
    pass


def _tick_(_left=iter(range(%d)), _next=next, _error=_Endless_):
    if _next(_left, None) is None:
        raise _error()


"""
_BODIES = (ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef)


def step_limited(source: str, rounds: int = ROUNDS) -> str:
    """`source` with a count in each loop and function: beyond so many rounds of them all it raises a BaseException.

    SyntaxError where it does not parse.
    """
    lines = [line.encode("utf-8") for line in source.split("\n")]
    for line, column in sorted(_places(parse(source)), reverse=True):
        text = lines[line - 1]
        indent = text[:column]
        if indent.strip():  # it follows a colon on its line, so that it is simple
            lines[line - 1] = indent + f"{_TICK}; ".encode() + text[column:]
        else:
            lines.insert(line - 1, indent + _TICK.encode())
    return _PROLOGUE % rounds + b"\n".join(lines).decode("utf-8")


def _places(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """Line (from 1) and column in bytes of what each body begins with, docstrings left where they are."""
    for node in ast.walk(tree):
        if isinstance(node, _BODIES):
            first = node.body[1] if _is_docstring(node.body[0]) and len(node.body) > 1 else node.body[0]
            yield first_line(first), first.col_offset


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
