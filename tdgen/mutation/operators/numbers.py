"""Numbers and comparisons: another operator, another bound, operands dropped, swapped or grouped otherwise."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.operators import Edit, each
from tdgen.source.scope import NUMBER, Scope
from tdgen.source.trees import assigned, call, called, is_display, is_text, name, number, plus, shifted, with_fields

_LIKELY: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Add,), ast.Div: (ast.FloorDiv, ast.Mult),
    ast.FloorDiv: (ast.Div, ast.Mult), ast.Mod: (ast.FloorDiv, ast.Mult), ast.Pow: (ast.Mult,),
    ast.LShift: (ast.RShift,), ast.RShift: (ast.LShift,), ast.BitAnd: (ast.BitOr,), ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitAnd, ast.BitOr),
}  # fmt: skip
_NUMERIC = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Div, ast.Mod, ast.Pow)
_BITWISE = (ast.BitAnd, ast.BitOr, ast.BitXor)


def likely_operator(_: Scope, node: ast.BinOp) -> Iterator[Edit]:
    """The operators that are most often taken for this one, where both sides may be numbers."""
    if not _joins(node) and not _formats(node):
        others = (with_fields(node, op=other()) for other in _LIKELY.get(type(node.op), ()))
        yield from each("arithmetic", node, others, 0.6)


def other_operator(_: Scope, node: ast.BinOp) -> Iterator[Edit]:
    """All other operators of the same family."""
    if not _formats(node):
        family = _NUMERIC if isinstance(node.op, _NUMERIC) else _BITWISE if isinstance(node.op, _BITWISE) else ()
        others = (with_fields(node, op=other()) for other in family if not isinstance(node.op, other))
        yield from each("arithmetic", node, others, 0.12)


def joined_dropped(scope: Scope, node: ast.BinOp) -> Iterator[Edit]:
    """Each side of a `+` that joins texts or lists alone."""
    if isinstance(node.op, ast.Add) and _joins(node):
        yield from operand_dropped(scope, node)


def operand_dropped(_: Scope, node: ast.BinOp) -> Iterator[Edit]:
    """Each side of an operator alone."""
    if not _formats(node):
        yield from each("operand dropped", node, [node.left, node.right], 0.3)


def operands_swapped(_: Scope, node: ast.BinOp) -> Iterator[Edit]:
    """`a - b` as `b - a`."""
    if not _formats(node):
        prior = 0.15 if isinstance(node.op, ast.Mult | ast.BitAnd | ast.BitOr | ast.BitXor) else 0.35
        yield from each("operands swapped", node, [ast.BinOp(node.right, node.op, node.left)], prior)


def regrouped(_: Scope, node: ast.BinOp) -> Iterator[Edit]:
    """`a - b - c` as `a - (b - c)`, and the other way round: parentheses that are missing, or too many."""
    left, right = node.left, node.right
    if isinstance(left, ast.BinOp) and not _formats(node):
        inner = ast.BinOp(left.right, node.op, right)
        yield from each("grouping", node, [ast.BinOp(left.left, left.op, inner)], 0.2)
    if isinstance(right, ast.BinOp) and not _formats(node):
        inner = ast.BinOp(left, node.op, right.left)
        yield from each("grouping", node, [ast.BinOp(inner, right.op, right.right)], 0.2)


def sign_dropped(_: Scope, node: ast.UnaryOp) -> Iterator[Edit]:
    """Without a sign or `not`; a constant's sign is seldom at fault."""
    if not isinstance(node.op, ast.UAdd):
        operator = "negation" if isinstance(node.op, ast.Not) else "sign"
        yield from each(operator, node, [node.operand], 0.0 if isinstance(node.operand, ast.Constant) else 0.5)


def augmented(_: Scope, node: ast.AugAssign) -> Iterator[Edit]:
    """`x += y` with the operators that are most often taken for it, and as `x = y`."""
    if not (isinstance(node.op, ast.Add) and is_display(node.value)):
        for other in _LIKELY.get(type(node.op), ()):
            prior = 0.6 if {type(node.op), other} == {ast.Add, ast.Sub} else 0.15
            yield from each("augmented assignment", node, [ast.AugAssign(node.target, other(), node.value)], prior)
    yield from each("augmented assignment", node, [assigned(node.target, node.value)], 0.4)


def other_augmented(_: Scope, node: ast.AugAssign) -> Iterator[Edit]:
    """`x += y` with any other operator."""
    ops = [op for op in (*_NUMERIC, *_BITWISE) if op is not ast.Pow and not isinstance(node.op, op)]
    others = (ast.AugAssign(node.target, op(), node.value) for op in ops)
    yield from each("augmented assignment", node, others, 0.15)


def accumulated(_: Scope, node: ast.Assign) -> Iterator[Edit]:
    """`x = y` as `x += y`, and as the larger or the smaller of both."""
    target = node.targets[0]
    if len(node.targets) == 1 and isinstance(target, ast.Name | ast.Attribute | ast.Subscript):
        for op, prior in ((ast.Add, 0.25), (ast.Sub, 0.08), (ast.Mult, 0.08)):
            yield from each("augmented assignment", node, [ast.AugAssign(target, op(), node.value)], prior)
        limits = (assigned(target, call(function, target, node.value)) for function in ("max", "min"))
        yield from each("bounded", node, limits, 0.12)


def _joins(node: ast.BinOp) -> bool:
    """Whether it joins or repeats what certainly is no number."""
    return isinstance(node.op, ast.Add | ast.Mult) and (is_display(node.left) or is_display(node.right))


def _formats(node: ast.BinOp) -> bool:
    return isinstance(node.op, ast.Mod) and is_text(node.left)


def bound_by_one(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """A bound of a slice or a range plus and minus one; where it ends in a number, that is changed as a constant."""
    parent, field, index = scope.code.places[node]
    of_slice = isinstance(parent, ast.Slice) and field != "step"
    of_range = isinstance(parent, ast.Call) and called(parent) == "range" and field == "args" and index < 2
    if not (of_slice or of_range) or isinstance(node, ast.Starred):
        return
    ends_in = node.right if isinstance(node, ast.BinOp) else node
    if number(ends_in) is None:
        yield from each("bound", node, [shifted(node, 1), shifted(node, -1)])


def off_by_one(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """Whatever may be a number by one, and by a variable, as likely as it is where it stands."""
    if number(node) is not None or is_display(node):
        return
    prior, operator = _of_place(scope, node)
    if not prior or not scope.seems(node, NUMBER):
        return
    yield from each(operator, node, [shifted(node, 1), shifted(node, -1)], prior)
    for text in scope.numbers(node):
        if not (isinstance(node, ast.Name) and node.id == text):
            other, ops = name(text), (ast.Add(), ast.Sub())
            yield from each("operand added", node, [ast.BinOp(node, op, other) for op in ops], prior * 0.3)
            yield from each("operand added", node, [ast.BinOp(other, op, node) for op in ops], prior * 0.15)
            yield from each("operand added", node, [ast.BinOp(node, ast.Mult(), other)], prior * 0.1)
            yield from each("bounded", node, [call("max", node, other), call("min", node, other)], prior * 0.1)


def _of_place(scope: Scope, node: ast.expr) -> tuple[float, str]:
    """How likely an expression is off by one where it stands."""
    parent, field, _ = scope.code.places[node]
    if isinstance(parent, ast.Slice):
        return 0.6, "bound"
    if isinstance(parent, ast.Subscript) and field == "slice" and not isinstance(node, ast.Slice | ast.Tuple):
        return 0.5, "index"
    if isinstance(parent, ast.Call) and field == "args" and not isinstance(node, ast.Starred):
        return (0.7, "bound") if called(parent) == "range" else (0.3, "argument")
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mult | ast.Mod | ast.FloorDiv):
        return 0.25, "bound"
    if isinstance(parent, ast.Compare):
        return 0.35, "bound"
    if isinstance(parent, ast.Return | ast.Assign | ast.AugAssign) and field == "value":
        return (0.3 if isinstance(parent, ast.Return) else 0.2), "value"
    return 0.0, ""


def range_bounds(_: Scope, node: ast.Call) -> Iterator[Edit]:
    """A range that starts at one, ends one later, or is gone through backwards."""
    if called(node) != "range":
        return
    one = ast.Constant(1)
    if len(node.args) == 1:
        stop = node.args[0]
        yield from each("bound", node, [call("range", one, stop), call("range", one, plus(stop, 1))], 0.4)
    elif len(node.args) == 2:
        start, stop = node.args
        bounds = ([stop], [start, plus(stop, 1)], [plus(start, 1), plus(stop, 1)])
        yield from each("bound", node, (call("range", *arguments) for arguments in bounds), 0.2)
    yield from each("order", node, [call("reversed", node)], 0.12)


def slice_bounds(scope: Scope, node: ast.Slice) -> Iterator[Edit]:
    """A slice with one bound less, one more, or both moved."""
    lower, upper, step = node.lower, node.upper, node.step
    if (lower is None) != (upper is None):
        yield from each("bound", node, [ast.Slice(upper, lower, step)], 0.3)
    if lower and upper:
        yield from each("bound", node, [ast.Slice(None, upper, step), ast.Slice(lower, None, step)], 0.25)
    one, last = ast.Constant(1), ast.UnaryOp(ast.USub(), ast.Constant(1))
    added: list[tuple[float, ast.expr, ast.expr]] = []
    for other in scope.numbers(node):
        added += [(0.12, name(other), name(other)), (0.06, plus(name(other), 1), plus(name(other), 1))]
    for prior, low, high in [*added, (0.15, one, last)]:
        if lower is None:
            yield from each("bound", node, [ast.Slice(low, upper, step)], prior)
        if upper is None:
            yield from each("bound", node, [ast.Slice(lower, high, step)], prior)
    yield from each("order", node, [ast.Slice(lower, upper, None if step is not None else last)], 0.06)


def loop_never(_: Scope, node: ast.For) -> Iterator[Edit]:
    """A loop that never runs."""
    yield from each("loop", node.iter, [ast.Tuple([], ast.Load())])


_BOUNDARY: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip
_NEGATION: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE,
}  # fmt: skip


def boundary(_: Scope, node: ast.Compare) -> Iterator[Edit]:
    """`<` as `<=`, for each operator of a chain."""
    for index, kind in _operators(node):
        if kind in _BOUNDARY:
            yield from _with_operator("boundary", node, index, _BOUNDARY[kind], 0.9)


def negation(_: Scope, node: ast.Compare) -> Iterator[Edit]:
    """`<` as `>=`, `==` as `!=`, `in` as `not in`, for each operator of a chain."""
    for index, kind in _operators(node):
        yield from _with_operator("comparison", node, index, _NEGATION[kind], 0.5 if kind in _BOUNDARY else 0.6)


def other_comparison(_: Scope, node: ast.Compare) -> Iterator[Edit]:
    """Operators that are seldom taken for this one, and the sides swapped."""
    for index, kind in _operators(node):
        others: dict[type[ast.cmpop], float] = {ast.Eq: 0.1}
        if kind in _BOUNDARY:
            others = {_MIRRORED[kind]: 0.6, ast.Eq: 0.1, ast.NotEq: 0.15}
        elif kind in (ast.Eq, ast.NotEq):
            others = {**dict.fromkeys(_BOUNDARY, 0.2), ast.In: 0.05}
        for other, prior in others.items():
            yield from _with_operator("comparison", node, index, other, prior)
    if len(node.ops) == 1:
        yield from each("operands swapped", node, [ast.Compare(node.comparators[0], node.ops, [node.left])], 0.2)


def _operators(node: ast.Compare) -> list[tuple[int, type[ast.cmpop]]]:
    return [(index, type(op)) for index, op in enumerate(node.ops)]


def _with_operator(operator: str, node: ast.Compare, index: int, op: type[ast.cmpop], prior: float) -> Iterator[Edit]:
    ops = [*node.ops[:index], op(), *node.ops[index + 1 :]]
    yield from each(operator, node, [with_fields(node, ops=ops)], prior)
