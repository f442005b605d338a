"""What a function gives back: nothing, an empty value, its negation, a variable; `return` where there is none."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.edits import Edit, each
from tdgen.mutation.nodes import called, constant, is_not, name, names
from tdgen.mutation.scope import Scope

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
