"""What mutants and repairs do to values: numbers, comparisons, bounds, constants, texts, collections, variables.

Another variable, attribute, item or part of it in the place of a variable; the parts of a tuple in another order.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.statement_operators import Edit, each
from tdgen.source.scope import ITEMS, NUMBER, Scope
from tdgen.source.trees import (
    assigned,
    call,
    called,
    constant,
    is_display,
    is_text,
    name,
    names,
    number,
    plus,
    with_fields,
)

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
    joins = isinstance(node.op, ast.Add | ast.Mult) and (is_display(node.left) or is_display(node.right))
    if not joins and not (isinstance(node.op, ast.Mod) and is_text(node.left)):
        others = (with_fields(node, op=other()) for other in _LIKELY.get(type(node.op), ()))
        yield from each("arithmetic", node, others, 0.6)


def joined_dropped(_: Scope, node: ast.BinOp) -> Iterator[Edit]:
    """Each side of a `+` that joins texts or lists alone."""
    if isinstance(node.op, ast.Add) and (is_display(node.left) or is_display(node.right)):
        yield from each("operand dropped", node, [node.left, node.right], 0.3)


def other_operation(_: Scope, node: ast.BinOp) -> Iterator[Edit]:
    """All other operators of the same family, `a - b` as `b - a`, and each side alone; a text's format stays."""
    if isinstance(node.op, ast.Mod) and is_text(node.left):
        return
    family = _NUMERIC if isinstance(node.op, _NUMERIC) else _BITWISE if isinstance(node.op, _BITWISE) else ()
    others = (with_fields(node, op=other()) for other in family if not isinstance(node.op, other))
    yield from each("arithmetic", node, others, 0.12)
    prior = 0.15 if isinstance(node.op, ast.Mult | ast.BitAnd | ast.BitOr | ast.BitXor) else 0.35
    yield from each("operands swapped", node, [ast.BinOp(node.right, node.op, node.left)], prior)
    yield from each("operand dropped", node, [node.left, node.right], 0.3)


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


def accumulated(_: Scope, node: ast.Assign) -> Iterator[Edit]:
    """`x = y` as `x += y`, and as the larger or the smaller of both."""
    target = node.targets[0]
    if len(node.targets) == 1 and isinstance(target, ast.Name | ast.Attribute | ast.Subscript):
        for op, prior in ((ast.Add, 0.25), (ast.Sub, 0.08), (ast.Mult, 0.08)):
            yield from each("augmented assignment", node, [ast.AugAssign(target, op(), node.value)], prior)
        limits = (assigned(target, call(function, target, node.value)) for function in ("max", "min"))
        yield from each("bounded", node, limits, 0.12)


def bound_by_one(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """A bound of a slice or a range plus and minus one; where it ends in a number, that is changed as a constant."""
    parent, field, index = scope.code.places[node]
    of_slice = isinstance(parent, ast.Slice) and field != "step"
    of_range = isinstance(parent, ast.Call) and called(parent) == "range" and field == "args" and index < 2
    if not (of_slice or of_range) or isinstance(node, ast.Starred):
        return
    ends_in = node.right if isinstance(node, ast.BinOp) else node
    if number(ends_in) is None:
        yield from each("bound", node, [_shifted(node, 1), _shifted(node, -1)])


def off_by_one(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """Whatever may be a number by one, and by a variable, as likely as it is where it stands."""
    if number(node) is not None or is_display(node):
        return
    prior, operator = _of_place(scope, node)
    if not prior or not scope.seems(node, NUMBER):
        return
    yield from each(operator, node, [_shifted(node, 1), _shifted(node, -1)], prior)
    for text in scope.of_kind(node, NUMBER):
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


def likely_comparison(_: Scope, node: ast.Compare) -> Iterator[Edit]:
    """`<` as `<=` and as `>=`, `==` as `!=`, `in` as `not in`, for each operator of a chain."""
    kinds = list(enumerate(map(type, node.ops)))
    for index, kind in kinds:
        if kind in _BOUNDARY:
            yield from _with_operator("boundary", node, index, _BOUNDARY[kind], 0.9)
    for index, kind in kinds:
        yield from _with_operator("comparison", node, index, _NEGATION[kind], 0.5 if kind in _BOUNDARY else 0.6)


def other_comparison(_: Scope, node: ast.Compare) -> Iterator[Edit]:
    """Operators that are seldom taken for this one, and the sides swapped."""
    for index, kind in enumerate(map(type, node.ops)):
        others: dict[type[ast.cmpop], float] = {ast.Eq: 0.1}
        if kind in _BOUNDARY:
            others = {_MIRRORED[kind]: 0.6, ast.Eq: 0.1, ast.NotEq: 0.15}
        elif kind in (ast.Eq, ast.NotEq):
            others = {**dict.fromkeys(_BOUNDARY, 0.2), ast.In: 0.05}
        for other, prior in others.items():
            yield from _with_operator("comparison", node, index, other, prior)
    if len(node.ops) == 1:
        yield from each("operands swapped", node, [ast.Compare(node.comparators[0], node.ops, [node.left])], 0.2)


def _with_operator(operator: str, node: ast.Compare, index: int, op: type[ast.cmpop], prior: float) -> Iterator[Edit]:
    ops = [*node.ops[:index], op(), *node.ops[index + 1 :]]
    yield from each(operator, node, [with_fields(node, ops=ops)], prior)


_EMPTY_LIST = ast.List([], ast.Load())


def constants(scope: Scope, node: ast.Constant) -> Iterator[Edit]:
    """Another value of the same type, next to this one; None stays. A sign belongs to its number."""
    parent = scope.code.places[node].parent
    is_negative = isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub)
    old: ast.expr = parent if is_negative and isinstance(parent, ast.expr) else node
    is_default = isinstance(scope.code.places[old].parent, ast.arguments)
    operator = "default" if is_default else "text" if isinstance(node.value, str | bytes) else "constant"
    for value, prior in _next_to(node.value, -1 if is_negative else 1):
        if value != "" or not isinstance(parent, ast.JoinedStr):  # there it is a part dropped
            yield from each(operator, old, [constant(value)], prior)


def _next_to(value: object, sign: int) -> Iterator[tuple[str | bytes | float, float]]:
    if isinstance(value, bool):
        yield not value, 0.6
    elif isinstance(value, int):
        yield sign * value + 1, 0.7
        yield sign * value - 1, 0.7
    elif isinstance(value, float):
        yield sign * value + 1.0, 0.2
        if value:
            yield -sign * value, 0.2
    elif isinstance(value, str | bytes):
        other = "x" if isinstance(value, str) else b"x"
        swapped = value.swapcase() if value != value.swapcase() else other
        if value:
            yield value[:0], 0.15
        yield (value[:-1] if len(value) > 1 else swapped if value else other), 0.0


def emptied(_: Scope, node: ast.expr) -> Iterator[Edit]:
    """A collection that is written out, emptied."""
    if isinstance(node, ast.Dict) and node.keys:
        yield from each("emptied", node, [ast.Dict([], [])])
    elif isinstance(node, ast.List) and node.elts and isinstance(node.ctx, ast.Load):
        yield from each("emptied", node, [_EMPTY_LIST], 0.15)
    elif isinstance(node, ast.Set):
        yield from each("emptied", node, [call("set")])


def text_parts(_: Scope, node: ast.JoinedStr) -> Iterator[Edit]:
    """An f-string without each of its parts, and without each format."""
    for index, part in enumerate(node.values):
        before, behind = node.values[:index], node.values[index + 1 :]
        rest = [*before, *behind]
        yield from each("text part", node, [ast.JoinedStr(rest) if rest else ast.Constant("")])
        if isinstance(part, ast.FormattedValue) and part.format_spec is not None:
            plain = ast.FormattedValue(part.value, part.conversion, None)
            yield from each("format", node, [ast.JoinedStr([*before, plain, *behind])])


def starts(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """Another collection or number to start with: `[]` as `[[]]`, `{}` or a set, infinity negative."""
    if isinstance(node, ast.List) and isinstance(node.ctx, ast.Load):
        if node.elts:
            yield from each("start", node, node.elts[:1], 0.15)
            return
        yield from each("start", node, [ast.List([_EMPTY_LIST], ast.Load())], 0.25)
        nested = (ast.List([ast.Constant(value)], ast.Load()) for value in (0, 1, "", None))
        yield from each("start", node, nested, 0.08)
        yield from each("start", node, [ast.Dict([], []), call("set")], 0.1)
        yield from each("start", node, (ast.List([it], ast.Load()) for it in names(scope.variables(node))), 0.1)
    elif isinstance(node, ast.Dict) and not node.keys:
        yield from each("start", node, [_EMPTY_LIST, call("set")], 0.1)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id == "set" and not node.args:
            yield from each("start", node, [_EMPTY_LIST, ast.Dict([], [])], 0.1)
        if node.func.id == "float":
            yield from each("start", node, [ast.UnaryOp(ast.USub(), node), ast.Constant(0)], 0.25)


def other_variable(scope: Scope, node: ast.Name) -> Iterator[Edit]:
    """Another variable read or stored, another function called."""
    parent, field, _ = scope.code.places[node]
    if isinstance(parent, ast.Call) and field == "func":
        yield from each("function", node, names(other for other in scope.functions if other != node.id), 0.15)
        return
    share = 0.15 if isinstance(node.ctx, ast.Store) else 0.4
    if isinstance(node.ctx, ast.Store) or node.id in scope.variables(node):
        for other in scope.variables(node):
            if other != node.id:
                yield from each("variable", node, [ast.Name(other, node.ctx)], share * scope.alike(node.id, other))


def part_of_variable(scope: Scope, node: ast.Name) -> Iterator[Edit]:
    """An attribute, an item or a part of a variable; for what may be a number, an item that it numbers."""
    if not isinstance(node.ctx, ast.Load) or node.id not in scope.variables(node):
        return
    parent, field, _ = scope.code.places[node]
    if isinstance(parent, ast.Call) and field == "func":
        return
    others = [other for other in scope.variables(node) if other != node.id]
    attributes = (ast.Attribute(name(node.id), attribute, ast.Load()) for attribute in scope.attributes)
    yield from each("attribute", node, attributes, 0.12)
    if scope.may_be(node.id, ITEMS):
        yield from _parts(scope, node, others)
    if scope.may_be(node.id, NUMBER):
        items = (other for other in others if scope.may_be(other, ITEMS))
        numbered = (ast.Subscript(name(item), name(node.id), ast.Load()) for item in items)
        yield from each("item", node, numbered, 0.1)
        yield from each("constant", node, [ast.Constant(0), ast.Constant(1)], 0.06)


def _parts(scope: Scope, node: ast.Name, others: list[str]) -> Iterator[Edit]:
    """`x[1:]`, `x[:-1]`, `x[i]`, `x[i:]`, `x[:i]`: of something that is a collection."""
    one, last = ast.Constant(1), ast.UnaryOp(ast.USub(), ast.Constant(1))
    parts: list[tuple[float, ast.expr]] = [
        (0.1, part) for part in (ast.Slice(one), ast.Slice(None, last), ast.Constant(0), last)
    ]
    for other in others:
        if scope.may_be(other, NUMBER):
            bound, after = name(other), plus(name(other), 1)
            parts += [(0.1, part) for part in (bound, ast.Slice(bound), ast.Slice(None, bound))]
            parts += [(0.06, part) for part in (ast.Slice(after), ast.Slice(None, after))]
    for prior, part in parts:
        yield from each("part", node, [ast.Subscript(name(node.id), part, ast.Load())], prior)


def attribute_or_item(scope: Scope, node: ast.Attribute | ast.Subscript) -> Iterator[Edit]:
    """Of an attribute or an item what it belongs to; another attribute, or one more."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        parent = scope.code.places[node].parent
        if isinstance(parent, ast.Call) and parent.func is node:
            return
        yield from each("attribute", node, [node.value], 0.3)
        for other in scope.attributes:
            if other != node.attr:
                yield from each("attribute", node, [ast.Attribute(node.value, other, ast.Load())], 0.4)
            yield from each("attribute", node, [ast.Attribute(node, other, ast.Load())], 0.12)
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield from each("item", node, [node.value], 0.2)
        if not isinstance(node.slice, ast.Slice):
            yield from each("item", node, [node.slice], 0.12)


def reordered(_: Scope, node: ast.Tuple | ast.List) -> Iterator[Edit]:
    """Neighbours in a short tuple or list swapped."""
    if len(node.elts) in (2, 3) and isinstance(node.ctx, ast.Load):
        for low in range(len(node.elts) - 1):
            elements = list(node.elts)
            elements[low : low + 2] = elements[low : low + 2][::-1]
            yield from each("operands swapped", node, [type(node)(elements, ast.Load())], 0.35)


def _shifted(node: ast.expr, by: int) -> ast.expr:
    """The node plus `by`, with the sign that reads best; a number, alone or at its end, takes it up."""
    if (value := number(node)) is not None:
        return constant(value + by)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        value = number(node.right)
        if value is not None:
            total = (value if isinstance(node.op, ast.Add) else -value) + by
            return plus(node.left, total) if total else node.left
    return plus(node, by)
