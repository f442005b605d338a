"""What a conversation asks for, told from its words alone: the stage, the code at hand, and the feedback on it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

_SECTION = re.compile(r"^<(?P<tag>[a-z_]+)>\n(?P<text>.*?)\n?^</(?P=tag)>$", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^```(?:python|py)?[ \t]*\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)
_GIVEN = frozenset(
    [
        "instruction",
        "functions",
        "assumptions",
        "contract",
        "some_of_the_tests",
        "shared_types",
        "functions_it_calls",
        "users_examples",
    ]
)
_CODE = frozenset({"your_code", "code", "program", "best_so_far", "source"})


class Asked(NamedTuple):
    """What one question wants.

    `stage` is the name of the JSON schema asked for, `code` where free text is wanted; `code` is the code to mend and
    None where the question is for a fresh answer; `feedback` is what is said of it.
    """

    stage: str
    text: str
    code: str | None = None
    feedback: str = ""
    sections: Mapping[str, str] = {}
    schema: Any = None


def read(body: Mapping[str, Any]) -> Asked:
    """What the body of a chat completion asks for."""
    turns = [(str(m.get("role", "")), _content(m.get("content"))) for m in body.get("messages") or []]
    users = [content for role, content in turns if role == "user"]
    text = "\n\n".join(content for _, content in turns)
    if wanted := _schema(body):
        stage, schema = wanted
        return Asked(stage, text, sections=_sections("\n\n".join(users)), schema=schema)
    sections = _sections("\n\n".join(users))
    return Asked("code", text, _code(sections), _feedback(users), sections)


def _content(content: Any) -> str:
    """A message's text: a string, or parts with texts."""
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _schema(body: Mapping[str, Any]) -> tuple[str, Any] | None:
    wanted = body.get("response_format")
    if not isinstance(wanted, dict) or wanted.get("type") != "json_schema":
        return None
    inner = wanted.get("json_schema")
    inner = inner if isinstance(inner, dict) else {}
    return str(inner.get("name", "")), inner.get("schema")


def _sections(text: str) -> dict[str, str]:
    return {found["tag"]: found["text"] for found in _SECTION.finditer(text)}


def _code(sections: Mapping[str, str]) -> str | None:
    """The code at hand, empty where there is a place for it that is empty; None where none is spoken of."""
    for tag in sections:
        if tag in _CODE:
            fenced = _FENCE.search(sections[tag])
            return (fenced["text"] if fenced else sections[tag]).strip("\n") + "\n" * bool(sections[tag].strip())
    return None


def _feedback(users: Sequence[str]) -> str:
    """All that is said beside what a developer is given anyway, and beside the code."""

    def without(found: re.Match[str]) -> str:
        return "" if found["tag"] in _GIVEN | _CODE else found["text"]

    return "\n\n".join(_SECTION.sub(without, text) for text in users)


def minimal(schema: Any, root: Any = None) -> Any:
    """The least value that fits a JSON schema: for questions that the model does not know."""
    root = schema if root is None else root
    if not isinstance(schema, dict):
        return None
    if "$ref" in schema:
        node = root
        for part in str(schema["$ref"]).removeprefix("#/").split("/"):
            node = node.get(part, {}) if isinstance(node, dict) else {}
        return minimal(node, root)
    for name in ("const", "default"):
        if name in schema:
            return json.loads(json.dumps(schema[name]))
    if schema.get("enum"):
        return schema["enum"][0]
    options = [o for o in schema.get("anyOf") or [] if isinstance(o, dict)]
    if options:
        return None if any(o.get("type") == "null" for o in options) else minimal(options[0], root)
    if schema.get("type") == "object":
        return {name: minimal(inner, root) for name, inner in (schema.get("properties") or {}).items()}
    return {"array": [], "string": "", "integer": 0, "number": 0, "boolean": False}.get(str(schema.get("type")))
