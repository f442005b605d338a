"""Whether JSON is as a contract has it: the part of JSON schema that contracts are written in, and routes with it.

Standard library only, Python 3.9 and later: this file also runs beside the code, and lies beside the tests that a user
gets.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote, urlsplit

TYPES: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
KEYWORDS = {"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "description"}
_BY_FRAMEWORK = (404, 405, 422)
"""What frameworks answer by themselves: it need not stand in a contract."""


class ContractBroken(Exception):
    """What is sent or answered is not what both sides agreed on."""


def unknown(schema: Any, place: str = "") -> str:
    """What of a schema is not understood here; empty where all is."""
    if not isinstance(schema, dict):
        return f"{place or 'the schema'} is no object"
    more = sorted(schema.keys() - KEYWORDS)
    if more:
        return f"{place or 'the schema'} has {more[0]!r}: take {', '.join(sorted(KEYWORDS))}"
    kinds = schema.get("type", [])
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        if kind not in TYPES:
            return f"{place or 'the schema'} has the type {kind!r}: take {', '.join(TYPES)}"
    parts = [(f"{place}.{name}", one) for name, one in schema.get("properties", {}).items()]
    parts += [(f"{place}[]", schema["items"])] if "items" in schema else []
    parts += [(place, one) for one in schema.get("anyOf", [])]
    more_allowed = schema.get("additionalProperties", True)
    parts += [] if isinstance(more_allowed, bool) else [(f"{place}.*", more_allowed)]
    return next(filter(None, (unknown(one, where) for where, one in parts)), "")


def misfit(value: Any, schema: dict[str, Any], place: str = "") -> str:
    """Why a value is not as a schema has it, the place first; empty where it is."""
    where = place or "the body"
    if "enum" in schema and not any(
        bool(value == one) and isinstance(value, bool) == isinstance(one, bool) for one in schema["enum"]
    ):
        return f"{where} is {json.dumps(value)[:60]}, none of {json.dumps(schema['enum'])}"
    kinds = schema.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if kinds and not any(_is_of(value, kind) for kind in kinds):
        return f"{where} is {json.dumps(value)[:60]}, no {' or '.join(kinds)}"
    if "anyOf" in schema:
        reasons = [misfit(value, one, place) for one in schema["anyOf"]]
        if all(reasons):
            return reasons[0]
    inner = _object_parts(value, schema, place) if isinstance(value, dict) else []
    if isinstance(value, list) and "items" in schema:
        inner = [(item, schema["items"], f"{place}[{n}]") for n, item in enumerate(value)]
    if isinstance(inner, str):
        return inner
    return next(filter(None, (misfit(*one) for one in inner)), "")


def _object_parts(value: dict[str, Any], schema: dict[str, Any], place: str) -> Any:
    known, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    where = place or "the body"
    missing = [name for name in schema.get("required", []) if name not in value]
    if missing:
        return f"{where} has no {missing[0]!r}"
    others = [name for name in value if name not in known]
    if others and more is False:
        return f"{where} has {others[0]!r}, of which the contract says nothing"
    parts = [(value[name], one, f"{place}.{name}".lstrip(".")) for name, one in known.items() if name in value]
    return parts + ([(value[name], more, f"{place}.{name}".lstrip(".")) for name in others] if more is not True else [])


def _is_of(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, TYPES[kind])


class Contract:
    """The routes of a plan: what is sent and answered is held against them."""

    def __init__(self, routes: list[dict[str, Any]]) -> None:
        self.routes = routes

    def route(self, method: str, url: str) -> dict[str, Any] | None:
        """The route that a request is of, one without a parameter first."""
        parts, fitting = unquote(urlsplit(url).path).split("/"), []
        for one in self.routes:
            wanted = one["path"].split("/")
            same = (bool(part) if name.startswith("{") else part == name for part, name in zip(parts, wanted))  # noqa: B905 - 3.9
            if method in ("", one["method"]) and len(parts) == len(wanted) and all(same):
                fitting.append(one)
        return min(fitting, key=lambda one: one["path"].count("{"), default=None)

    def sent(self, method: str, url: str, body: Any) -> str:
        """Why a request is none of the contract; empty where it is one. `body` is read where it is JSON."""
        route = self.route(method, url)
        if route is None:
            return f"{method} {url} is no request of the contract"
        reason = misfit(body, route["sent"]) if route["sent"] else ""
        return f"what {method} {url} sends is not what the contract says: {reason}" if reason else ""

    def answered(self, method: str, url: str, status: int, text: str) -> str:
        """Why an answer is none of the contract; empty where it is one, or to a request that is none."""
        route = self.route(method, url)
        if route is None:
            return ""
        bodies = {one["status"]: one["body"] for one in route["answers"]}
        if status not in bodies:
            known = ", ".join(map(str, bodies))
            return "" if status in _BY_FRAMEWORK else f"{method or 'a route'} {url} answers {status}, not {known}"
        if not bodies[status]:
            return ""
        try:
            reason = misfit(json.loads(text), bodies[status])
        except ValueError:
            reason = "the body is no JSON"
        return (
            f"the answer {status} to {method or 'a request of'} {url} is not what the contract says: {reason}"
            if reason
            else ""
        )
