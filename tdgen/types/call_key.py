"""The call key: one digest of all that a call does, equal for two calls that say the same in other words.

Sources are read as Python, so that `f([1,2])` is `f([1, 2])`. Where the parameters of a function are known, an argument
by its place is one by its name, and one at its default is left out: `f(1)` is `f(x=1)`, and `f(1, y=2)` where 2 is the
default of `y`.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from tdgen.source.syntax import expression_or_none, parse
from tdgen.types.base import digest

Parameters = Sequence[tuple[str, str | None]]
"""A function's parameters: each one's name, with its stars, and the source of its default."""


def key_of(setup: str, expression: str, world: Any, functions: Mapping[str, Parameters]) -> str:
    """The key of an expression evaluated after a setup in a world (as plain data), by the functions' parameters."""
    call = expression_or_none(expression)
    if call is not None:
        for node in ast.walk(call):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions:
                _name_arguments(node, functions[node.func.id])
    return digest([_code(setup), ast.dump(call) if call is not None else expression.strip(), world])


def _name_arguments(call: ast.Call, parameters: Parameters) -> None:
    """Give each argument its parameter's name, in the names' order, and leave out those at their defaults."""
    names = list(takewhile(lambda name: not name.startswith("*"), (name for name, _ in parameters)))
    if len(call.args) > len(names) or any(isinstance(argument, ast.Starred) for argument in call.args):
        return
    if any(keyword.arg is None for keyword in call.keywords):
        return
    named = [ast.keyword(name, value) for name, value in zip(names, call.args, strict=False)] + call.keywords
    defaults = {name: _code(default) for name, default in parameters if default is not None}
    given = [one for one in named if one.arg not in defaults or _code(ast.unparse(one.value)) != defaults[one.arg]]
    call.args, call.keywords = [], sorted(given, key=lambda one: one.arg or "")


def _code(source: str) -> str:
    """A source as its syntax tree; as it is, where it is no Python."""
    if not source.strip():
        return ""
    try:
        return ast.dump(parse(source.strip()))
    except SyntaxError:
        return source.strip()
