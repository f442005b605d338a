"""What a case says in Python, said in JavaScript: plain data, calls of what is planned, and members of its objects."""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tdgen.languages import shapes
from tdgen.languages.files import Unsayable
from tdgen.source.syntax import expression_or_none, statements_of
from tdgen.types import Plan


class Scope(NamedTuple):
    """What can be spoken of: what may be called by name and how, by name of what is called its parameters, variables.

    `members` are the names of properties and attributes, `objects` the variables that hold one of a planned class.
    """

    calls: Mapping[str, str] = {}
    heads: Mapping[str, Sequence[str]] = {}
    members: frozenset[str] = frozenset()
    variables: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()

    @classmethod
    def of(cls, plan: Plan) -> Scope:
        """What a case of the plan can speak of."""
        calls = {one.name: f"new {one.name}" for one in plan.types}
        heads: dict[str, Sequence[str]] = {one.name: [field.name for field in one.fields] for one in plan.types}
        members: set[str] = set()
        for spec in plan.functions:
            calls[spec.name] = f"new {spec.name}" if spec.interface else spec.name
            heads[spec.name] = [one.name for one in shapes.parameters(spec)]
            if spec.interface:
                members.update(spec.interface.state)
                for method in spec.interface.methods:
                    arguments = method.node.args if method.node else None
                    names = (
                        [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
                        if arguments
                        else []
                    )
                    own = names[0 if method.kind == "static" else 1 :]
                    heads[spec.name if method.name == "__init__" else f".{method.name}"] = own
        return cls(calls, heads, frozenset(members))

    def said(self, source: str) -> str:
        """A Python expression in JavaScript; Unsayable for what can't be said."""
        tree = expression_or_none(source)
        if tree is None:
            raise Unsayable(source)
        return _said(tree, self)

    def after(self, setup: str) -> tuple[list[str], Scope]:
        """A setup's statements in JavaScript, and what can be spoken of after them."""
        lines, scope = list[str](), self
        for node in statements_of(setup):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    lines.append(f"{'' if name in scope.variables else 'let '}{name} = {_said(value, scope)};")
                    objects = scope.objects | {name} if _is_object(value, scope) else scope.objects - {name}
                    scope = scope._replace(variables=scope.variables | {name}, objects=objects)
                case ast.Assign(targets=[ast.Attribute() as target], value=value):
                    lines.append(f"{_said(target, scope)} = {_said(value, scope)};")
                case ast.Expr(value=ast.Call() as call):
                    lines.append(f"{_said(call, scope)};")
                case _:
                    raise Unsayable(ast.unparse(node))
        return lines, scope


def literal(source: str) -> str:
    """A Python expression of plain data as JavaScript; Unsayable for anything else."""
    return Scope().said(source)


def _said(node: ast.expr, scope: Scope) -> str:
    match node:
        case ast.Constant(value=value):
            return _constant(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return f"-{_constant(value)}"
        case ast.Name(id=name) if name in scope.variables:
            return name
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return f"[{_listed(items, scope)}]"
        case ast.Set(elts=items):
            return f"new Set([{_listed(items, scope)}])"
        case ast.Dict(keys=keys, values=values) if all(keys):
            pairs = (f"[{_said(k, scope)}, {_said(v, scope)}]" for k, v in zip(keys, values, strict=True) if k)
            return f"new Map([{', '.join(pairs)}])"
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[right]):
            return f"{_said(left, scope)} === {_said(right, scope)}"
        case ast.Attribute(value=owner, attr=name) if name in scope.members and _is_object(owner, scope):
            return f"{_said(owner, scope)}.{name}"
        case ast.Call():
            return _call(node, scope)
    raise Unsayable(ast.unparse(node))


def _call(node: ast.Call, scope: Scope) -> str:
    match node:
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str(text))], keywords=[]):
            return _number(float(text))
        case ast.Call(func=ast.Name(id="set" | "frozenset"), args=[], keywords=[]):
            return "new Set()"
        case ast.Call(func=ast.Attribute(value=ast.Name(id="asyncio"), attr="run"), args=[inner], keywords=[]):
            return f"await {_said(inner, scope)}"
        case ast.Call(func=ast.Name(id="list"), args=[ast.Call(func=ast.Attribute(value=of, attr="items"), args=[])]):
            return f"[...{_said(of, scope)}]"
        case ast.Call(func=ast.Name(id=name)) if name in scope.calls:
            return f"{scope.calls[name]}({_given(node, name, scope)})"
        case ast.Call(func=ast.Attribute(value=owner, attr=name)) if f".{name}" in scope.heads:
            if isinstance(owner, ast.Name) and scope.calls.get(owner.id) == f"new {owner.id}":
                return f"{owner.id}.{name}({_given(node, f'.{name}', scope)})"
            if _is_object(owner, scope):
                return f"{_said(owner, scope)}.{name}({_given(node, f'.{name}', scope)})"
    raise Unsayable(ast.unparse(node))


def _is_object(node: ast.expr, scope: Scope) -> bool:
    """Whether this is an object of a planned class: by how it was made, or as what a method gave."""
    match node:
        case ast.Name(id=name):
            return name in scope.objects
        case ast.Call(func=ast.Name(id=name)):
            return scope.calls.get(name) == f"new {name}"
        case ast.Call(func=ast.Attribute(attr=name)):
            return f".{name}" in scope.heads
    return False


def _given(node: ast.Call, name: str, scope: Scope) -> str:
    """The arguments by their places; Unsayable where one in between is left out."""
    if not node.keywords:
        return _listed(node.args, scope)
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    wanted = scope.heads[name][len(node.args) : len(node.args) + len(named)]
    if set(wanted) != set(named):
        raise Unsayable(ast.unparse(node))
    return _listed([*node.args, *(named[one] for one in wanted)], scope)


def _listed(items: Sequence[ast.expr], scope: Scope) -> str:
    return ", ".join(_said(item, scope) for item in items)


def _constant(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, int) and abs(value) < 2**53:
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, bytes):
        return f"new Uint8Array([{', '.join(map(str, value))}])"
    raise Unsayable(repr(value))


def _number(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value)
