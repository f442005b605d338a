"""Schemas are flat and closed, as strict endpoints want them."""

from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from tdgen.replies import form_text, strict_schema


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
    "required": ["size", "kind"],
    "additionalProperties": False,
}


def test_a_schema_is_flat_closed_and_complete():
    """No $ref, no defaults, titles or bounds; every property required, nullable as anyOf, const as enum."""
    assert strict_schema(Whole) == {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "what it is called"},
            "colour": {"anyOf": [{"type": "string", "enum": ["red", "blue"]}, {"type": "null"}]},
            "main": {**PART, "description": "the first part"},
            "parts": {"type": "array", "items": PART},
            "either": {"anyOf": [PART, {"type": "string"}]},
        },
        "required": ["name", "colour", "main", "parts", "either"],
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
def test_what_no_strict_schema_can_say_is_refused(model, reason):
    """The program's author hears it, with the place, before any endpoint does."""
    with pytest.raises(ValueError, match=reason):
        strict_schema(model)


def test_a_schema_is_nobody_elses():
    """A caller that changes its copy changes nothing for the next."""
    strict_schema(Part)["properties"].clear()
    assert strict_schema(Part) == PART


def test_a_prompt_is_told_the_form():
    """By its keys and the kinds of their values, as one would write it down; what has a default may be left out."""
    part = '{"size"?: integer, "kind"?: "part"}'
    assert form_text(Whole) == (
        f'{{"name": string, "colour"?: "red" | "blue" | null, "main": {part}, "parts"?: [{part}, …], '
        f'"either"?: {part} | string}}'
    )
