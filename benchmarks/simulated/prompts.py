"""What a conversation asks for, told from its words alone: the stage, the code at hand, and the feedback on it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tdgen.prompts import unmarked

_SECTION = re.compile(r"^<(?P<tag>[a-z_]+)>\n(?P<text>.*?)\n?^</(?P=tag)>$", re.MULTILINE | re.DOTALL)
_TEST = re.compile(r"^- (?P<test>(?P<name>\w+): `.+)$", re.MULTILINE)
_FAILS = re.compile(r"^- (?P<name>\w+) fails:$", re.MULTILINE)
_NUMBERED = re.compile(r"⟦(?P<number>\d+)⟧")
_FENCE = re.compile(r"^```\w*[ \t]*\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)
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

    `stage` is the name of the JSON schema asked for; where free text is wanted it is `reading` for a second reading,
    which is shown the instruction and no contract, and else `code`. `code` is the code to mend and None where the
    question is for a fresh answer; `feedback` is what is said of it. `passages` are the numbers of those that the
    prompt numbers; no other text holds these numbers.
    """

    stage: str
    text: str
    code: str | None = None
    feedback: str = ""
    sections: Mapping[str, str] = {}
    schema: Any = None
    passages: tuple[int, ...] = ()


def read(body: Mapping[str, Any]) -> Asked:
    """What the body of a chat completion asks for."""
    told = [(str(m.get("role", "")), _content(m.get("content"))) for m in body.get("messages") or []]
    turns = [(role, unmarked(content)) for role, content in told]
    users = [content for role, content in turns if role == "user"]
    text = "\n\n".join(content for _, content in turns)
    if wanted := _schema(body):
        stage, schema = wanted
        marked = "\n\n".join(content for role, content in told if role == "user")
        passages = tuple(sorted({int(found["number"]) for found in _NUMBERED.finditer(marked)}))
        return Asked(stage, text, sections=_sections("\n\n".join(users)), schema=schema, passages=passages)
    sections = _sections("\n\n".join(users))
    if "functions" in sections and "contract" not in sections:
        return Asked("reading", text, sections=sections)
    return Asked("code", text, _code(sections), _with_tests(_feedback(users), sections), sections)


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


def _with_tests(feedback: str, sections: Mapping[str, str]) -> str:
    """The feedback with the line of a failing test in place of its name, where the prompt shows that test."""
    shown = "\n".join(sections.get(tag, "") for tag in ("users_examples", "some_of_the_tests"))
    lines = {found["name"]: found["test"] for found in _TEST.finditer(shown)}
    return _FAILS.sub(lambda found: f"- {lines.get(found['name'], found['name'])} fails:", feedback)


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
