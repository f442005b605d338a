"""Schemas are flat and closed, as strict endpoints want them."""

from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from tdgen.replies import flat_schema, form_text


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
    children: list["Tree"] = []


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
