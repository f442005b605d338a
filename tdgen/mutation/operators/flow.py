"""Conditions: negated, forced, an operand less or more, another one altogether, `and` as `or`, filters dropped.

Statements at their places: dropped, swapped, moved out or in; other jumps, branches and exceptions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.operators import Edit, each
from tdgen.source.scope import ITEMS, Scope
from tdgen.source.syntax import Definition
from tdgen.source.trees import call, is_not, name, names_in, negated, with_fields, without

_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_COMPARED = (ast.Lt, ast.LtE, ast.Eq, ast.NotEq)


def negated_test(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """A condition negated; of a comparison, and of `not`, that is their own operators' work."""
    if not _is_test(scope, node) or isinstance(node, ast.Constant) or is_not(node):
        return
    if not (isinstance(node, ast.Compare) and len(node.ops) == 1):
        operator = "filter" if scope.code.places[node].field == "ifs" else "condition"
        yield from each(operator, node, [negated(node)], 0.5)


def forced_test(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """A condition that always holds, or never; a loop is only turned off, which repairs nothing."""
    parent = scope.code.places[node].parent
    if _is_test(scope, node) and not isinstance(node, ast.Constant):
        if isinstance(parent, ast.If):
            yield from each("condition", node, [ast.Constant(value=True)], 0.08)
        if isinstance(parent, ast.If | ast.While):
            yield from each("condition", node, [ast.Constant(value=False)], 0.05 if isinstance(parent, ast.If) else 0.0)


def ternary(_: Scope, node: ast.IfExp) -> Iterator[Edit]:
    """`a if x else b` the other way round, and each side alone."""
    yield from each("ternary", node, [ast.IfExp(node.test, node.orelse, node.body)], 0.4)
    yield from each("ternary", node, [node.body, node.orelse], 0.25)


def and_or(_: Scope, node: ast.BoolOp) -> Iterator[Edit]:
    """`and` as `or`, and without each operand."""
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield from each("condition", node, [with_fields(node, op=other)], 0.7)
    for index in range(len(node.values)):
        rest = without(node.values, index)
        new = rest[0] if len(rest) == 1 else with_fields(node, values=rest)
        yield from each("operand dropped", node, [new], 0.4)


def operand_negated(_: Scope, node: ast.BoolOp) -> Iterator[Edit]:
    """An operand of `and` or `or` negated, and two swapped."""
    for value in node.values:
        yield from each("negation", value, [negated(value)], 0.4)
    if len(node.values) == 2:
        yield from each("operands swapped", node, [with_fields(node, values=node.values[::-1])], 0.2)


def filter_dropped(_: Scope, node: _Comprehension) -> Iterator[Edit]:
    """A comprehension without each of its filters."""
    for index, loop in enumerate(node.generators):
        for place in range(len(loop.ifs)):
            yield from _filtered(node, index, without(loop.ifs, place), 0.4)


def filter_added(scope: Scope, node: _Comprehension) -> Iterator[Edit]:
    """A comprehension with one more filter."""
    last = len(node.generators) - 1
    for other, prior in [*_truths(scope, node), *((c, 0.05) for c in _comparisons(scope, node))]:
        yield from _filtered(node, last, [*node.generators[last].ifs, other], prior * 0.6)


def other_test(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """A condition with one more operand, and another one; for a constant always another one."""
    if not _is_test(scope, node):
        return
    if isinstance(node, ast.Constant):
        for other, prior in _truths(scope, node):
            yield from each("condition", node, [other], min(prior * 4, 0.5))
        yield from each("condition", node, _comparisons(scope, node), 0.08)
        return
    for other, prior in _truths(scope, node):
        yield from each("condition added", node, _joined(node, other), prior)
        yield from each("condition", node, [other], prior * 0.4)
    for other in _comparisons(scope, node):
        yield from each("condition added", node, _joined(node, other), 0.03)


def returned_test(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """What is returned, if it may be a condition: negated, and with one more operand."""
    if isinstance(scope.code.places[node].parent, ast.Return):
        yield from each("negation", node, [negated(node)], 0.3)
        for other, prior in _truths(scope, node):
            yield from each("condition added", node, _joined(node, other), prior * 0.4)


def _is_test(scope: Scope, node: ast.expr) -> bool:
    parent, field, _ = scope.code.places[node]
    return field in {"test", "ifs"} and not isinstance(parent, ast.Assert)


def _filtered(node: _Comprehension, index: int, tests: list[ast.expr], prior: float) -> Iterator[Edit]:
    loops = list(node.generators)
    loops[index] = ast.comprehension(loops[index].target, loops[index].iter, tests, loops[index].is_async)
    yield from each("filter", node, [with_fields(node, generators=loops)], prior)


def _joined(node: ast.expr, other: ast.expr) -> Iterator[ast.expr]:
    """With one more operand, in front and behind."""
    for op in (ast.And(), ast.Or()):
        operands = node.values if isinstance(node, ast.BoolOp) and type(node.op) is type(op) else [node]
        yield ast.BoolOp(op, [*operands, other])
        yield ast.BoolOp(op, [other, *operands])


def _truths(scope: Scope, node: ast.expr) -> Iterator[tuple[ast.expr, float]]:
    """What can be asked of each variable at hand, with a prior."""
    inside = names_in(node)
    for text in scope.variables(node):
        prior = 0.12 if text in inside or scope.may_be(text, ITEMS) else 0.06
        yield name(text), prior
        yield ast.UnaryOp(ast.Not(), name(text)), prior
        for attribute in scope.attributes:
            yield ast.Attribute(name(text), attribute, ast.Load()), 0.08
        for op in (ast.IsNot(), ast.Is()):
            yield ast.Compare(name(text), [op], [ast.Constant(None)]), 0.06


def _comparisons(scope: Scope, node: ast.expr) -> Iterator[ast.expr]:
    """Numbers at hand compared with each other, and items asked for in collections."""
    numbers, items = scope.numbers(node)[:6], scope.items(node)[:6]
    for index, one in enumerate(numbers):
        for other in numbers[index + 1 :]:
            yield from (ast.Compare(name(one), [op()], [name(other)]) for op in _COMPARED)
        for collection in items:
            if collection != one:
                yield ast.Compare(name(one), [ast.Lt()], [call("len", name(collection))])
    for one in scope.variables(node)[:6]:
        for collection in items:
            if collection != one:
                yield from (ast.Compare(name(one), [op], [name(collection)]) for op in (ast.NotIn(), ast.In()))


_OTHER_EXCEPTION = {"TypeError": "ValueError", "KeyError": "IndexError", "IndexError": "KeyError"}
_Holder = ast.For | ast.While | ast.If | ast.With | ast.Try


def effect_dropped(scope: Scope, node: ast.stmt) -> Iterator[Edit]:
    """Without a statement whose only use is its effect."""
    is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await)
    targets = node.targets if isinstance(node, ast.Assign) else []
    is_store = bool(targets) and all(isinstance(target, ast.Subscript | ast.Attribute) for target in targets)
    if is_call or is_store or isinstance(node, ast.Delete | ast.AugAssign):
        yield from dropped(scope, node)


def dropped(_: Scope, node: ast.stmt) -> Iterator[Edit]:
    """Without a statement."""
    if not isinstance(node, Definition):
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
    if not isinstance(owner, _Holder) or isinstance(node, Definition):
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
    if isinstance(node, Definition):
        return None, None
    siblings, index = scope.code.siblings(node), scope.code.places[node].at
    return siblings[index - 1] if index else None, siblings[index + 1] if index + 1 < len(siblings) else None
