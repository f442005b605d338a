"""Statements: calls and stores dropped, other jumps, exceptions swallowed, other ones raised and caught."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.changes import Block, Body, Swap, instead
from tdgen.mutation.code import Code

_OTHER_EXCEPTION = {"TypeError": "ValueError", "KeyError": "IndexError", "IndexError": "KeyError"}


def statements(code: Code, node: ast.stmt) -> Iterator[Block]:
    """A statement whose only use is its effect dropped; `break` as `continue` and the other way round."""
    if isinstance(node, ast.Break):
        yield instead(code, "jump", node, ast.Continue())
    elif isinstance(node, ast.Continue):
        yield instead(code, "jump", node, ast.Break())
    elif _is_effect(node):
        yield instead(code, "statement dropped", node, ast.Pass())


def raising(code: Code, node: ast.Raise) -> Iterator[Block]:
    """The exception not raised, and another class of it; a bare `raise` swallowed."""
    yield instead(code, "exception", node, ast.Pass())
    raised = node.exc
    name = raised.func if isinstance(raised, ast.Call) else raised
    if isinstance(name, ast.Name) and name.id[:1].isupper():
        other = ast.Name(_OTHER_EXCEPTION.get(name.id, "TypeError"), ast.Load())
        anew: ast.expr = other if raised is name else ast.Call(other, *_arguments(raised))
        yield instead(code, "exception", node, ast.Raise(anew, node.cause))


def catching(code: Code, node: ast.Try) -> Iterator[Block | Swap]:
    """What is caught raised on, another class caught, and each of several classes no longer."""
    for handler in node.handlers:
        if not isinstance(handler.body[0], ast.Raise):
            body = Body(handler, "body", (ast.Raise(None, None),))
            yield Block("exception", handler.body[0], (body,))
        kind = handler.type
        if isinstance(kind, ast.Tuple) and len(kind.elts) > 1:
            for index in range(len(kind.elts)):
                rest = [*kind.elts[:index], *kind.elts[index + 1 :]]
                yield Swap("exception", kind, rest[0] if len(rest) == 1 else ast.Tuple(rest, ast.Load()))
        elif isinstance(kind, ast.Name):
            yield Swap("exception", kind, ast.Name(_OTHER_EXCEPTION.get(kind.id, "TypeError"), ast.Load()))


def _arguments(node: ast.expr | None) -> tuple[list[ast.expr], list[ast.keyword]]:
    return (node.args, node.keywords) if isinstance(node, ast.Call) else ([], [])


def _is_effect(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call | ast.Await)
    if isinstance(node, ast.Assign):
        return all(isinstance(target, ast.Subscript | ast.Attribute) for target in node.targets)
    return isinstance(node, ast.Delete)
