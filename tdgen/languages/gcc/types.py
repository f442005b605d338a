"""The shapes of a contract's values as compiled languages have them, and the types that a plan needs of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tdgen.languages import shapes
from tdgen.languages.gcc.members import callables
from tdgen.languages.shapes import Shape, Unsupported, parameters
from tdgen.types import FunctionSpec, Plan

_BYTES: Final[Shape] = ["list", ["byte"]]


def plain(of: Shape) -> Shape:
    """A shape as typed code has it: what is None or something is a `maybe`, and what has the same form is the same."""
    kind, *parts = of
    match kind:
        case "int" | "float" | "bool" | "str" | "none" | "byte" | "record" | "object":
            return of
        case "bytes":
            return _BYTES
        case "list":
            return ["list", plain(parts[0])]
        case "set" | "frozenset":
            return ["set", plain(parts[0])]
        case "tuple":
            items, rest = parts
            return ["list", plain(rest)] if rest else ["tuple", [plain(item) for item in items]]
        case "dict":
            return ["dict", plain(parts[0]), plain(parts[1])]
        case "union":
            others = [part for part in parts[0] if part != ["none"]]
            if len(others) == 1 and len(others) < len(parts[0]):
                return ["maybe", plain(others[0])]
    raise Unsupported("a value of several types" if kind == "union" else "a value of any type")


def given(spec: FunctionSpec, plan: Plan) -> list[Shape]:
    """The plain shapes of a function's arguments."""
    return [plain(shapes.shape(one.type, plan)) for one in parameters(spec)]


def returned(spec: FunctionSpec, plan: Plan) -> Shape:
    """The plain shape of what a function gives back."""
    return plain(shapes.shape(spec.returns.type, plan))


def fields(plan: Plan) -> dict[str, dict[str, Shape]]:
    """By the names of the plan's records and exceptions the plain shapes of their fields, in order."""
    return {name: {key: plain(of) for key, of in one.items()} for name, one in shapes.records(plan).items()}


def tag(of: Shape) -> str:
    """A plain shape as a part of a name."""
    kind, *parts = of
    if kind in ("record", "object"):
        return str(parts[0])
    if kind == "tuple":
        return "_".join(["tuple", *map(tag, parts[0])])
    return "_".join([kind, *map(tag, parts)])


class Types:
    """The types that a plan's contracts need, in an order in which each stands before what is made of it."""

    def __init__(self, plan: Plan) -> None:
        data = {one.name for one in plan.types if one.kind in shapes.RECORDS}
        self._records = {name: one for name, one in fields(plan).items() if name in data}
        self.all: dict[str, Shape] = {}
        wanted: list[Shape] = [["record", name] for name in self._records]
        for spec in callables(plan):
            wanted += [*given(spec, plan), *(one for one in [returned(spec, plan)] if one != ["none"])]
        for of in wanted:
            self._need(of, ())

    def _need(self, of: Shape, holders: tuple[str, ...]) -> None:
        name = tag(of)
        if of == ["none"]:
            raise Unsupported("a value that is always None")
        if name in holders:
            raise Unsupported(f"{name}, which holds itself,")
        if name not in self.all:
            for part in self.parts(of).values():
                self._need(part, (*holders, name))
            self.all[name] = of

    def parts(self, of: Shape) -> Mapping[str, Shape]:
        """What a shape is made of, by the names of the fields; of what has `items`, of one item."""
        kind, *parts = of
        match kind:
            case "record":
                return self._records[parts[0]]
            case "tuple":
                return {f"item{place}": part for place, part in enumerate(parts[0])}
            case "dict":
                return {"key": parts[0], "value": parts[1]}
            case "list" | "set" | "maybe":
                return {"value": parts[0]}
        return {}
