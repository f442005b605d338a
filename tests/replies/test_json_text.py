"""JSON is found wherever a model puts it, and what is not JSON is told apart by its reason."""

import pytest

from tdgen.errors import ReplyError
from tdgen.replies import find_json

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
