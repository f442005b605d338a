"""A pydantic model as the JSON schema that strict endpoints take, and as a prompt tells it.

The schema is flat and closed, every property required. What endpoints don't take (titles, defaults, patterns, bounds)
is left out and stays pydantic's to check; what no strict schema can say (any value at all, a dict with free keys, a
recursive model) is an error of the program.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic import BaseModel

_KEPT = ("type", "description", "enum")


def strict_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The strict JSON schema of `model`, a fresh copy; ValueError where it can't be said strictly."""
    schema: dict[str, Any] = json.loads(_schema_text(model))
    return schema


@cache
def form_text(model: type[BaseModel]) -> str:
    """The same as a prompt tells it: `{"name": string, "sizes"?: [integer, …], "colour"?: "red" | "blue" | null}`.

    What has a default is marked with `?`. It costs a fourth of the schema's tokens.
    """
    schema = model.model_json_schema()
    return _form(schema, schema.get("$defs", {}))


def _form(schema: dict[str, Any], shared: dict[str, Any]) -> str:
    if "$ref" in schema:
        return _form(shared[schema["$ref"].rpartition("/")[2]], shared)
    if choices := schema.get("anyOf", schema.get("oneOf")):
        return " | ".join(_form(choice, shared) for choice in choices)
    if "const" in schema or "enum" in schema:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema.get("enum", [schema.get("const")]))
    if schema["type"] == "object":
        needed = schema.get("required", ())
        parts = schema.get("properties", {}).items()
        told = (f'"{name}"{"" if name in needed else "?"}: {_form(value, shared)}' for name, value in parts)
        return "{" + ", ".join(told) + "}"
    return f"[{_form(schema['items'], shared)}, …]" if schema["type"] == "array" else str(schema["type"])


@cache
def _schema_text(model: type[BaseModel]) -> str:
    schema = model.model_json_schema()
    return json.dumps(_strict(schema, schema.get("$defs", {}), (model.__name__,)))


def _strict(schema: dict[str, Any], shared: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    if "$ref" in schema:
        return _inlined(schema, shared, path)
    strict = {key: schema[key] for key in _KEPT if key in schema}
    if "const" in schema:
        strict["enum"] = [schema["const"]]
    if choices := schema.get("anyOf", schema.get("oneOf")):
        strict["anyOf"] = [_strict(choice, shared, path) for choice in choices]
    if schema.get("type") == "object":
        strict |= _object(schema, shared, path)
    if schema.get("type") == "array":
        strict["items"] = _strict(_items(schema, path), shared, (*path, "[]"))
    if not strict.keys() & {"type", "enum", "anyOf"}:
        raise ValueError(f"{_dotted(path)}: a value of any type has no strict schema")
    return strict


def _inlined(schema: dict[str, Any], shared: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    name = schema["$ref"].rpartition("/")[2]
    if f"<{name}>" in path:
        raise ValueError(f"{_dotted(path)}: {name} holds itself, which no flat schema can say")
    beside = {key: value for key, value in schema.items() if key in _KEPT}
    return _strict(shared[name] | beside, shared, (*path, f"<{name}>"))


def _object(schema: dict[str, Any], shared: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    if "properties" not in schema and schema.get("additionalProperties", True) is not False:
        raise ValueError(f"{_dotted(path)}: a dict with free keys has no strict schema")
    properties = schema.get("properties", {})
    return {
        "properties": {name: _strict(value, shared, (*path, name)) for name, value in properties.items()},
        "required": list(properties),
        "additionalProperties": False,
    }


def _items(schema: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    if "prefixItems" in schema or "items" not in schema:
        raise ValueError(f"{_dotted(path)}: an array has a strict schema only where all its items have one type")
    items: dict[str, Any] = schema["items"]
    return items


def _dotted(path: tuple[str, ...]) -> str:
    return ".".join(part for part in path if not part.startswith("<"))
