"""What mutants and repairs do to statements and what steers them: each operator gives edits of one node.

An edit replaces, inserts or deletes; a mutant is a module's source with one of them. Here calls, conditions, returned
values and statements are taken off, negated, forced, dropped, swapped and added.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tdgen.source.scope import ITEMS, NUMBER, Replacements, Scope
from tdgen.source.syntax import Definition, Function, is_constant
from tdgen.source.trees import call, called, is_not, name, names, names_in, number, plus, with_fields, without

Node = ast.expr | ast.stmt


class Edit(NamedTuple):
    """Nodes of a tree and what stands in their places after the edit.

    In the place of an expression stands one other, in that of a statement any number. What stays of the node itself is
    among them: so a statement is added before or behind it. `at` is the node that the edit is about. `prior`, from 0 to
    1, says how often an edit of this kind is the one that repairs a fault; with 0 it only makes mutants.
    """

    operator: str
    at: Node
    replacements: Replacements
    prior: float = 0.0


def each(operator: str, old: Node, others: Iterable[Node], prior: float = 0.0) -> Iterator[Edit]:
    """One edit for each of the others, which then stands in the place of the old node."""
    for new in others:
        yield Edit(operator, old, {old: (new,)}, prior)


_OFF = frozenset({"sorted", "abs", "list", "set", "tuple", "reversed", "round", "int", "float", "str", "frozenset"})
_METHODS_OFF = frozenset({
    "strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "casefold", "swapcase", "copy", "replace",
    "removeprefix", "removesuffix", "zfill", "ljust", "rjust", "center", "expandtabs", "encode", "decode",
})  # fmt: skip
_COPIES = frozenset({"list", "tuple", "copy", "frozenset", "reversed"})
_READERS = frozenset({"sorted", "sum", "len", "set", "min", "max", "any", "all", "join"})
_PAIRS = (
    "min max", "any all", "floor ceil", "lower upper", "startswith endswith", "find rfind", "index rindex",
    "lstrip rstrip", "ljust rjust", "union intersection", "bisect_left bisect_right", "issubset issuperset",
    "isalpha isdigit", "combinations permutations",
)  # fmt: skip
_OPPOSITES = {one: other for pair in _PAIRS for one, other in (pair.split(), pair.split()[::-1])}
_OPTIONS = frozenset({"key", "reverse", "default", "start", "sep", "end", "strict", "ndigits"})


def call_reduced(scope: Scope, node: ast.Call) -> Iterator[Edit]:
    """`sorted(x)` and `x.strip()` as `x`, where that can show; then without `reverse=`, `key=` and the like."""
    (parent, field, _), function = scope.code.places[node], called(node)
    of_name, args = isinstance(node.func, ast.Name) and function in _OFF, node.args
    if function in _COPIES and (field == "iter" or called(parent) in _READERS):
        pass  # nobody sees the copy
    elif of_name and args and not isinstance(args[0], ast.Starred):
        yield from each("call dropped", node, args[:1])
    elif isinstance(node.func, ast.Attribute) and function in _METHODS_OFF:
        yield from each("call dropped", node, [node.func.value])
    for index, keyword in enumerate(node.keywords):
        if keyword.arg in _OPTIONS:
            fewer = with_fields(node, keywords=without(node.keywords, index))
            yield from each("argument dropped", node, [fewer])


def opposite(_: Scope, node: ast.Call) -> Iterator[Edit]:
    """The function or method that does the opposite: `min` as `max`, `any` as `all`."""
    if (other := _OPPOSITES.get(called(node))) is None:
        return
    if isinstance(node.func, ast.Name):
        yield from each("other call", node.func, [name(other)], 0.6)
    elif isinstance(node.func, ast.Attribute):
        func = ast.Attribute(node.func.value, other, ast.Load())
        yield from each("other call", node, [with_fields(node, func=func)], 0.6)


def arguments(scope: Scope, node: ast.Call) -> Iterator[Edit]:
    """Arguments swapped, dropped and added, and the call taken off its only argument."""
    args = node.args
    for low in range(len(args)):
        for high in range(low + 1, min(len(args), low + 4)):
            swapped = list(args)
            swapped[low], swapped[high] = swapped[high], swapped[low]
            yield from each("arguments swapped", node, [with_fields(node, args=swapped)], 0.5)
        yield from each("argument dropped", node, [with_fields(node, args=without(args, low))], 0.15)
    if len(args) == 1 and not node.keywords:
        yield from each("call dropped", node, args, 0.3)
    if isinstance(node.func, ast.Attribute) and not args:
        yield from each("call dropped", node, [node.func.value], 0.3)
    if isinstance(node.func, ast.Name):
        longer = (with_fields(node, args=[*args, name(other)]) for other in scope.variables(node)[:8])
        yield from each("argument added", node, longer, 0.08)


def own_call(scope: Scope, node: ast.Call) -> Iterator[Edit]:
    """A call of a function of the piece: its result one more, or joined to something; smaller arguments."""
    if called(node) not in scope.functions:
        return
    one = ast.Constant(1)
    yield from each("operand added", node, [plus(node, 1), plus(node, -1), ast.BinOp(one, ast.Add(), node)], 0.25)
    yield from each("negation", node, [ast.UnaryOp(op, node) for op in (ast.Not(), ast.USub())], 0.06)
    for text in scope.variables(node):
        other = name(text)
        for added in (other, ast.List([other], ast.Load())):
            joined = [ast.BinOp(added, ast.Add(), node), ast.BinOp(node, ast.Add(), added)]
            yield from each("operand added", node, joined, 0.1)
        if scope.may_be(text, NUMBER):
            yield from each("operand added", node, [ast.BinOp(other, ast.Mult(), node)], 0.05)
            yield from each("bounded", node, [call("max", other, node), call("min", other, node)], 0.05)
    for argument in node.args:
        if isinstance(argument, ast.Name) and scope.seems(argument, ITEMS):
            parts = (ast.Slice(one), ast.Slice(None, ast.UnaryOp(ast.USub(), one)))
            yield from each("argument", argument, [ast.Subscript(argument, part, ast.Load()) for part in parts], 0.25)
        if scope.seems(argument, NUMBER):
            yield from each("argument", argument, [ast.BinOp(argument, ast.FloorDiv(), ast.Constant(2))], 0.1)


_EMPTY: dict[str, ast.expr] = {
    "int": ast.Constant(0), "float": ast.Constant(0.0), "str": ast.Constant(""), "bytes": ast.Constant(b""),
    "list": ast.List([], ast.Load()), "dict": ast.Dict([], []), "tuple": ast.Tuple([], ast.Load()),
    "set": ast.Call(ast.Name("set", ast.Load()), [], []),
}  # fmt: skip
_MAKES = {
    "sorted": "list", "join": "str", "len": "int", "sum": "int", "str": "str", "lower": "str", "upper": "str",
    "strip": "str", "replace": "str", "abs": "int", "int": "int", "float": "float", "split": "list", "round": "float",
    "any": "bool", "all": "bool", "isinstance": "bool", "bool": "bool", "list": "list", "dict": "dict", "set": "set",
    "tuple": "tuple",
}  # fmt: skip
_BY_NODE: dict[type[ast.expr], str] = {
    ast.List: "list", ast.ListComp: "list", ast.Dict: "dict", ast.DictComp: "dict", ast.Set: "set",
    ast.SetComp: "set", ast.Tuple: "tuple", ast.JoinedStr: "str", ast.Compare: "bool",
}  # fmt: skip


def empty_return(scope: Scope, node: ast.Return | ast.Yield) -> Iterator[Edit]:
    """None, the empty value of its kind, its negation, or the next variable in the place of what is returned.

    Of what is given out None alone, and nothing in the place of a constant.
    """
    value = node.value
    is_kept = isinstance(value, ast.Constant) and (value.value is None or isinstance(node, ast.Yield))
    if value is None:
        return
    if not is_kept:
        yield from each("return", value, [ast.Constant(None)])
    if isinstance(node, ast.Yield):
        return
    kind = _kind(scope, node, value)
    if kind == "bool" and not isinstance(value, ast.Constant | ast.Compare) and not is_not(value):
        yield from each("return", value, [ast.UnaryOp(ast.Not(), value)])
    if kind in _EMPTY:
        yield from each("return", value, [_EMPTY[kind]])
    variables = scope.variables(node)
    if isinstance(value, ast.Name) and value.id in variables:
        at = variables.index(value.id)
        yield from each("return", value, names((variables[at + 1 :] + variables[:at])[:1]))


def _kind(scope: Scope, node: ast.Return, value: ast.expr) -> str:
    """The type that a returned value has, as far as it shows, else the one that the function declares."""
    if isinstance(value, ast.Constant):
        shown = type(value.value).__name__ if value.value is not None else ""
    elif isinstance(value, ast.Call):
        shown = _MAKES.get(called(value), "")
    else:
        shown = "bool" if is_not(value) else _BY_NODE.get(type(value), "")
    above = scope.code.above(node)
    declared = next((n.returns for n in above if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)), None)
    declared = declared.value if isinstance(declared, ast.Subscript) else declared
    return shown or (declared.id.lower() if isinstance(declared, ast.Name) else "")


_MOST_VARIABLES = 8
_NEAR = 20


def added(scope: Scope, node: ast.stmt) -> Iterator[Edit]:
    """One more statement before each, and behind the last of a body."""
    if isinstance(node, Function):
        return
    is_last = node is scope.code.siblings(node)[-1]
    for prior, statement in [*_new(scope, node), *_near(scope, node)]:
        yield Edit("statement added", node, {node: (statement, node)}, prior)
        if is_last:
            yield Edit("statement added", node, {node: (node, statement)}, prior)


def _new(scope: Scope, node: ast.stmt) -> Iterator[tuple[float, ast.stmt]]:
    variables = scope.variables(node)[:_MOST_VARIABLES]
    if any(isinstance(above, ast.For | ast.While) for above in scope.code.above(node)):
        yield from ((0.03, statement) for statement in (ast.Break(), ast.Continue()))
    for text in variables:
        yield 0.015, ast.Return(name(text))
        if scope.kinds.get(text, set()) == {NUMBER}:
            for op in (ast.Add(), ast.Sub()):
                yield 0.02, ast.AugAssign(ast.Name(text, ast.Store()), op, ast.Constant(1))
        if ITEMS in scope.kinds.get(text, set()):
            for other in variables:
                for method in ("append", "add") if other != text else ():
                    function = ast.Attribute(name(text), method, ast.Load())
                    yield 0.02, ast.Expr(ast.Call(function, [name(other)], []))


def _near(scope: Scope, node: ast.stmt) -> Iterator[tuple[float, ast.stmt]]:
    """The other short statements that stand near in the function, each once more."""
    around = list(scope.code.above(node))
    function = next((above for above in around if isinstance(above, Function)), None)
    for other in ast.walk(function) if function else ():
        if not isinstance(other, ast.stmt) or other is node or abs(other.lineno - node.lineno) > _NEAR:
            continue
        simple = isinstance(other, ast.Expr | ast.Assign | ast.AugAssign | ast.Return)
        guard = isinstance(other, ast.If) and len(other.body) == 1 and not other.orelse
        if (simple or guard) and not is_constant(other) and other not in around:
            # A start value that is set once more undoes what was done.
            is_start = isinstance(other, ast.Assign) and number(other.value) is not None
            yield (0.015 if is_start else 0.03), other


_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_COMPARED = (ast.Lt, ast.LtE, ast.Eq, ast.NotEq)
_TESTS = ("test", "ifs")  # the fields that hold conditions


def changed_test(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """A condition negated, and one that always holds, or never; a loop is only turned off, which repairs nothing."""
    parent, field, _ = scope.code.places[node]
    if field not in _TESTS or isinstance(parent, ast.Assert) or isinstance(node, ast.Constant):
        return
    # To negate a comparison, or `not`, is their own operators' work.
    if not is_not(node) and not (isinstance(node, ast.Compare) and len(node.ops) == 1):
        yield from each("filter" if field == "ifs" else "condition", node, [ast.UnaryOp(ast.Not(), node)], 0.5)
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


def filter_dropped(_: Scope, node: _Comprehension) -> Iterator[Edit]:
    """A comprehension without each of its filters."""
    for index, loop in enumerate(node.generators):
        for place in range(len(loop.ifs)):
            loops = list(node.generators)
            loops[index] = ast.comprehension(loop.target, loop.iter, without(loop.ifs, place), loop.is_async)
            yield from each("filter", node, [with_fields(node, generators=loops)], 0.4)


def other_test(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """A condition with one more operand, and another one; for a constant always another one."""
    parent, field, _ = scope.code.places[node]
    if field not in _TESTS or isinstance(parent, ast.Assert):
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
    numbers, items = scope.of_kind(node, NUMBER)[:6], scope.of_kind(node, ITEMS)[:6]
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
