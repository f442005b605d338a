"""Classes of a project that only hold data, as the types that calls are made up and compared by."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from tdgen.project.outline import Entry
from tdgen.source.syntax import parse
from tdgen.source.trees import dotted
from tdgen.types import Field, SharedType
from tdgen.types.declared import TypeKind

_KINDS: Final[dict[str, TypeKind]] = {
    "NamedTuple": "named_tuple",
    "TypedDict": "typed_dict",
    **dict.fromkeys(("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"), "enum"),
}


def data_type(entry: Entry) -> SharedType | None:
    """A dataclass, enum, named tuple or typed dict with its fields; None for what else an entry stands for.

    One with bases in the project is left out, as fields are missing here, and so is a dataclass without an equality of
    its own: its instances are compared by identity.
    """
    if entry.kind != "class":
        return None
    attributes = (f"    {member.text}\n" for member in entry.members if not member.is_method)
    try:
        (node,) = parse(f"{entry.text}\n{''.join(attributes)}    pass\n").body
    except (SyntaxError, ValueError):
        return None
    if not isinstance(node, ast.ClassDef):
        return None
    bases = [dotted(base).rpartition(".")[2] for base in node.bases]
    decorators = {dotted(getattr(one, "func", one)).rpartition(".")[2]: one for one in node.decorator_list}
    if kind := next((_KINDS[base] for base in bases if base in _KINDS), None):
        return SharedType(name=entry.name, kind=kind, fields=tuple(_fields(node, is_enum=kind == "enum")))
    if "dataclass" not in decorators or bases:
        return None
    options = {word.arg: ast.unparse(word.value) for word in getattr(decorators["dataclass"], "keywords", ())}
    if options.get("eq") == "False" or options.get("init") == "False":
        return None
    is_frozen = options.get("frozen") == "True"
    return SharedType(name=entry.name, kind="dataclass", frozen=is_frozen, fields=tuple(_fields(node)))


def _fields(node: ast.ClassDef, *, is_enum: bool = False) -> Iterator[Field]:
    """The declared fields; of an enum its members."""
    for held in node.body:
        if is_enum:
            if isinstance(held, ast.Assign):
                yield from (Field(name=ast.unparse(one), default=ast.unparse(held.value)) for one in held.targets)
        elif isinstance(held, ast.AnnAssign) and "ClassVar" not in (annotation := ast.unparse(held.annotation)):
            default = ast.unparse(held.value) if held.value else None
            yield Field(name=ast.unparse(held.target), type=annotation, default=default)
