"""What a function gives back: None, an empty value of its kind, its negation, another variable."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.mutation.changes import Swap
from tdgen.mutation.code import Code
from tdgen.mutation.operators.nodes import called, is_not

_EMPTY: dict[str, ast.expr] = {
    "int": ast.Constant(0), "float": ast.Constant(0.0), "str": ast.Constant(""), "bytes": ast.Constant(b""),
    "list": ast.List([], ast.Load()), "dict": ast.Dict([], []), "tuple": ast.Tuple([], ast.Load()),
    "set": ast.Call(ast.Name("set", ast.Load()), [], []), "List": ast.List([], ast.Load()), "Dict": ast.Dict([], []),
    "Tuple": ast.Tuple([], ast.Load()), "Set": ast.Call(ast.Name("set", ast.Load()), [], []),
}  # fmt: skip
_MAKES = {
    "sorted": "list", "join": "str", "len": "int", "sum": "int", "str": "str", "lower": "str", "upper": "str",
    "strip": "str", "replace": "str", "abs": "int", "int": "int", "float": "float", "split": "list", "round": "float",
} | {name: name for name in ("list", "dict", "tuple", "set")}  # fmt: skip
_BY_NODE: dict[type[ast.expr], str] = {
    ast.List: "list", ast.ListComp: "list", ast.Dict: "dict", ast.DictComp: "dict", ast.Set: "set",
    ast.SetComp: "set", ast.Tuple: "tuple", ast.JoinedStr: "str", ast.Compare: "bool",
}  # fmt: skip


def returns(code: Code, node: ast.Return, variables: list[str]) -> Iterator[Swap]:
    """Another value in the place of what is returned; `variables` are what the function binds."""
    value = node.value
    if value is None:
        return
    if not (isinstance(value, ast.Constant) and value.value is None):
        yield Swap("return", value, ast.Constant(None))
    kind = _kind(value) or _declared(code, node)
    if kind == "bool":
        if not isinstance(value, ast.Constant | ast.Compare) and not is_not(value):
            yield Swap("return", value, ast.UnaryOp(ast.Not(), value))
    elif kind in _EMPTY:
        yield Swap("return", value, _EMPTY[kind])
    if isinstance(value, ast.Name) and value.id in variables:
        at = variables.index(value.id)
        for other in (variables[at + 1 :] + variables[:at])[:1]:
            yield Swap("return", value, ast.Name(other, ast.Load()))


def yields(node: ast.Yield) -> Iterator[Swap]:
    """None in the place of what is given out."""
    if node.value is not None and not isinstance(node.value, ast.Constant):
        yield Swap("return", node.value, ast.Constant(None))


def _kind(value: ast.expr) -> str:
    if isinstance(value, ast.Constant):
        return type(value.value).__name__ if value.value is not None else ""
    if isinstance(value, ast.Call):
        return _MAKES.get(called(value), "bool" if called(value) in {"any", "all", "isinstance", "bool"} else "")
    return "bool" if is_not(value) else _BY_NODE.get(type(value), "")


def _declared(code: Code, node: ast.Return) -> str:
    functions = (n for n in code.above(node) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    declared = next(functions, None)
    kind = declared.returns if declared else None
    kind = kind.value if isinstance(kind, ast.Subscript) else kind
    return kind.id if isinstance(kind, ast.Name) else ""
