"""JSON is found wherever a model puts it, and what is not JSON is told apart by its reason.

Schemas are flat and closed, as strict endpoints want them.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from tdgen.errors import ReplyError
from tdgen.replies import find_json, flat_schema, form_text

PLAN = {"name": "plan", "items": [{"a": 1}, {"b": "}{"}]}
TEXT = '{"name": "plan", "items": [{"a": 1}, {"b": "}{"}]}'


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"\ufeff  {TEXT}\n",
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}\n```",
        f"Here it is:\n\n```JSON\n{TEXT}\n```\nI hope {{this}} helps!",
        f"  1. so:\n   ```json\n   {TEXT}\n   ```",
        f"```json\n```json\n{TEXT}\n```\n```",
        f"```json\n{TEXT}",
        f"```json {TEXT} ```",
        f"~~~json\n{TEXT}\n~~~",
        f"The set {{x, y}} gives [1] this: {TEXT}. Use {{ with care.",
        f"An unclosed {{ first, then {TEXT}",
        f'{{"draft": 1}} no, rather {TEXT}',
        f'<think>maybe {{"a": 1}}</think>\n{TEXT}',
        f'maybe {{"a": 1}} or not</think>\n{TEXT}',
        f"maybe\n</think>{TEXT}",
        f"<thinking>one</thinking> <think>two</think> {TEXT}",
    ],
)
def test_json_is_found(text):
    """Alone, with a byte order mark, fenced, fenced twice, unclosed, in prose, after thoughts: the value is found."""
    assert find_json(text) == PLAN


def test_a_list_may_be_the_answer():
    """The longest value counts, whether object or list."""
    assert find_json('Sure: [{"a": 1}, {"a": 2}]') == [{"a": 1}, {"a": 2}]


def test_tags_inside_strings_stay():
    """What looks like a thought inside a JSON string is part of it."""
    assert find_json('{"a": "</think> <think>x"}') == {"a": "</think> <think>x"}


@pytest.mark.parametrize("text", ["", "  \n", "\ufeff"])
def test_an_empty_answer_is_told(text):
    """Nothing was said."""
    with pytest.raises(ReplyError, match=r"the answer is empty|holds only thoughts"):
        find_json(text)


def test_a_lone_thought_is_told():
    """Thinking that used up all the room leaves no answer."""
    with pytest.raises(ReplyError, match="holds only thoughts"):
        find_json('<think>I would say {"a": 1}, but')


@pytest.mark.parametrize(
    "text",
    [
        '{"functions": [{"name": "f"}, {"name": "g"}',
        '```json\n{"functions": [{"name": "f"}, {"na',
        'Here: {"functions": [{"name": "f"}], "summary": "half a sen',
        '{"a": "x}',
        "{",
    ],
)
def test_an_answer_cut_short_is_not_its_inner_part(text):
    """A whole object inside one that was cut off is never taken for the answer."""
    with pytest.raises(ReplyError, match=r"cut short: its JSON ends unfinished at line \d+ column \d+"):
        find_json(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": 1,}', "not JSON: .* at line 1 column"),
        ('{"a": [1,\n 2] "b": 3}', r"expecting ',' delimiter at line 2 column 5 of it, near .*\"b\": 3"),
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": "two\nlines"}', "invalid control character at line 1 column 11"),
        ("I'd rather not.", "holds no JSON object"),
        ("def f(): return {1}", "holds no JSON object"),
        ('{"a": "\\ud800"}', "half a surrogate pair"),
        pytest.param("[" * 100_000, "nested too deeply|cut short", id="endless list"),
        pytest.param("{" * 30_000, "holds no JSON object", id="endless brackets"),
    ],
)
def test_what_is_not_json_is_told_with_its_place(text, reason):
    """JSON is never mended: the reason names line and column and shows what stands there."""
    with pytest.raises(ReplyError, match=reason):
        find_json(text)


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Part(BaseModel):
    """A part."""

    size: int = Field(default=3, ge=0, le=9, title="The size")
    kind: Literal["part"] = "part"


class Whole(BaseModel):
    name: str = Field(pattern="^a", description="what it is called")
    colour: Colour | None = None
    main: Part = Field(description="the first part")
    parts: tuple[Part, ...] = ()
    either: Part | str = ""


class Tree(BaseModel):
    children: list[Tree] = []


class Loose(BaseModel):
    inner: Any = None


class Free(BaseModel):
    counts: dict[str, int] = {}


class Pair(BaseModel):
    pair: tuple[int, str]


PART = {
    "type": "object",
    "description": "A part.",
    "properties": {"size": {"type": "integer"}, "kind": {"type": "string", "enum": ["part"]}},
    "required": [],
    "additionalProperties": False,
}


def test_a_schema_is_flat_and_closed():
    """No $ref, no defaults, titles or bounds; required is what has no default, nullable is anyOf, const enum."""
    assert flat_schema(Whole) == {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "what it is called"},
            "colour": {"anyOf": [{"type": "string", "enum": ["red", "blue"]}, {"type": "null"}]},
            "main": {**PART, "description": "the first part"},
            "parts": {"type": "array", "items": PART},
            "either": {"anyOf": [PART, {"type": "string"}]},
        },
        "required": ["name", "main"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (Loose, "Loose.inner: a value of any type"),
        (Free, "Free.counts: a dict with free keys"),
        (Pair, "Pair.pair: an array"),
        (Tree, "Tree.children.*: Tree holds itself"),
    ],
)
def test_what_no_flat_schema_can_say_is_refused(model, reason):
    """The program's author hears it, with the place, before any endpoint does."""
    with pytest.raises(ValueError, match=reason):
        flat_schema(model)


def test_a_schema_is_nobody_elses():
    """A caller that changes its copy changes nothing for the next."""
    flat_schema(Part)["properties"].clear()
    assert flat_schema(Part) == PART


def test_a_prompt_is_told_the_form():
    """By its keys and the kinds of their values, as one would write it down; what has a default may be left out."""
    part = '{"size"?: integer, "kind"?: "part"}'
    assert form_text(Whole) == (
        f'{{"name": string, "colour"?: "red" | "blue" | null, "main": {part}, "parts"?: [{part}, …], '
        f'"either"?: {part} | string}}'
    )
