"""The types of a contract in C, and the functions that free what they hold.

A list, set or tuple of any length is a struct of `items` and `length`, a dict one of entries with `key` and `value`, a
tuple of fixed length has `item0`, `item1`, …; what may be None is a struct of `has` and `value`, or of text a pointer
that may be NULL. What a function gives back is the caller's to free, all of it made by malloc.
"""

from __future__ import annotations

from typing import Final

from tdgen.languages.gcc import types
from tdgen.languages.gcc.types import tag
from tdgen.languages.shapes import Shape
from tdgen.types import Plan

_SCALARS: Final = {"int": "int64_t", "float": "double", "bool": "bool", "str": "char *"}


def c_type(of: Shape) -> str:
    """A plain shape as a type."""
    if of[0] in _SCALARS:
        return _SCALARS[of[0]]
    return {"none": "void", "byte": "uint8_t"}.get(of[0]) or ("char *" if of == ["maybe", ["str"]] else tag(of))


def declared(of: Shape, name: str, *, given: bool = False) -> str:
    """The declaration of a variable or, where it is `given`, of a parameter."""
    kind = c_type(of)
    return f"{'const ' * (given and kind == 'char *')}{kind}{'' if kind.endswith('*') else ' '}{name}"


def kinds(plan: Plan) -> list[str]:
    """The kinds of failures, in order: the last names of all exceptions that contracts name."""
    declared = [raised.type.rpartition(".")[2] for spec in plan.functions for raised in spec.raises]
    return list(dict.fromkeys([*(one.name for one in plan.types if one.kind == "exception"), *declared]))


class Types(types.Types):
    """The types that a plan's contracts need in C, each before what is made of it."""

    def declarations(self) -> str:
        """The types, and for each that holds memory a function that frees it."""
        texts = []
        for of in self.all.values():
            kind, name = of[0], tag(of)
            fields = "".join(f" {declared(part, key)};" for key, part in self.parts(of).items())
            if kind in _SCALARS or kind == "byte" or of == ["maybe", ["str"]]:
                continue
            match kind:
                case "list" | "set":
                    body = f" {c_type(of[1])}{'' if c_type(of[1]).endswith('*') else ' '}*items; size_t length;"
                case "dict":
                    body = f" struct {name}_entry {{{fields} }} *items; size_t length;"
                case "maybe":
                    body = f" bool has;{fields}"
                case _:
                    body = fields or " char nothing;"
            texts.append(f"typedef struct {name} {{{body} }} {name};\n{self._freeing(of)}")
        return "\n".join(texts)

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
