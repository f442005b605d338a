"""Shared types as source: written out from their declarations, so that no line of them is a model's code."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

from tdgen.source.imports import import_lines
from tdgen.source.syntax import expression_or_none
from tdgen.types import Field, Plan, SharedType

_DECORATED = {
    "dataclass": "",
    "enum": "Enum",
    "typed_dict": "TypedDict",
    "named_tuple": "NamedTuple",
    "exception": "Exception",
}
_WORD = re.compile(r"\w+")
_VARIABLES = {"type_var": "TypeVar", "param_spec": "ParamSpec"}


def declare_types(plan: Plan) -> str:
    """The source of the plan's shared types with the imports they need; empty where it has none."""
    if not plan.types:
        return ""
    variables = [_variable(shared) for shared in plan.types if shared.kind in _VARIABLES]
    bodies = [_declare(shared) for shared in plan.types if shared.kind not in _VARIABLES]
    if variables:  # a bound may be one of the other types; what they say of variables themselves is not evaluated
        bodies.append("\n".join(variables))
    lines = import_lines(bodies, packages=plan.packages)
    return "\n".join(lines) + "\n\n\n" * bool(lines) + "\n\n\n".join(bodies) + "\n"


def types_named(plan: Plan, text: str) -> tuple[SharedType, ...]:
    """The shared types that a text names, and those that their fields and bases name in turn."""
    by_name = {shared.name: shared for shared in plan.types}
    waiting, reached = [text], set[str]()
    while waiting:
        for name in set(_WORD.findall(waiting.pop())) & by_name.keys() - reached:
            reached.add(name)
            shared = by_name[name]
            waiting += [shared.base, *(field.type for field in shared.fields)]
            waiting += [field.default or "" for field in shared.fields]
    return tuple(shared for shared in plan.types if shared.name in reached)


def _variable(shared: SharedType) -> str:
    bound = f", bound={shared.base}" if shared.base else ""
    return f'{shared.name} = {_VARIABLES[shared.kind]}("{shared.name}"{bound})'


def _declare(shared: SharedType) -> str:
    body = [f"    {_docstring(shared)}"]
    if shared.kind == "exception" and (shared.fields or shared.message):
        body += ["", *_exception_init(shared)]
    elif shared.fields:
        body += ["", *(f"    {_field(shared, field)}" for field in shared.fields)]
    base = shared.base or _DECORATED[shared.kind]
    head = f"class {shared.name}({base}):" if base else f"class {shared.name}:"
    decorator = ["@dataclass(frozen=True)" if shared.frozen else "@dataclass"] if shared.kind == "dataclass" else []
    return "\n".join([*decorator, head, *body])


def _docstring(shared: SharedType) -> str:
    text = " ".join(shared.description.split()) or f"The {shared.kind.replace('_', ' ')} {shared.name}."
    return '"""' + text.replace("\\", "\\\\").replace('"', '\\"') + '"""'


def _field(shared: SharedType, field: Field) -> str:
    if shared.kind == "enum":
        return f"{field.name} = {field.default}"
    if field.default is None:
        return f"{field.name}: {field.type}"
    if shared.kind == "dataclass" and _is_mutable(field.default):
        return f"{field.name}: {field.type} = field(default_factory=lambda: {field.default})"
    return f"{field.name}: {field.type} = {field.default}"


def _is_mutable(default: str) -> bool:
    return default.lstrip().startswith(("[", "{", "list(", "dict(", "set("))


def message_problem(shared: SharedType) -> str:
    """Why an exception's message can't be written out; empty where it has its fields in braces, or joined."""
    node = expression_or_none(f"f{shared.message!r}")
    names = {field.name for field in shared.fields}
    values = [part for part in ast.walk(node) if isinstance(part, ast.FormattedValue)] if node is not None else []
    if node is None or any(not _is_field(_joined(v.value), names) for v in values):
        told = "such as {line} or {', '.join(names)}, and nothing else"
        return f"its message {shared.message!r} may have its fields in braces, {told}"
    return ""


def _joined(node: ast.expr) -> ast.expr:
    """What a literal text joins; any other expression itself."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="join"), args=[one], keywords=[]):
            return one
    return node


def _is_field(node: ast.expr, names: Collection[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _exception_init(shared: SharedType) -> list[str]:
    """An exception that carries values keeps them as attributes, and says its message, or else the values."""
    fields = shared.fields
    parameters = [f"{f.name}: {f.type}" + (f" = {f.default}" if f.default is not None else "") for f in fields]
    told = f"f{shared.message!r}" if shared.message else ", ".join(f.name for f in fields)
    return [
        f"    def __init__({', '.join(['self', *parameters])}) -> None:",
        f"        super().__init__({told})",
        *(f"        self.{f.name} = {f.name}" for f in fields),
    ]
