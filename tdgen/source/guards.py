"""How functions begin with their arguments: what they check, convert or let through before their own work starts.

Docs seldom say what another type, a missing value or no number at all comes to; functions of one module mostly do
alike there.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from textwrap import dedent
from typing import Final, NamedTuple

from tdgen.source.syntax import Function, docstring_of, lines_of, methods_of, parse
from tdgen.source.trees import read_names

_MOST: Final = 3
"""How many functions are shown of one that begin otherwise. Not tuned."""
_LONGEST: Final = 500
"""How many characters the beginning of a function may have that is shown. Not tuned."""


class _Function(NamedTuple):
    """`Class.method` or `function`, the class, and the definition."""

    name: str
    owner: str
    node: ast.FunctionDef | ast.AsyncFunctionDef


def guards_beside(text: str, units: Collection[str], known: Collection[str] = ()) -> str:
    """How other functions of a module begin that take a parameter of the units', as they stand there; "" for none.

    Names are `function` and `Class.method`. A method is held beside those of its class; each beginning is shown once,
    the nearest first, and none of the functions `known`.
    """
    lines, every = lines_of(text), list[_Function]()
    for node in parse(text).body:
        if isinstance(node, Function):
            every.append(_Function(node.name, "", node))
        elif isinstance(node, ast.ClassDef):
            every += [_Function(f"{node.name}.{method.name}", node.name, method) for method in methods_of(node)]
    shown: dict[str, str] = {}
    for unit in (one for one in every if one.name in units):
        beside = (one for one in every if one.owner == unit.owner and one.name not in {*units, *known})
        begun: dict[str, str] = {}
        for one in sorted(beside, key=lambda one: abs(one.node.lineno - unit.node.lineno)):
            guards = _guards(one.node, _parameters(unit.node) & _parameters(one.node))
            source = "\n".join(dedent("\n".join(lines[node.lineno - 1 : node.end_lineno])) for node in guards)
            if source and len(source) <= _LONGEST and len(begun) < _MOST:
                begun.setdefault(source, one.name)
        shown |= {name: source for source, name in begun.items()}
    return "\n\n".join(f"# {name} begins:\n{source}" for name, source in shown.items())


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The names of the parameters, with the stars of variadic ones, an object's own aside."""
    given = node.args
    starred = {f"{stars}{one.arg}" for stars, one in (("*", given.vararg), ("**", given.kwarg)) if one}
    return {one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)} - {"self", "cls"} | starred


def _guards(node: ast.FunctionDef | ast.AsyncFunctionDef, shared: Iterable[str]) -> Iterator[ast.stmt]:
    """The conditions and attempts at a function's beginning that decide about parameters; assignments are passed by."""
    names = {name.lstrip("*") for name in shared}
    for statement in node.body:
        read = read_names(statement.test) if isinstance(statement, ast.If) else read_names(statement)
        if isinstance(statement, ast.If | ast.Try) and _decides(statement) and names & read:
            yield statement
        elif not (statement is docstring_of(node) or isinstance(statement, ast.Assign)):
            return


def _decides(node: ast.stmt) -> bool:
    """Whether a statement does nothing but end the call or give names other values, by a condition or an attempt."""
    if isinstance(node, ast.If):
        return all(map(_decides, [*node.body, *node.orelse]))
    if isinstance(node, ast.Try):
        bodies = [node.body, *(one.body for one in node.handlers), node.orelse, node.finalbody]
        return all(_decides(inner) for body in bodies for inner in body)
    is_named = isinstance(node, ast.Assign) and all(isinstance(target, ast.Name) for target in node.targets)
    return is_named or isinstance(node, ast.Return | ast.Raise | ast.Pass)
