"""JSON is found wherever a model puts it, and what is not JSON is told apart by its reason.

Schemas are flat and closed, as strict endpoints want them.

A question gets one second chance, with reasons.
"""

from __future__ import annotations

import json
from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from tdgen.errors import BudgetSpent, ReplyError
from tdgen.protocols import Answer, Message, Request
from tdgen.replies import ask, ask_for, find_code, find_json, flat_schema, form_text

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
    """The longest value counts, an object or a list of objects."""
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
        pytest.param('[{"a":' * 100_000, "nested too deeply|cut short", id="endless list"),
        pytest.param("[" * 100_000, "holds no JSON object", id="endless brackets"),
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
        (Loose, "Loose: .*any value fits"),
        (Free, "Free: .*any key"),
        (Pair, "Pair: .*any value fits"),
        (Tree, "Tree: what holds itself"),
    ],
)
def test_what_no_flat_schema_can_say_is_refused(model, reason):
    """The program's author hears it before any endpoint does."""
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
        f'{{"name", "colour"?: "red" | "blue" | null, "main": {part}, "parts"?: [{part}, …], '
        f'"either"?: {part} | string}}'
    )


class Box(BaseModel):
    name: str
    sizes: tuple[int, ...] = ()


class Told:
    """A model that gives the answers it was told to give, and remembers what it was asked."""

    def __init__(self, *answers: str | Answer | Exception) -> None:
        self.answers = [Answer(text=answer) if isinstance(answer, str) else answer for answer in answers]
        self.asked: list[Request] = []

    def ask(self, request: Request) -> Answer:
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


QUESTION = Request(
    purpose="plan",
    subject="boxes",
    messages=(Message(role="system", content="Be kind."), Message(role="user", content="Plan a box.")),
    max_tokens=100,
)
GOOD = '{"name": "a", "sizes": [1, 2]}'


def test_a_good_answer_is_one_call():
    """The value comes back validated."""
    model = Told(GOOD)
    assert ask_for(model, QUESTION, Box) == Box(name="a", sizes=(1, 2))
    assert len(model.asked) == 1


def test_the_schema_goes_beside_the_request_and_its_form_into_the_last_message():
    """Servers that ignore a schema still show the model what is wanted."""
    model = Told(GOOD)
    ask_for(model, QUESTION, Box)
    asked = model.asked[0]
    assert asked.schema_name == "plan"
    assert asked.json_schema is not None
    assert asked.messages[0] == QUESTION.messages[0]
    assert asked.messages[1].content.startswith("Plan a box.\n\nAnswer with one JSON object")
    assert asked.messages[1].content.endswith(form_text(Box))


def test_a_bad_answer_is_told_why():
    """The second request shows the first answer and the reasons, and counts as the next attempt."""
    model = Told('{"name": 5, "sizes": [1, "x"]}', GOOD)
    assert ask_for(model, QUESTION, Box).name == "a"
    first, second = model.asked
    assert (second.attempt, second.json_schema) == (2, first.json_schema)
    assert second.messages[:2] == first.messages
    assert second.messages[2] == Message(role="assistant", content='{"name": 5, "sizes": [1, "x"]}')
    assert "- name: Input should be a valid string" in second.messages[3].content
    assert "- sizes[1]: Input should be a valid integer" in second.messages[3].content


def test_a_callers_check_counts_like_a_wrong_shape():
    """Well-formed is not yet right."""
    model = Told(GOOD, '{"name": "b"}')
    box = ask_for(model, QUESTION, Box, check=lambda box: ["a is taken", "try b"] if box.name == "a" else [])
    assert box.name == "b"
    assert "- a is taken\n- try b" in model.asked[1].messages[-1].content


def test_two_bad_answers_are_an_error_with_reasons():
    """One line says purpose, subject and the first reason; all reasons are kept."""
    with pytest.raises(ReplyError) as caught:
        ask_for(Told("no", '{"sizes": ["x"]}'), QUESTION, Box)
    assert str(caught.value) == ("the model gave no usable answer (plan for boxes): name: Field required (and 1 more)")
    assert len(caught.value.reasons) == 2


def test_there_is_no_third_chance():
    """Two calls at most."""
    model = Told("no", "no", GOOD)
    with pytest.raises(ReplyError):
        ask_for(model, QUESTION, Box)
    assert len(model.asked) == 2


def test_an_answer_cut_off_is_told_apart_and_gets_more_room():
    """It may even look whole: what was cut off is not believed."""
    model = Told(Answer(text=GOOD, finish_reason="length"), GOOD)
    ask_for(model, QUESTION, Box)
    assert "- the answer was cut off at 100 tokens" in model.asked[1].messages[-1].content
    assert model.asked[1].max_tokens == 200


@pytest.mark.parametrize("reason", ["refusal", "content_filter"])
def test_a_refusal_is_not_asked_again(reason):
    """It would only be paid for twice."""
    model = Told(Answer(text="I can't\nhelp with that", finish_reason=reason), GOOD)
    with pytest.raises(ReplyError, match="the model refused to answer: I can't help with that"):
        ask_for(model, QUESTION, Box)
    assert len(model.asked) == 1


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_answer_is_quoted_as_such(text):
    """Servers refuse a conversation with an empty turn."""
    model = Told(text, GOOD)
    ask_for(model, QUESTION, Box)
    assert model.asked[1].messages[2].content == "(an empty answer)"


def test_a_very_long_answer_is_quoted_in_part():
    """Repairing must not cost a book."""
    model = Told("x" * 100_000 + "END", GOOD)
    ask_for(model, QUESTION, Box)
    quoted = model.asked[1].messages[2].content
    assert len(quoted) < 25_000
    assert quoted.endswith("END")


def test_many_reasons_are_counted_not_listed():
    """A wrong answer of a thousand parts is told in twenty lines."""
    model = Told(json.dumps({"name": "a", "sizes": ["x"] * 500}), GOOD)
    ask_for(model, QUESTION, Box)
    assert model.asked[1].messages[-1].content.count("- sizes[") == 20
    assert "and 480 more of the kind" in model.asked[1].messages[-1].content


def test_a_spent_budget_passes_through():
    """Not every failure is the answer's."""
    with pytest.raises(BudgetSpent):
        ask_for(Told(BudgetSpent("no more")), QUESTION, Box)


def test_free_text_is_asked_for_the_same_way():
    """Any reader that says its reasons as ReplyError can be used."""
    model = Told("no code", "```python\ndef f(): ...\n```")
    assert ask(model, QUESTION, find_code) == "def f(): ...\n"
    assert "- the answer holds no fenced Python block" in model.asked[1].messages[-1].content
    assert model.asked[0] == QUESTION


def test_lone_surrogates_are_a_reason_not_a_crash():
    """JSON can escape what no file can hold."""
    model = Told('{"name": "\\ud800"}', GOOD)
    assert ask_for(model, QUESTION, Box).name == "a"
