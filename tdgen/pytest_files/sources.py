"""Pieces of a case's source, checked before they stand in a file: none of them can end the place it is put in.

Cases are written by a model. A piece is parsed by itself and laid down from its syntax tree, or word for word where its
text is one plain line that means the same between brackets. What parses but would change the test around it (a
`yield`, a `return`, a `global`) is refused.

In a piece `datetime` means the class, except where another of the module's names follows the dot, each piece by itself.
One file can bind the name only once, so the module gets another one (`dt`). numpy and pandas get their usual names.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from tdgen.source.names import KNOWN_NAMES, PACKAGES, STDLIB, is_in_module
from tdgen.source.syntax import is_same, parse, statements_of, walk
from tdgen.source.trees import dotted
from tdgen.text import visible

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LEAVES = (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith)
_UNBRACKETED = (ast.GeneratorExp, ast.NamedExpr, ast.Starred)
ALIASES = {name: f"{name}_module" for name in KNOWN_NAMES if name in STDLIB}
"""For a class whose module has its very name: the name under which a test file imports the module, and which no case's
variable is likely to have, as `dt` is."""
_SHORT = {PACKAGES[name]: name for name in ("np", "pd")}
_DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


class Argument(NamedTuple):
    """An argument of a call: its name where it is passed by name, its value's source, and whether it is unpacked."""

    name: str
    text: str
    unpacked: bool = False

    @property
    def source(self) -> str:
        """The argument as it stands in a call."""
        return f"{self.name}={self.text}" if self.name else self.text


def expression(source: str) -> ast.expr:
    """`source` as a syntax tree; ValueError where it is not one expression that can stand in a test."""
    body = statements(source.strip())
    if len(body) != 1 or not isinstance(body[0], ast.Expr) or isinstance(body[0].value, ast.Starred):
        raise ValueError(f"not an expression: {_short(source)}")
    return body[0].value


def expression_text(source: str) -> str:
    """`source` as one expression that means the same within brackets, kept word for word where that is plain."""
    tree = expression(source)
    return source.strip() if _is_plain(source.strip(), tree) else unparse(tree)


def argument(source: str) -> Argument:
    """One argument, `value` or `name=value` or `*values`; ValueError where it is something else."""
    call = _call(source)
    if call is None:
        raise ValueError(f"not an argument: {_short(source)}")
    _check(call, source)
    _rename_modules(call)
    if call.keywords:
        name, value = call.keywords[0].arg, unparse(call.keywords[0].value)
        return Argument(name, value) if name else Argument("", f"**{value}", unpacked=True)
    if isinstance(call.args[0], ast.Starred):
        return Argument("", unparse(call.args[0]), unpacked=True)
    return Argument("", expression_text(source))


def statements(source: str, *, in_function: bool = False) -> list[ast.stmt]:
    """`source` as statements that can stand in a test function's body; ValueError where it can't.

    `in_function` allows `return`, for what gets a function of its own.
    """
    try:
        tree = parse(source)
    except SyntaxError as error:
        raise ValueError(f"not Python: {_short(source)} ({error.msg})") from None
    _rename_modules(tree)
    body = tree.body
    for statement in body:
        _check(statement, source)
        if not in_function and any(isinstance(node, ast.Return) for node in own_nodes(statement)):
            raise ValueError(f"return can't stand in a test: {_short(source)}")
    return body


def dotted_name(source: str) -> str:
    """`source` where it is a name, perhaps with dots in it, as exceptions are named; ValueError elsewhere."""
    if not _DOTTED.fullmatch(source.strip()):
        raise ValueError(f"not a name: {_short(source)}")
    expression(source)
    return source.strip()


def last_name(tree: ast.AST) -> str:
    """The last part of a name with dots in it, or of the name that is called; empty for anything else."""
    tree = tree.func if isinstance(tree, ast.Call) else tree
    return tree.attr if isinstance(tree, ast.Attribute) else tree.id if isinstance(tree, ast.Name) else ""


def unparse(tree: ast.AST) -> str:
    """The tree as source that reads back as the same tree; ValueError for the few that Python can't write down."""
    try:
        text = ast.unparse(tree)
        again: ast.AST = parse(text if isinstance(tree, ast.stmt) else f"[{text}]").body[0]
    except (ValueError, RecursionError, SyntaxError) as error:
        raise ValueError(f"can't be written down again: {error or type(error).__name__}") from None
    if isinstance(tree, ast.expr):
        again = again.value.elts[0]  # type: ignore[attr-defined] # the list just written
    if ast.dump(again) != ast.dump(tree):
        raise ValueError(f"can't be written down again: {_short(text)}")
    return text


def _is_plain(text: str, tree: ast.expr) -> bool:
    """Whether `text` is one line that is the same expression when it stands among a call's arguments."""
    if not text.isprintable() or isinstance(tree, _UNBRACKETED):
        return False
    if "\\" in text and not (isinstance(tree, ast.Constant) and text[0] == "r"):
        return False
    call = _call(text, end="")  # with nothing after it: a comment would hide the bracket that follows
    return call is not None and len(call.args) == 1 and ast.dump(call.args[0]) == ast.dump(tree)


def _call(arguments: str, end: str = "\n") -> ast.Call | None:
    """The call of `_` on what should be one argument."""
    body = statements_of(f"_({arguments}{end})")
    call = body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return None
    return call if len(call.args) + len(call.keywords) == 1 else None


def _check(tree: ast.AST, source: str) -> None:
    for node in own_nodes(tree):
        if isinstance(node, _LEAVES) or (isinstance(node, ast.comprehension) and node.is_async):
            raise ValueError(f"{type(node).__name__.lower()} can't stand in a test: {_short(source)}")
    for node in walk(tree):
        if isinstance(node, ast.Global | ast.Nonlocal):
            raise ValueError(f"{type(node).__name__.lower()} can't stand in a test: {_short(source)}")
        if isinstance(node, ast.ImportFrom) and (node.module == "__future__" or node.names[0].name == "*"):
            raise ValueError(f"this import can't stand in a test: {_short(source)}")


def _rename_modules(tree: ast.AST) -> None:
    """Give the modules in `tree` the names under which a test file imports them."""
    names = [node for node in walk(tree) if isinstance(node, ast.Name)]
    owners = [node for node in walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    modules = {dotted(node.value) for node in owners if is_in_module(dotted(node.value), node.attr)}
    renamed = {name: ALIASES[name] for name in modules & ALIASES.keys()} | _SHORT
    for node in names:
        node.id = renamed.get(node.id, node.id)


def own_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of `tree` without those inside of functions that it defines."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, _SCOPES):
            pending.extend(ast.iter_child_nodes(node))


def _short(source: str) -> str:
    line = " ".join(source.split())
    return repr(line if len(line) <= 60 else line[:57] + "...")


def visible_texts(source: str) -> str:
    """A file with escapes in its texts for what can't be seen or told apart, unless they would mean something else.

    Raw texts have no escapes, nor has what is computed within a text.
    """
    if source.isascii():
        return source
    lines = list(io.StringIO(source))
    starts = list(accumulate(map(len, lines), initial=0))
    parts, end = list[str](), 0
    for token in tokenize.generate_tokens(iter(lines).__next__):
        if token.type == tokenize.STRING and is_same(token.string, visible(token.string)):
            start = starts[token.start[0] - 1] + token.start[1]
            parts += [source[end:start], visible(token.string)]
            end = start + len(token.string)
    return "".join([*parts, source[end:]])
