"""What a case does with objects, said in C++: they are made, called and read, and what comes of it is compared.

What a setup names and is plain data is put where it is used; an object, or what a call gave, is a variable.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tdgen.languages import shapes
from tdgen.languages.cpp.declaring import held, mutable
from tdgen.languages.files import Unsayable
from tdgen.languages.gcc.exporting import parsed
from tdgen.languages.gcc.members import Member, members
from tdgen.languages.gcc.types import given, plain, returned
from tdgen.languages.shapes import Shape
from tdgen.source.syntax import expression_or_none, statements_of
from tdgen.types import FunctionSpec, Plan

Said = tuple[str, Shape]
"""An expression in C++, and the plain shape of its value."""


class Scope:
    """What a case can speak of as far as its setup has gone."""

    def __init__(self, plan: Plan, literal: Callable[[ast.expr, Shape], str]) -> None:
        self._plan, self._literal = plan, literal
        self._variables: dict[str, Shape] = {}
        self._data: dict[str, ast.expr] = {}

    def setup(self, source: str) -> Iterator[str]:
        """The statements of a setup."""
        for node in statements_of(source):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in self._variables:
                    yield from self._assigned(name, value)
                case ast.Assign(targets=[ast.Attribute(value=owner, attr=name)], value=value):
                    member, on = self._member(owner, name, ("set", "write"))
                    text = self.value(value, given(member.spec, self._plan)[1])
                    yield f"{on}.{name} = {text};" if member.kind == "write" else f"{on}.{member.name}({text});"
                case ast.Expr(value=ast.Call() as call):
                    yield f"(void){self.said(call)[0]};"
                case _:
                    raise Unsayable(ast.unparse(node))

    def _assigned(self, name: str, value: ast.expr) -> Iterator[str]:
        try:
            text, shape = self.said(value)
        except Unsayable:
            if any(isinstance(part, ast.Call | ast.Name) for part in ast.walk(value)):
                raise
            self._data[name] = value
            return
        self._variables[name] = shape
        yield f"[[maybe_unused]] auto{'&' * self._is_itself(value)} {name} = {text};"

    def said(self, node: ast.expr) -> Said:
        """An expression whose shape is known by itself; Unsayable for any other."""
        match node:
            case ast.Name(id=name) if name in self._variables:
                return name, self._variables[name]
            case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Name() as right]) if self._is_itself(left):
                return f"&{self.said(left)[0]} == &{self.said(right)[0]}", ["bool"]
            case ast.Call(func=ast.Name(id=name)) if spec := self._unit(name):
                called = members(spec, self._plan)[0].spec if spec.interface else spec
                return f"{name}({self._arguments(node, called)})", returned(called, self._plan)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)) if self._unit(owner):
                member = self._named(owner, name, ("static",))
                return f"{owner}::{name}({self._arguments(node, member.spec)})", returned(member.spec, self._plan)
            case ast.Call(func=ast.Attribute(value=owner, attr=name)):
                member, on = self._member(owner, name, ("method",))
                return f"{on}.{name}({self._arguments(node, member.spec, 1)})", returned(member.spec, self._plan)
            case ast.Attribute(value=owner, attr=name):
                member, on = self._member(owner, name, ("get", "read"))
                return f"{on}.{name}{'()' * (member.kind == 'get')}", returned(member.spec, self._plan)
        raise Unsayable(ast.unparse(node))

    def value(self, node: ast.expr, of: Shape) -> str:
        """A value of the shape."""
        if isinstance(node, ast.Name) and node.id in self._data:
            return self._literal(self._data[node.id], of)
        try:
            text, shape = self.said(node)
        except Unsayable:
            return self._literal(node, of)
        if shape != of and of != ["maybe", shape]:
            raise Unsayable(ast.unparse(node))
        return text

    def same(self, said: Said, source: str) -> str:
        """Whether what an expression gives is what a source says; Unsayable where that is objects."""
        if said[1][0] == "object" or [*held(said[1])]:
            raise Unsayable(source)
        return f"test_same({said[0]}, {self.value(parsed(source), said[1])})"

    def _unit(self, name: str) -> FunctionSpec | None:
        return next((one for one in self._plan.functions if one.name == name), None)

    def _is_itself(self, node: ast.expr) -> bool:
        """Whether an expression gives an object that is there, and no new one."""
        match node:
            case ast.Name(id=name):
                return name in self._variables and self._variables[name][0] == "object"
            case ast.Call(func=ast.Attribute(value=owner, attr=name)) if not isinstance(owner, ast.Name) or not (
                self._unit(owner.id)
            ):
                return self._member(owner, name, ("method",))[0].is_itself
        return False

    def _member(self, owner: ast.expr, name: str, kinds: tuple[str, ...]) -> tuple[Member, str]:
        text, shape = self.said(owner)
        if shape[0] != "object":
            raise Unsayable(ast.unparse(owner))
        return self._named(shape[1], name, kinds), text

    def _named(self, owner: str, name: str, kinds: tuple[str, ...]) -> Member:
        """The member of a class, or of its bases; Unsayable where there is none."""
        spec = self._unit(owner)
        for one in members(spec, self._plan) if spec else ():
            if one.kind in kinds and one.spec.name.removesuffix("=") == f"{owner}.{name}":
                return one
        for base in spec.interface.base_names if spec and spec.interface else ():
            return self._named(base, name, kinds)
        raise Unsayable(name)

    def _arguments(self, node: ast.Call, spec: FunctionSpec, first: int = 0) -> str:
        """All arguments of a call by their places; those that are left out are left to the header."""
        real = shapes.parameters(spec)[first:]
        by_name = {keyword.arg: keyword.value for keyword in node.keywords}
        by_name |= {one.name: value for one, value in zip(real, node.args, strict=False)}
        last = max((n for n, one in enumerate(real, start=1) if one.name in by_name), default=0)
        if not by_name.keys() <= {one.name for one in real}:
            raise Unsayable(ast.unparse(node))
        literals = []
        for one, may_change in zip(real[:last], mutable(spec, self._plan)[first:], strict=False):
            value = by_name.get(one.name) or (expression_or_none(one.default) if one.default else None)
            if value is None or (may_change and not (isinstance(value, ast.Name) and value.id in self._variables)):
                raise Unsayable(one.name)
            literals.append(self.value(value, plain(shapes.shape(one.type, self._plan))))
        return ", ".join(literals)
