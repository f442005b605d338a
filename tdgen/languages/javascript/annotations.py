"""Annotations of a contract as types of TypeScript's notation, which JSDoc comments use too."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tdgen.languages import shapes
from tdgen.types import Plan

Words = Mapping[str, str]
TYPES: Final[Words] = MappingProxyType(
    {
        "int": "number",
        "float": "number",
        "bool": "boolean",
        "str": "string",
        "bytes": "Uint8Array",
        "none": "null",
        "any": "any",
    }
)
WHOLE: Final[Words] = MappingProxyType({**TYPES, "int": "number (whole)", "any": "*"})
"""The same for people, who are told which numbers are whole."""


def type_of(annotation: str, plan: Plan, words: Words = TYPES) -> str:
    """An annotation as a type; what no shape is known for stays as it is."""
    try:
        return _said(shapes.shape(annotation, plan), words)
    except shapes.Unsupported:
        return annotation


def _said(of: shapes.Shape, words: Words) -> str:
    kind, *parts = of
    match kind:
        case "list":
            return f"Array<{_said(parts[0], words)}>"
        case "tuple":
            items, rest = parts
            return f"Array<{_said(rest, words)}>" if rest else f"[{', '.join(_said(one, words) for one in items)}]"
        case "dict":
            return f"Map<{_said(parts[0], words)}, {_said(parts[1], words)}>"
        case "set" | "frozenset":
            return f"Set<{_said(parts[0], words)}>"
        case "union":
            return " | ".join(dict.fromkeys(_said(one, words) for one in parts[0]))
    return words.get(kind) or str(parts[0])
