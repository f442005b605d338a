"""The types of a contract in C, and the functions that free what they hold.

A list, set or tuple of any length is a struct of `items` and `length`, a dict one of entries with `key` and `value`, a
tuple of fixed length has `item0`, `item1`, …; what may be None is a struct of `has` and `value`, or of text a pointer
that may be NULL. What a function gives back is the caller's to free, all of it made by malloc.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tdgen.languages import shapes
from tdgen.languages.shapes import Shape, Unsupported
from tdgen.types import Plan

_SCALARS: Final = {"int": "int64_t", "float": "double", "bool": "bool", "str": "char *"}
_BYTES: Final[Shape] = ["list", ["byte"]]


def plain(of: Shape) -> Shape:
    """A shape as C has it: what is None or something is a `maybe`, and what has the same form is the same."""
    kind, *parts = of
    match kind:
        case "int" | "float" | "bool" | "str" | "none" | "byte":
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
        case "record":
            return of
        case "union":
            others = [part for part in parts[0] if part != ["none"]]
            if len(others) == 1 and len(others) < len(parts[0]):
                return ["maybe", plain(others[0])]
    raise Unsupported("a value of several types" if kind == "union" else "a value of any type")


def tag(of: Shape) -> str:
    """A plain shape as a part of a name."""
    kind, *parts = of
    if kind == "record":
        return str(parts[0])
    if kind == "tuple":
        return "_".join(["tuple", *map(tag, parts[0])])
    return "_".join([kind, *map(tag, parts)])


def c_type(of: Shape) -> str:
    """A plain shape as a type."""
    if of[0] in _SCALARS:
        return _SCALARS[of[0]]
    return {"none": "void", "byte": "uint8_t"}.get(of[0]) or ("char *" if of == ["maybe", ["str"]] else tag(of))


def declared(of: Shape, name: str, *, given: bool = False) -> str:
    """The declaration of a variable or, where it is `given`, of a parameter."""
    kind = c_type(of)
    return f"{'const ' * (given and kind == 'char *')}{kind}{'' if kind.endswith('*') else ' '}{name}"


class Types:
    """The types that a plan's contracts need, in an order in which each stands before what is made of it."""

    def __init__(self, plan: Plan) -> None:
        self._records = {name: {key: plain(of) for key, of in fields.items()} for name, fields in _data(plan).items()}
        self.all: dict[str, Shape] = {}
        self._open: list[str] = []
        for name in self._records:
            self._need(["record", name])
        for spec in plan.functions:
            for annotation in (*(one.type for one in spec.parameters if one.name != "*"), spec.returns.type):
                self._need(plain(shapes.shape(annotation, plan)))

    def _need(self, of: Shape) -> None:
        name = tag(of)
        if of == ["none"] or name in self.all:
            return
        if name in self._open:
            raise Unsupported(f"{name}, which holds itself,")
        self._open.append(name)
        for part in self.parts(of).values():
            self._need(part)
        self._open.remove(name)
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

    def declarations(self) -> str:
        """The types, and for each that holds memory a function that frees it."""
        return "\n".join(filter(None, map(self._declaration, self.all.values())))

    def _declaration(self, of: Shape) -> str:
        kind, name = of[0], tag(of)
        fields = "".join(f" {declared(part, key)};" for key, part in self.parts(of).items())
        if kind in _SCALARS or kind == "byte" or of == ["maybe", ["str"]]:
            return ""
        match kind:
            case "list" | "set":
                body = f" {c_type(of[1])}{'' if c_type(of[1]).endswith('*') else ' '}*items; size_t length;"
            case "dict":
                body = f" struct {name}_entry {{{fields} }} *items; size_t length;"
            case "maybe":
                body = f" bool has;{fields}"
            case _:
                body = fields or " char nothing;"
        return f"typedef struct {name} {{{body} }} {name};\n{self._freeing(of)}"

    def _freeing(self, of: Shape) -> str:
        if not self.holds_memory(of):
            return ""
        name = tag(of)
        parts = self.parts(of)
        if of[0] in ("list", "set", "dict"):
            item = "value.items[n]" if of[0] != "dict" else "value.items[n].{}"
            inner = "".join(self.freed(part, item.format(key)) for key, part in parts.items())
            loop = f"    for (size_t n = 0; n < value.length; n++) {{ {inner}}}\n" * bool(inner)
            body = f"{loop}    free(value.items);\n"
        else:
            inner = "".join(
                f"    {self.freed(part, f'value.{key}')}\n" for key, part in parts.items() if self.holds_memory(part)
            )
            body = f"    if (!value.has) return;\n{inner}" if of[0] == "maybe" else inner
        return f"static inline void {name}_free({name} value) {{\n{body}}}\n"

    def freed(self, of: Shape, value: str) -> str:
        """The statement that frees what a value holds; nothing where it holds none."""
        if c_type(of) == "char *":
            return f"free({value}); "
        return f"{tag(of)}_free({value}); " if self.holds_memory(of) else ""

    def holds_memory(self, of: Shape) -> bool:
        """Whether there is something to free of a value."""
        if of[0] in ("str", "list", "set", "dict"):
            return True
        return any(map(self.holds_memory, self.parts(of).values()))


def _data(plan: Plan) -> dict[str, dict[str, Shape]]:
    """The fields of the plan's records, without its exceptions."""
    names = {one.name for one in plan.types if one.kind in shapes.RECORDS}
    return {name: fields for name, fields in shapes.records(plan).items() if name in names}
