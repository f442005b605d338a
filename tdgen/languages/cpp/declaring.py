"""The types of a contract in C++: those of the standard library, structs for records, classes for exceptions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from tdgen.languages import shapes
from tdgen.languages.files import Unsayable
from tdgen.languages.gcc.members import kin
from tdgen.languages.gcc.types import Types, fields, plain, returned
from tdgen.languages.shapes import Shape
from tdgen.types import FunctionSpec, Parameter, Plan, SharedType

_NAMES: Final = {
    "int": "std::int64_t",
    "float": "double",
    "bool": "bool",
    "byte": "std::uint8_t",
    "none": "void",
    "str": "std::string",
    "list": "std::vector",
    "set": "std::set",
    "dict": "std::map",
    "tuple": "std::tuple",
    "maybe": "std::optional",
}
_BY_VALUE: Final = {"int", "float", "bool", "byte"}
_CHANGEABLE: Final = {"list", "set", "dict", "record"}
Literal = Callable[[str, Shape], str]
"""A Python literal as a value of a plain shape; Unsayable where there is none."""


def cpp_type(of: Shape) -> str:
    """A plain shape as a type."""
    kind, *parts = of
    if kind in ("record", "object"):
        return str(parts[0])
    inner = parts[0] if kind == "tuple" else parts
    return _NAMES[kind] + (f"<{', '.join(map(cpp_type, inner))}>" if parts else "")


def mutable(spec: FunctionSpec, plan: Plan) -> list[bool]:
    """For each argument whether the code may change it: what something that gives back nothing is handed.

    Of a class's members these are objects alone, and never of a setter. An object whose class others derive from may
    always be: which of their methods change nothing is theirs to say.
    """
    parameters = [plain(shapes.shape(one.type, plan)) for one in shapes.parameters(spec)]
    gives = shapes.shape(spec.returns.type, plan) != ["none"] or spec.name.endswith("=")
    own = set() if gives else {"object"} if "." in spec.name else {"object", *_CHANGEABLE}
    bases = {name for name, one in kin(plan).items() if len(one) > 1}
    return [(of[0] in own and not any(held(of))) or (of[0] == "object" and of[1] in bases) for of in parameters]


def held(of: Shape) -> Iterator[tuple[str, str]]:
    """The names of the classes whose objects a plain shape has within it, each with the kind of what it stands in."""
    kind, *parts = of
    for place, part in enumerate(parts[0] if kind == "tuple" else () if kind in ("record", "object") else parts):
        if part[0] == "object":
            yield part[1], "key" if kind == "set" or (kind == "dict" and place == 0) else kind
        yield from held(part)


def exceptions(plan: Plan) -> dict[str, str]:
    """By the names of the exceptions that contracts have what each derives from, bases first."""
    named = [raised.type.rpartition(".")[2] for spec in plan.functions for raised in spec.raises]
    own = {one.name: one.base.rpartition(".")[2] for one in plan.types if one.kind == "exception"}
    bases = [base for base in own.values() if base not in ("", "Exception")]
    by_name = {name: "std::runtime_error" for name in (*bases, *named) if name not in own}
    waiting = dict(own)
    while waiting:
        name = next((one for one, base in waiting.items() if base not in waiting), next(iter(waiting)))
        base = waiting.pop(name)
        by_name[name] = base if base in by_name else "std::runtime_error"
    return by_name


def declarations(plan: Plan, types: Types, literal: Literal) -> str:
    """The plan's exceptions and records."""
    by_name, fields_of = {one.name: one for one in plan.types}, fields(plan)
    records = [of[1] for of in types.all.values() if of[0] == "record"]
    parts = []
    for name in records:
        one, lines = by_name[name], list[str]()
        for field in one.fields:
            of = fields_of[name][field.name]
            lines.append(f"    {cpp_type(of)} {field.name}{_default(field.default, of, literal) or '{}'};\n")
        same = f"    friend auto operator<=>(const {name}&, const {name}&) = default;\n"
        parts.append(f"{_described(one)}struct {name} {{\n{''.join(lines)}{same}}};\n")
    for name, base in exceptions(plan).items():
        parts.append(_exception(name, base, fields_of.get(name, {}), by_name.get(name)))
    return "\n".join(parts)


def _default(source: str | None, of: Shape, literal: Literal) -> str:
    """A default as it stands behind a name; empty where there is none that C++ can say."""
    try:
        return f" = {literal(source, of)}" if source is not None else ""
    except Unsayable:
        return ""


def _exception(name: str, base: str, parts: dict[str, Shape], one: SharedType | None) -> str:
    own = base.rpartition("::")[2]
    body = f"    using {own}::{own};\n"
    if parts:
        given = "".join(f", {cpp_type(of)} {key}" for key, of in parts.items())
        held = "".join(f", {key}(std::move({key}))" for key in parts)
        lines = "".join(f"    {cpp_type(of)} {key};\n" for key, of in parts.items())
        body = f"    explicit {name}(const std::string& message{given}) : {own}(message){held} {{}}\n{lines}"
    return f"{_described(one) if one else ''}class {name} : public {base} {{\npublic:\n{body}}};\n"


def _described(one: SharedType) -> str:
    text = " ".join(one.description.split()).replace("*/", "")
    return f"/** {text} */\n" if text else ""


def head(spec: FunctionSpec, plan: Plan, literal: Literal | None = None) -> str:
    """A function's head; with `literal` the defaults of its contract, as far from the end as all have one."""
    return f"{cpp_type(returned(spec, plan))} {spec.name}({', '.join(parameters(spec, plan, literal))})"


def parameters(spec: FunctionSpec, plan: Plan, literal: Literal | None) -> list[str]:
    """The parameters as they stand in a head; of a class's member without the object itself."""
    texts, defaults = list[str](), list[str]()
    for one, may_change in zip(shapes.parameters(spec), mutable(spec, plan), strict=True):
        of = plain(shapes.shape(one.type, plan))
        by_reference = f"{'' if may_change else 'const '}{cpp_type(of)}&"
        texts.append(f"{cpp_type(of) if of[0] in _BY_VALUE else by_reference} {one.name}")
        defaults.append(_default(one.default, of, literal) if literal and not may_change else "")
    last = next((n for n in range(len(texts), 0, -1) if not defaults[n - 1]), 0)
    given = [text + (defaults[n] if n >= last else "") for n, text in enumerate(texts)]
    return given[spec.parameters[:1] == (Parameter(name="self", type=spec.name.partition(".")[0]),) :]
