"""Bodies with other statements as edits of the text: whole lines dropped, added and moved, with their comments.

Where statements share a line, the statement around them is written anew. The text is read again, and must give the
intended tree.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple

from tdgen.mutation.changes import Block, Body, Effect, print_after
from tdgen.mutation.code import Code, rebuilt
from tdgen.mutation.expressions import UNWRITABLE, Splice, written
from tdgen.syntax import parse

_SIMPLE = (
    ast.Return, ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Raise, ast.Pass, ast.Break, ast.Continue,
    ast.Delete, ast.Assert,
)  # fmt: skip


class SharedLine(Exception):
    """A statement that is not alone on its lines."""


class _Step(NamedTuple):
    """The old statements from `low` to `high` make room for others."""

    low: int
    high: int
    new: tuple[ast.stmt, ...]


def block_splices(code: Code, block: Block, done: Effect) -> tuple[Splice, ...] | None:
    """The text edits that carry the block out, or None where no text gives the intended tree."""
    wanted = print_after(code, done)
    try:
        splices = tuple(splice for body in block.bodies for splice in _body_splices(code, body))
        if _gives(code, splices, wanted):
            return splices
    except (SharedLine, *UNWRITABLE):
        pass
    with suppress(*UNWRITABLE):
        anew = _anew(code, block, done)
        return (anew,) if anew and _gives(code, (anew,), wanted) else None
    return None


def spliced(code: Code, splices: tuple[Splice, ...]) -> str:
    """The source after the edits, which don't overlap."""
    data, parts, at = code.data, [], 0
    for start, end, text in sorted(splices):
        parts += [data[at:start], text.encode("utf-8")]
        at = end
    return b"".join([*parts, data[at:]]).decode("utf-8")


def _gives(code: Code, splices: tuple[Splice, ...], wanted: int) -> bool:
    ordered = sorted(splices)
    if any(one.end > other.start for one, other in pairwise(ordered)):
        return False
    try:
        return code.fresh_print(parse(spliced(code, splices))) == wanted
    except SyntaxError:
        return False


def _body_splices(code: Code, body: Body) -> Iterator[Splice]:
    old: list[ast.stmt] = getattr(body.owner, body.field)
    for step in _steps(old, body.statements):
        gone = old[step.low : step.high]
        if len(gone) == len(step.new) == 1 and isinstance(step.new[0], _SIMPLE) and isinstance(gone[0], _SIMPLE):
            yield Splice(code.start(gone[0]), code.end(gone[0]), _text(code, step.new[0]))
            continue
        indent = _indent(code, old[0])
        lines = "".join(_lines(code, statement, indent) for statement in step.new)
        if gone:
            start, end = _first(code, gone[0]), _last(code, gone[-1])
        else:
            start = end = _first(code, old[step.low]) if step.low < len(old) else _last(code, old[-1])
        cut_off = start == len(code.data) and not code.data.endswith((b"\n", b"\r"))
        yield Splice(start, end, "\n" * cut_off + lines)


def _steps(old: list[ast.stmt], new: tuple[ast.stmt, ...]) -> Iterator[_Step]:
    """What stays in order stays where it is."""
    at, added = 0, []
    for statement in new:
        index = next((i for i in range(at, len(old)) if old[i] is statement), None)
        if index is None:
            added.append(statement)
            continue
        if index > at or added:
            yield _Step(at, index, tuple(added))
        at, added = index + 1, []
    if at < len(old) or added:
        yield _Step(at, len(old), tuple(added))


def _text(code: Code, statement: ast.stmt) -> str:
    return code.text(statement) if code.has(statement) else written(code, statement)


def _lines(code: Code, statement: ast.stmt, indent: str) -> str:
    """The statement as whole lines at an indent."""
    if not code.has(statement):
        return "".join(f"{indent}{line}\n" for line in written(code, statement).splitlines())
    was = _indent(code, statement)
    text = code.data[_first(code, statement) : _last(code, statement)].decode("utf-8")
    lines = text.rstrip("\r\n").split("\n")
    moved = (indent + line.removeprefix(was) if line.startswith(was) and line.strip() else line for line in lines)
    return "\n".join(moved) + "\n"


def _indent(code: Code, statement: ast.stmt) -> str:
    start = code.start(statement)
    text = code.data[_line_start(code, start) : start].decode("utf-8")
    if text.strip():
        raise SharedLine
    return text


def _first(code: Code, statement: ast.stmt) -> int:
    """The offset at which the lines of a statement begin, its decorators with it."""
    decorators = getattr(statement, "decorator_list", None)
    start = code.start(decorators[0]) if decorators else code.start(statement)
    first = _line_start(code, start)
    if code.data[first:start].strip() not in {b"", b"@"}:
        raise SharedLine
    return first


def _last(code: Code, statement: ast.stmt) -> int:
    """The offset at which the lines of a statement end, the line's end with it."""
    line = statement.end_lineno or statement.lineno
    rest = code.data[code.end(statement) : code.starts[line]].strip()
    if rest and not rest.startswith(b"#"):
        raise SharedLine
    return code.starts[line]


def _line_start(code: Code, offset: int) -> int:
    return max(start for start in code.starts if start <= offset)


def _anew(code: Code, block: Block, done: Effect) -> Splice | None:
    """The innermost statement around all that changes, alone on its lines, written anew."""
    owners = [body.owner for body in block.bodies]
    for node in [owners[0], *code.above(owners[0])]:
        if not isinstance(node, ast.stmt) or any(o is not node and node not in code.above(o) for o in owners):
            continue
        try:
            indent, start, end = _indent(code, node), _first(code, node), _last(code, node)
        except SharedLine:
            continue
        if not code.text(node).startswith("elif"):
            lines = ast.unparse(rebuilt(node, done.changed, done.dirty)).splitlines()
            return Splice(start, end, "".join(f"{indent}{line}\n" for line in lines))
    return None
