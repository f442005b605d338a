"""Examples that a contract's own types forbid: an argument that its parameter does not take, a result of another type.

Only what is plain is told. An int is a float, a bool an int; a float is no int, even a whole one, and a list no tuple:
what the judge tells apart, the contract must say. Values of shared types, and those that are no literals, are left to
the run that tries each example.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from tdgen.source.syntax import expression_or_none, literal
from tdgen.types import Example, Parameter, Plan, SharedType
from tdgen.values.shapes import Shape, fits, shape_of

_DECLARED = ("record", "enum", "typed_dict")
_NONE: Any = object()


def misfits(example: Example, plan: Plan) -> Iterator[str]:
    """Where an example and its function's signature can't both be right, with the user's words.

    Nothing for an example of an exception: what a contract forbids may be what raises it.
    """
    spec = next((spec for spec in plan.functions if spec.name == example.function), None)
    call = _call(example)
    if spec is None or call is None or example.expect == "raises":
        return
    words = " ".join(example.quote.split())
    bound = _bound(call, spec.parameters)
    if isinstance(bound, str):
        yield f"the user's example {words!r} does not fit `{spec.signature}`: {bound}"
        return
    for parameter, value in bound:
        if told := _misfit(value, parameter.type, plan.types):
            yield (
                f"the user's example {words!r} passes `{ast.unparse(value)}` for {parameter.name.lstrip('*')!r} of "
                f"{spec.name!r}, {told}: the example is pinned, so mend the type"
            )
    if told := _misfit(expression_or_none(example.value), spec.returns.type, plan.types):
        yield (
            f"the user's example {words!r} expects `{example.value.strip()}` of {spec.name!r}, {told}: the example is "
            "pinned, so mend the return type"
        )


def _misfit(node: ast.expr | None, annotation: str, shared: Sequence[SharedType]) -> str | None:
    value, shape = _value(node), shape_of(annotation, shared)
    if value is _NONE or _is_declared(shape) or fits(value, shape):
        return None
    return f"whose type is `{annotation}`"


def _is_declared(shape: Shape) -> bool:
    """Whether it holds a shared type: an enum of strings equals a string, a named tuple a tuple."""
    return shape.kind in _DECLARED or any(map(_is_declared, shape.parts))


def _bound(call: ast.Call, parameters: Sequence[Parameter]) -> list[tuple[Parameter, ast.expr]] | str:
    """Each argument with its parameter; a sentence where the signature does not take them."""
    plain = [p for p in parameters if not p.name.startswith("*")]
    star = next((n for n, p in enumerate(parameters) if p.name.startswith("*") and not p.name.startswith("**")), None)
    positional = plain if star is None else list(parameters[:star])
    rest = parameters[star] if star is not None and parameters[star].name != "*" else None
    more = next((p for p in parameters if p.name.startswith("**")), None)
    if len(call.args) > len(positional) and rest is None:
        return f"it passes {len(call.args)} arguments, and {len(positional)} are taken"
    found = list(zip(positional, call.args, strict=False))
    found += [(rest, value) for value in call.args[len(positional) :]] if rest else []
    by_name = {p.name: p for p in plain}
    for keyword in call.keywords:
        parameter = by_name.get(keyword.arg or "", more)
        if parameter is None:
            return f"no parameter is named {keyword.arg!r}"
        found.append((parameter, keyword.value))
    given = {parameter.name for parameter, _ in found}
    missing = [p.name for p in plain if p.default is None and p.name not in given]
    return f"it passes nothing for {', '.join(map(repr, missing))}" if missing else found


def _call(example: Example) -> ast.Call | None:
    """The example's call, where it is a plain one of its function."""
    node = expression_or_none(example.call)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != example.function:
        return None
    starred = any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords)
    return None if starred else node


def _value(node: ast.expr | None) -> Any:
    try:
        return _NONE if node is None else literal(node)
    except ValueError:
        return _NONE
