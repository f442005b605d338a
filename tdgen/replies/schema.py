"""A pydantic model as the JSON schema that endpoints take, and as a prompt tells it.

The schema is flat and closed; required is what has no default. What endpoints don't take (titles, defaults, patterns,
bounds) is left out and stays pydantic's to check; what no flat schema can say (any value at all, a dict with free keys,
a recursive model) is an error of the program.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic import BaseModel

_KEPT = ("type", "description", "enum")


def flat_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of `model`, flat and closed, a fresh copy; ValueError where it can't be said so."""
    schema: dict[str, Any] = json.loads(_schema_text(model))
    return schema


@cache
def form_text(model: type[BaseModel]) -> str:
    """The same as a prompt tells it: `{"name": string, "sizes"?: [integer, …], "colour"?: "red" | "blue" | null}`.

    What has a default is marked with `?`. It costs a fourth of the schema's tokens.
    """
    return _form(flat_schema(model))


def _form(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(map(_form, schema["anyOf"]))
    if schema["type"] == "object":
        told = (
            f'"{name}"{"" if name in schema["required"] else "?"}: {_form(value)}'
            for name, value in schema["properties"].items()
        )
        return "{" + ", ".join(told) + "}"
    return f"[{_form(schema['items'])}, …]" if schema["type"] == "array" else str(schema["type"])


@cache
def _schema_text(model: type[BaseModel]) -> str:
    schema = model.model_json_schema()
    return json.dumps(_flat(schema, schema.get("$defs", {}), (model.__name__,)))


def _flat(schema: dict[str, Any], shared: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    if "$ref" in schema:
        return _inlined(schema, shared, path)
    flat = {key: schema[key] for key in _KEPT if key in schema}
    if "const" in schema:
        flat["enum"] = [schema["const"]]
    if choices := schema.get("anyOf", schema.get("oneOf")):
        flat["anyOf"] = [_flat(choice, shared, path) for choice in choices]
    if schema.get("type") == "object":
        flat |= _object(schema, shared, path)
    if schema.get("type") == "array":
        flat["items"] = _flat(_items(schema, path), shared, (*path, "[]"))
    if not flat.keys() & {"type", "enum", "anyOf"}:
        raise ValueError(f"{_dotted(path)}: a value of any type has no flat schema")
    return flat


def _inlined(schema: dict[str, Any], shared: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    name = schema["$ref"].rpartition("/")[2]
    if f"<{name}>" in path:
        raise ValueError(f"{_dotted(path)}: {name} holds itself, which no flat schema can say")
    beside = {key: value for key, value in schema.items() if key in _KEPT}
    return _flat(shared[name] | beside, shared, (*path, f"<{name}>"))


def _object(schema: dict[str, Any], shared: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    if "properties" not in schema and schema.get("additionalProperties", True) is not False:
        raise ValueError(f"{_dotted(path)}: a dict with free keys has no flat schema")
    properties = schema.get("properties", {})
    return {
        "properties": {name: _flat(value, shared, (*path, name)) for name, value in properties.items()},
        "required": [name for name in properties if name in schema.get("required", ())],
        "additionalProperties": False,
    }


def _items(schema: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    if "prefixItems" in schema or "items" not in schema:
        raise ValueError(f"{_dotted(path)}: an array has a flat schema only where all its items have one type")
    items: dict[str, Any] = schema["items"]
    return items


def _dotted(path: tuple[str, ...]) -> str:
    return ".".join(part for part in path if not part.startswith("<"))
