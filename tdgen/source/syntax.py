"""Python parsed behind one lock, its lines as the parser counts them, and edits of its text that leave all else.

This is the one place where tdgen calls the parser. There is one lock around it, for two reasons. On Python 3.11, two
threads that parse at once can fail with a SystemError ("AST constructor recursion depth mismatch"): the parser counts
in a place that they share, and a garbage collection in the middle of it lets the other one in (CPython's issue 106905).
And Python's warnings about a source reach nobody's terminal from here, which `catch_warnings` does for the whole
process: two threads that interleave would leave the filters changed.

Only line feed and carriage return end a line: `str.splitlines` also breaks at a form feed, U+2028 and others, which may
stand in a string, and from there on its numbers are not those that syntax trees have.

What a module defines, and what it binds at its top level by which import, is read off such trees here too.
"""

from __future__ import annotations

import ast
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from io import StringIO
from itertools import accumulate
from types import CodeType
from typing import Any, NamedTuple, TypeVar

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef
_MOST_HASHED = 5_000
_NONE: Any = object()
_parser = threading.Lock()
T = TypeVar("T")


def parse(source: str) -> ast.Module:
    """`source` as a syntax tree; SyntaxError for everything that the parser can't read.

    NUL bytes, lone surrogates and nesting that exhausts the parser raise other errors by themselves.
    """
    with _alone():
        return ast.parse(source)


def compiled(source: str, filename: str, flags: int) -> CodeType:
    """A module's `source` compiled under these flags and no others; SyntaxError as for `parse`."""
    with _alone():
        code: CodeType = compile(source, filename, "exec", flags=flags, dont_inherit=True)
        return code


def walk(tree: ast.AST) -> list[ast.AST]:
    """All nodes of a tree in the order of `ast.walk`, found in half of its time: a solve goes through thousands.

    They are those of the tree as it is now: it may be changed while they are gone through.
    """
    nodes = [tree]
    for node in nodes:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                nodes.append(value)
            elif isinstance(value, list):
                nodes += [one for one in value if isinstance(one, ast.AST)]
    return nodes


def statements_of(source: str) -> list[ast.stmt]:
    """The statements of `source`; none where it is no Python."""
    tree = _or_none(parse, source)
    return tree.body if tree else []


def parses(source: str) -> bool:
    """Whether `source` is Python."""
    return _or_none(parse, source) is not None


def is_same(one: str, other: str) -> bool:
    """Whether two sources are the same code, however it is laid out; what does not parse is the same as nothing."""
    try:
        return ast.dump(parse(one)) == ast.dump(parse(other))
    except SyntaxError:
        return False


def expression(source: str) -> ast.expr:
    """`source`, without the white space around it, as one expression; SyntaxError where it is none.

    As in `parse`, SyntaxError is all that is raised.
    """
    with _alone():
        return ast.parse(source.strip(), mode="eval").body


def expression_or_none(source: str) -> ast.expr | None:
    """As `expression`, and None where it is none."""
    return _or_none(expression, source)


def _or_none(read: Callable[[str], T], source: str) -> T | None:
    try:
        return read(source)
    except SyntaxError:
        return None


@lru_cache(maxsize=1_024)  # of a case's call it is asked before it is run and as it is judged
def known_expression(source: str) -> ast.expr | None:
    """As `expression_or_none`, for who changes nothing of the tree."""
    return expression_or_none(source)


def literal(source: str | ast.expr) -> Any:
    """The value of a literal, given as its source or as its tree; ValueError for everything that is none.

    As `ast.literal_eval` has it: also signed and complex numbers, and what tuples, lists, sets and dicts hold. Sets and
    dicts have a bound: ints can be chosen that all have one hash, and a set of them takes quadratic time.
    """
    try:
        tree = expression(source) if isinstance(source, str) else source
        hashing = (node for node in walk(tree) if isinstance(node, ast.Set | ast.Dict))
        if any(len(node.elts if isinstance(node, ast.Set) else node.keys) > _MOST_HASHED for node in hashing):
            raise ValueError("a set or dict of too many items")
        return ast.literal_eval(tree)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError) as error:
        raise ValueError(f"not a literal: {error or type(error).__name__}") from None


def literal_or(source: str | ast.expr, otherwise: Any = None) -> Any:
    """As `literal`, and `otherwise` where it is none."""
    try:
        return literal(source)
    except ValueError:
        return otherwise


def is_literal(source: str | ast.expr) -> bool:
    """Whether it has a value that `literal` tells."""
    return literal_or(source, _NONE) is not _NONE


def dumped(node: ast.AST) -> str:
    """`ast.dump`, alike on each version of Python.

    Since 3.12 definitions have type parameters, and since 3.13 empty lists are left out.
    """
    shown: dict[str, Any] = {"show_empty": True} if sys.version_info >= (3, 13) else {}
    return ast.dump(node, **shown).replace(", type_params=[]", "")


@contextmanager
def _alone() -> Iterator[None]:
    """The parser for this thread, silent, and with one error for all that it can't read."""
    with _parser, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(f"Python can't read this: {error or type(error).__name__}") from None


def whole_lines(source: str) -> list[str]:
    """The lines, each with what ends it."""
    return StringIO(source, newline="").readlines()


def lines_of(source: str) -> list[str]:
    """The lines without what ends them."""
    return [line.rstrip("\r\n") for line in whole_lines(source)]


def line_ending(source: str) -> str:
    """What ends the first line of a source, and so presumably all; a line feed where none ends."""
    first = next(iter(whole_lines(source)), "")
    return "\r\n" if first.endswith("\r\n") else "\r" if first.endswith("\r") else "\n"


def line_starts(data: bytes) -> list[int]:
    """The offset in bytes at which each line of a source in UTF-8 begins, and after them that of its end."""
    return [0, *accumulate(map(len, data.splitlines(keepends=True)))]


class Edit(NamedTuple):
    """A stretch of a source (lines from 1, columns in bytes, as trees have them), and what comes in its place."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str = ""


def edited(source: str, edits: Iterable[Edit]) -> str:
    """`source` with the edits made; they must not overlap. One may stand on the line behind the last."""
    lines = [*(line.encode("utf-8") for line in whole_lines(source)), b""]
    for edit in sorted(set(edits), reverse=True):
        first, last = edit.line - 1, edit.end_line - 1
        before, after = lines[first][: edit.column], lines[last][edit.end_column :]
        lines[first : last + 1] = [before + edit.text.encode("utf-8") + after]
    return b"".join(lines).decode("utf-8")


def over(node: ast.expr | ast.stmt | ast.arg, text: str = "") -> Edit:
    """The edit that puts `text` in the place of a node."""
    return Edit(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0, text)


def first_line(node: ast.stmt) -> int:
    """The line of a statement's first decorator, or its own."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def is_constant(node: ast.AST) -> bool:
    """Whether a statement is a constant alone: a docstring, `...`, a text that explains what stands above it."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def definition(tree: ast.AST, name: str) -> Definition | None:
    """The last definition of a name in a body, which is the one that holds; None where there is none."""
    body: list[ast.stmt] = getattr(tree, "body", [])
    return next((node for node in reversed(body) if isinstance(node, Definition) and node.name == name), None)


def class_named(tree: ast.AST, name: str) -> ast.ClassDef | None:
    """The class of a name, where that is what its last definition is."""
    node = definition(tree, name)
    return node if isinstance(node, ast.ClassDef) else None


def methods_of(node: ast.AST | None) -> list[Function]:
    """The functions that stand in a class's body, in its order, a setter as well; none of what is no class."""
    body = node.body if isinstance(node, ast.ClassDef) else ()
    return [method for method in body if isinstance(method, Function)]


def docstring_of(node: ast.AST) -> ast.Expr | None:
    """The statement that is a definition's or module's docstring."""
    body = getattr(node, "body", None)
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first
    return None


def docstrings_left_out(nodes: Iterable[Definition]) -> list[Edit]:
    """The edits that put three dots in the place of those docstrings of definitions that have several lines."""
    docs = filter(None, map(docstring_of, nodes))
    return [over(doc, '"""…"""') for doc in docs if doc.lineno != doc.end_lineno]


class Bound(NamedTuple):
    """A name that a module binds: whether it is defined there, and the line by which another module imports it."""

    name: str
    line: str
    is_own: bool = False


@lru_cache(maxsize=4)
def bindings(source: str, module: str, *, is_package: bool = False) -> dict[str, Bound]:
    """The names that the source of `module` binds at its top level, in branches of it too, by name.

    Relative imports are told as absolute ones. What `import *` binds is not known. SyntaxError where it is no Python.
    """
    package = module if is_package else module.rpartition(".")[0]
    return {one.name: one for node, _ in statements(parse(source).body) for one in _bound(node, module, package)}


def statements(body: Iterable[ast.stmt], *, typing: bool = False) -> Iterator[tuple[ast.stmt, bool]]:
    """The statements that bind names at a module's top level, and whether only type checkers see them."""
    for node in body:
        only = typing or (isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"))
        if isinstance(node, ast.If):
            yield from statements(node.body, typing=only)
            yield from statements(node.orelse, typing=typing)
        elif isinstance(node, ast.Try | ast.With | ast.For | ast.While):
            handlers = [inner for handler in getattr(node, "handlers", ()) for inner in handler.body]
            parts = [*node.body, *handlers, *getattr(node, "orelse", ()), *getattr(node, "finalbody", ())]
            yield from statements(parts, typing=typing)
        else:
            yield node, typing


def _bound(node: ast.stmt, module: str, package: str) -> Iterator[Bound]:
    match node:
        case ast.Import(names=aliases):
            for alias in aliases:
                name = alias.asname or alias.name.partition(".")[0]
                yield Bound(name, f"import {alias.name}" + f" as {alias.asname}" * bool(alias.asname))
        case ast.ImportFrom(module="__future__"):
            return
        case ast.ImportFrom(names=aliases):
            origin = absolute(node, package)
            for alias in aliases:
                line = f"from {origin} import {alias.name}" + f" as {alias.asname}" * bool(alias.asname)
                if alias.name != "*":
                    yield Bound(alias.asname or alias.name, line)
        case _:
            yield from (Bound(name, f"from {module} import {name}", is_own=True) for name in defined_names(node))


def absolute(node: ast.ImportFrom, package: str) -> str:
    """The module that a `from` names, a relative one from within `package`."""
    if not node.level:
        return node.module or ""
    parts = package.split(".") if package else []
    above = parts[: len(parts) - node.level + 1]
    return ".".join([*above, *([node.module] if node.module else [])])


def defined_names(node: ast.stmt) -> list[str]:
    """The names that a statement at module level binds, imports aside."""
    if isinstance(node, Definition):
        return [node.name]
    targets = [*getattr(node, "targets", ()), getattr(node, "target", None), getattr(node, "name", None)]
    parts = (part for target in targets if isinstance(target, ast.AST) for part in ast.walk(target))
    return [part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
