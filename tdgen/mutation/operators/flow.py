"""Statements at their places: dropped, swapped, moved out or in; other jumps, branches and exceptions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.edits import Edit, each
from tdgen.mutation.nodes import without
from tdgen.mutation.scope import Scope

_OTHER_EXCEPTION = {"TypeError": "ValueError", "KeyError": "IndexError", "IndexError": "KeyError"}
_Holder = ast.For | ast.While | ast.If | ast.With | ast.Try
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def effect_dropped(scope: Scope, node: ast.stmt) -> Iterator[Edit]:
    """Without a statement whose only use is its effect."""
    is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await)
    targets = node.targets if isinstance(node, ast.Assign) else []
    is_store = bool(targets) and all(isinstance(target, ast.Subscript | ast.Attribute) for target in targets)
    if is_call or is_store or isinstance(node, ast.Delete | ast.AugAssign):
        yield from dropped(scope, node)


def dropped(_: Scope, node: ast.stmt) -> Iterator[Edit]:
    """Without a statement."""
    if not isinstance(node, _Definition):
        yield Edit("statement dropped", node, {node: ()}, 0.25)


def jump(_: Scope, node: ast.Break | ast.Continue) -> Iterator[Edit]:
    """`break` as `continue`, and the other way round."""
    yield from each("jump", node, [ast.Continue() if isinstance(node, ast.Break) else ast.Break()], 0.4)


def return_instead(_: Scope, node: ast.Break | ast.Continue) -> Iterator[Edit]:
    """`break` and `continue` as `return`."""
    yield from each("jump", node, [ast.Return(None)], 0.2 if isinstance(node, ast.Break) else 0.1)


def other_raised(_: Scope, node: ast.Raise) -> Iterator[Edit]:
    """An exception not raised, and another class of it; a bare `raise` swallowed."""
    yield from each("exception", node, [ast.Pass()])
    raised = node.exc
    kind = raised.func if isinstance(raised, ast.Call) else raised
    if isinstance(kind, ast.Name) and kind.id[:1].isupper():
        other: ast.expr = ast.Name(_OTHER_EXCEPTION.get(kind.id, "TypeError"), ast.Load())
        if isinstance(raised, ast.Call):
            other = ast.Call(other, raised.args, raised.keywords)
        yield from each("exception", node, [ast.Raise(other, node.cause)])


def other_caught(_: Scope, node: ast.Try) -> Iterator[Edit]:
    """What is caught raised on, another class caught, and each of several classes no longer."""
    for handler in node.handlers:
        first, *rest = handler.body
        if not isinstance(first, ast.Raise):
            yield Edit("exception", first, {first: (ast.Raise(None, None),), **dict.fromkeys(rest, ())})
        kind = handler.type
        if isinstance(kind, ast.Tuple) and len(kind.elts) > 1:
            fewer = (without(kind.elts, index) for index in range(len(kind.elts)))
            yield from each("exception", kind, (f[0] if len(f) == 1 else ast.Tuple(f, ast.Load()) for f in fewer))
        elif isinstance(kind, ast.Name):
            yield from each("exception", kind, [ast.Name(_OTHER_EXCEPTION.get(kind.id, "TypeError"), ast.Load())])


def swapped(scope: Scope, node: ast.stmt) -> Iterator[Edit]:
    """A statement behind the one that follows it."""
    _, behind = _neighbours(scope, node)
    if behind is not None:
        yield Edit("statements swapped", node, {node: (behind,), behind: (node,)}, 0.25)


def moved_out(scope: Scope, node: ast.stmt) -> Iterator[Edit]:
    """The last statement of a body behind, the first before the statement that holds it."""
    owner = scope.code.places[node].parent
    if not isinstance(owner, _Holder) or isinstance(node, _Definition):
        return
    before, behind = _neighbours(scope, node)
    yield Edit("moved out", node, {node: (), owner: (owner, node)}, 0.06 if behind else 0.35)
    yield Edit("moved out", node, {node: (), owner: (node, owner)}, 0.06 if before else 0.2)


def moved_in(scope: Scope, node: ast.stmt) -> Iterator[Edit]:
    """A statement at the end of the body of the one before, or at the start of the one behind; `if` as `elif`."""
    before, behind = _neighbours(scope, node)
    for part in ("body", "orelse") if isinstance(before, _Holder) else ():
        if inner := getattr(before, part, []):
            yield Edit("moved in", node, {node: (), inner[-1]: (inner[-1], node)}, 0.2)
    if isinstance(behind, _Holder):
        yield Edit("moved in", node, {node: (), behind.body[0]: (node, behind.body[0])}, 0.12)
    if isinstance(before, ast.If) and not before.orelse and isinstance(node, ast.If):
        yield Edit("chained", node, {before: (ast.If(before.test, before.body, [node]),), node: ()}, 0.15)


def branches(_: Scope, node: ast.If | ast.While) -> Iterator[Edit]:
    """`if` as `while` and the other way round; its body without it, its branches swapped, dropped or both."""
    if isinstance(node, ast.While):
        yield from each("loop", node, [ast.If(node.test, node.body, node.orelse)], 0.1)
    if isinstance(node, ast.If):
        yield from each("loop", node, [ast.While(node.test, node.body, node.orelse)], 0.12)
        yield Edit("unconditional", node, {node: tuple(node.body)}, 0.12)
        if node.orelse:
            alone = ast.If(node.test, node.body, [])
            yield from each("branches swapped", node, [ast.If(node.test, node.orelse, node.body)], 0.2)
            yield from each("branch dropped", node, [alone], 0.12)
            yield Edit("branch dropped", node, {node: (alone, *node.orelse)}, 0.12)


def _neighbours(scope: Scope, node: ast.stmt) -> tuple[ast.stmt | None, ast.stmt | None]:
    """The statements before and behind in the same body; none for a definition."""
    if isinstance(node, _Definition):
        return None, None
    siblings, index = scope.code.siblings(node), scope.code.places[node].at
    return siblings[index - 1] if index else None, siblings[index + 1] if index + 1 < len(siblings) else None
