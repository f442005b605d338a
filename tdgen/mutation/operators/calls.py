"""Calls, returned values and missing statements: taken off, put around, swapped, added."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.operators import Edit, each
from tdgen.source.scope import ITEMS, NUMBER, Scope
from tdgen.source.syntax import is_constant
from tdgen.source.trees import call, called, constant, is_not, name, names, number, plus, with_fields, without

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
_ALIKE = (
    ("append", "extend", "add", "appendleft", "insert"), ("pop", "popleft", "remove"), ("add", "discard", "remove"),
    ("keys", "values", "items"), ("sum", "len", "max", "min"), ("update", "add"), ("split", "rsplit"),
    ("isdigit", "isalnum", "isalpha", "isnumeric", "isdecimal"), ("round", "int", "floor", "ceil"),
    ("sorted", "reversed", "list", "set"),
)  # fmt: skip
_AROUND = ("len", "list", "sorted", "set", "abs", "int", "str", "reversed", "sum", "max", "min", "tuple")
_AROUND_NUMBERS = frozenset({"abs", "int", "str"})


def unwrapped(scope: Scope, node: ast.Call) -> Iterator[Edit]:
    """`sorted(x)` as `x`, `x.strip()` as `x`, where that is a change that can show."""
    (parent, field, _), function = scope.code.places[node], called(node)
    if function in _COPIES and (field == "iter" or called(parent) in _READERS):
        return
    if isinstance(node.func, ast.Name) and function in _OFF and node.args and not isinstance(node.args[0], ast.Starred):
        yield from each("call dropped", node, node.args[:1])
    elif isinstance(node.func, ast.Attribute) and function in _METHODS_OFF:
        yield from each("call dropped", node, [node.func.value])


def option_dropped(_: Scope, node: ast.Call) -> Iterator[Edit]:
    """Without `reverse=`, `key=` and the like."""
    for index, keyword in enumerate(node.keywords):
        if keyword.arg in _OPTIONS:
            fewer = with_fields(node, keywords=without(node.keywords, index))
            yield from each("argument dropped", node, [fewer])


def opposite(_: Scope, node: ast.Call) -> Iterator[Edit]:
    """The function or method that does the opposite: `min` as `max`, `any` as `all`."""
    if called(node) in _OPPOSITES:
        yield from _instead(node, _OPPOSITES[called(node)], 0.6)


def other_function(_: Scope, node: ast.Call) -> Iterator[Edit]:
    """A function or method that is alike; `pop()` as `pop(0)`."""
    function = called(node)
    for other in dict.fromkeys(other for group in _ALIKE if function in group for other in group if other != function):
        yield from _instead(node, other, 0.5 if (function, other) == ("append", "extend") else 0.25)
    if isinstance(node.func, ast.Attribute) and function == "pop":
        first: list[ast.expr] = [] if node.args else [ast.Constant(0)]
        yield from each("argument", node, [with_fields(node, args=first)], 0.3)


def _instead(node: ast.Call, other: str, prior: float) -> Iterator[Edit]:
    if isinstance(node.func, ast.Name):
        yield from each("other call", node.func, [name(other)], prior)
    elif isinstance(node.func, ast.Attribute):
        func = ast.Attribute(node.func.value, other, ast.Load())
        yield from each("other call", node, [with_fields(node, func=func)], prior)


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


def wrapped(scope: Scope, node: ast.expr) -> Iterator[Edit]:
    """A value that is returned, passed, kept or gone through: in a call, copied, backwards, in a list."""
    parent, field, _ = scope.code.places[node]
    of_call = isinstance(parent, ast.Call) and field == "args"
    of_statement = isinstance(parent, ast.Return | ast.Assign | ast.Yield) and field == "value"
    if not (of_call or of_statement or field == "iter") or isinstance(node, ast.Constant | ast.Starred):
        return
    prior = 0.03 if of_call else 0.06
    for around in _AROUND:
        kind = NUMBER if around in _AROUND_NUMBERS else ITEMS
        if called(node) != around and called(parent) != around and scope.seems(node, kind):
            yield from each("call added", node, [call(around, node)], prior)
    if scope.seems(node, ITEMS):
        copied = ast.Call(ast.Attribute(node, "copy", ast.Load()), [], [])
        whole = ast.Subscript(node, ast.Slice(), ast.Load())
        backwards = ast.Slice(None, None, ast.UnaryOp(ast.USub(), ast.Constant(1)))
        yield from each("copied", node, [copied, whole, call("list", node)], 0.12)
        yield from each("order", node, [ast.Subscript(node, backwards, ast.Load())], prior)
    yield from each("in a list", node, [ast.List([node], ast.Load())], 0.05)
    yield from each("call added", node, (call(own, node) for own in scope.functions if called(node) != own), 0.05)


def other_comprehension(_: Scope, node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> Iterator[Edit]:
    """A list that is made as a set or a generator, and the other way round."""
    kinds = (kind for kind in (ast.ListComp, ast.GeneratorExp, ast.SetComp) if not isinstance(node, kind))
    yield from each("comprehension", node, (kind(node.elt, node.generators) for kind in kinds), 0.1)


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


def empty_return(scope: Scope, node: ast.Return) -> Iterator[Edit]:
    """None, the empty value of its kind, its negation, or the next variable in the place of what is returned."""
    value = node.value
    if value is None:
        return
    if not (isinstance(value, ast.Constant) and value.value is None):
        yield from each("return", value, [ast.Constant(None)])
    kind = _kind(value) or _declared(scope, node)
    if kind == "bool" and not isinstance(value, ast.Constant | ast.Compare) and not is_not(value):
        yield from each("return", value, [ast.UnaryOp(ast.Not(), value)])
    if kind in _EMPTY:
        yield from each("return", value, [_EMPTY[kind]])
    variables = scope.variables(node)
    if isinstance(value, ast.Name) and value.id in variables:
        at = variables.index(value.id)
        yield from each("return", value, names((variables[at + 1 :] + variables[:at])[:1]))


def empty_yield(_: Scope, node: ast.Yield) -> Iterator[Edit]:
    """None in the place of what is given out."""
    if node.value is not None and not isinstance(node.value, ast.Constant):
        yield from each("return", node.value, [ast.Constant(None)])


def neutral_values() -> list[ast.expr]:
    """What functions return where there is nothing to do."""
    empty = ast.List([], ast.Load())
    return [*map(constant, (0, 1, -1, "", None, True, False)), empty, ast.List([empty], ast.Load()), ast.Dict([], [])]


def other_return(scope: Scope, node: ast.Return) -> Iterator[Edit]:
    """Another value returned, or given out by a generator."""
    if (value := node.value) is not None:
        # A name in the place of a name is another variable: that operator tries it.
        if not isinstance(value, ast.Name):
            yield from each("return", value, names(scope.variables(node)), 0.25)
        yield from each("return", value, neutral_values(), 0.06)
        yield from each("return", node, [ast.Expr(ast.Yield(value)), ast.Expr(ast.YieldFrom(value))], 0.06)


def missing_return(scope: Scope, node: ast.Expr) -> Iterator[Edit]:
    """`return`, `yield from` or a variable in front of a call whose result is lost; `yield` as `yield from`."""
    value = node.value
    if isinstance(value, ast.YieldFrom):
        yield from each("return", node, [ast.Expr(ast.Yield(value.value))], 0.3)
    elif isinstance(value, ast.Yield) and value.value:
        yield from each("return", node, [ast.Expr(ast.YieldFrom(value.value))], 0.3)
    elif isinstance(value, ast.Call):
        is_function = isinstance(value.func, ast.Name)
        yield from each("return", node, [ast.Return(value)], 0.6 if is_function else 0.12)
        if is_function:
            yield from each("return", node, [ast.Expr(ast.YieldFrom(value))], 0.2)
            targets = (ast.Name(text, ast.Store()) for text in scope.variables(node))
            yield from each("kept", node, (ast.Assign([target], value, lineno=0) for target in targets), 0.1)


def return_at_end(scope: Scope, node: ast.FunctionDef) -> Iterator[Edit]:
    """One more `return` at the end of a function."""
    last = node.body[-1]
    if isinstance(last, ast.Return | ast.Raise):
        return
    for text in scope.variables(last):
        yield Edit("return", last, {last: (last, ast.Return(name(text)))}, 0.2)
    for value in neutral_values():
        yield Edit("return", last, {last: (last, ast.Return(value))}, 0.08)


def _kind(value: ast.expr) -> str:
    if isinstance(value, ast.Constant):
        return type(value.value).__name__ if value.value is not None else ""
    if isinstance(value, ast.Call):
        return _MAKES.get(called(value), "")
    return "bool" if is_not(value) else _BY_NODE.get(type(value), "")


def _declared(scope: Scope, node: ast.Return) -> str:
    above = scope.code.above(node)
    kind = next((n.returns for n in above if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)), None)
    kind = kind.value if isinstance(kind, ast.Subscript) else kind
    return kind.id.lower() if isinstance(kind, ast.Name) else ""


_Function = ast.FunctionDef | ast.AsyncFunctionDef
_MOST_VARIABLES = 8
_NEAR = 20


def added(scope: Scope, node: ast.stmt) -> Iterator[Edit]:
    """One more statement before each, and behind the last of a body."""
    if isinstance(node, _Function):
        return
    is_last = node is scope.code.siblings(node)[-1]
    for prior, statement in [*_new(scope, node), *_near(scope, node)]:
        yield Edit("statement added", node, {node: (statement, node)}, prior)
        if is_last:
            yield Edit("statement added", node, {node: (node, statement)}, prior)


def guards(scope: Scope, node: _Function) -> Iterator[Edit]:
    """`if not x: return …` at the start of the function, for each of its parameters."""
    first = next((statement for statement in node.body if not is_constant(statement)), node.body[-1])
    parameters = [argument.arg for argument in [*node.args.posonlyargs, *node.args.args]]
    for parameter in parameters:
        tests: list[ast.expr] = [ast.UnaryOp(ast.Not(), name(parameter))]
        if scope.may_be(parameter, NUMBER):
            tests.append(ast.Compare(name(parameter), [ast.Eq()], [ast.Constant(0)]))
        for test in tests:
            for value in [*map(name, parameters), *neutral_values()]:
                guard = ast.If(test, [ast.Return(value)], [])
                yield Edit("guard", first, {first: (guard, first)}, 0.05)


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
                if other != text:
                    yield from ((0.02, _kept(text, method, other)) for method in ("append", "add"))


def _kept(items: str, method: str, other: str) -> ast.stmt:
    return ast.Expr(ast.Call(ast.Attribute(name(items), method, ast.Load()), [name(other)], []))


def _near(scope: Scope, node: ast.stmt) -> Iterator[tuple[float, ast.stmt]]:
    """The other short statements that stand near in the function, each once more."""
    around = list(scope.code.above(node))
    function = next((above for above in around if isinstance(above, _Function)), None)
    for other in ast.walk(function) if function else ():
        if not isinstance(other, ast.stmt) or other is node or abs(other.lineno - node.lineno) > _NEAR:
            continue
        simple = isinstance(other, ast.Expr | ast.Assign | ast.AugAssign | ast.Return)
        guard = isinstance(other, ast.If) and len(other.body) == 1 and not other.orelse
        if (simple or guard) and not is_constant(other) and other not in around:
            # A start value that is set once more undoes what was done.
            is_start = isinstance(other, ast.Assign) and number(other.value) is not None
            yield (0.015 if is_start else 0.03), other
