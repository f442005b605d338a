"""A scripted model answers by what is asked, never by how the prompt is worded."""

import json
from pathlib import Path

import pytest

from tdgen.errors import InputError, ModelError
from tdgen.models.scripted import Script, ScriptedAnswer, ScriptedModel
from tdgen.types import Usage

SCRIPT = {
    "format": 1,
    "model": "somebody",
    "answers": [
        {"purpose": "plan", "text": "the plan"},
        {"purpose": "implement", "subject": "f", "attempt": 1, "text": "wrong", "finish_reason": "length"},
        {"purpose": "implement", "subject": "f", "attempt": 2, "text": "right"},
        {"purpose": "implement", "subject": "f", "attempt": 2, "sample": 1, "text": "right too"},
    ],
}


def test_an_answer_is_found_by_purpose_subject_attempt_and_sample(question):
    """Each part of the key counts; the messages don't."""
    model = ScriptedModel.from_dict(SCRIPT)
    assert model.ask(question()).text == "the plan"
    assert model.ask(question(messages=())).text == "the plan"
    assert model.ask(question("implement", "f")).finish_reason == "length"
    assert model.ask(question("implement", "f", attempt=2)).text == "right"
    assert model.ask(question("implement", "f", attempt=2, sample=1)).text == "right too"


def test_the_answer_says_whose_it_was(question):
    """The script's model is the answer's."""
    assert ScriptedModel.from_dict(SCRIPT).ask(question()).model == "somebody"


def test_usage_is_guessed_where_the_script_has_none(question):
    """One token for four characters, rounded up, in one call."""
    usage = ScriptedModel.from_dict(SCRIPT).ask(question()).usage
    assert usage == Usage(calls=1, prompt_tokens=2 + 2, completion_tokens=2)


def test_usage_of_the_script_is_kept(question):
    """What was recorded is what is said."""
    usage = {"calls": 1, "prompt_tokens": 100, "completion_tokens": 20, "seconds": 1.5}
    model = ScriptedModel.from_dict({"answers": [{"purpose": "plan", "text": "x", "usage": usage}]})
    assert model.ask(question()).usage == Usage(**usage)


def test_a_missing_answer_names_the_key_and_the_file(question, tmp_path: Path):
    """Whoever writes a script sees what to add, and where."""
    path = tmp_path / "demo.json"
    path.write_text(json.dumps(SCRIPT))
    model = ScriptedModel.load(path)
    with pytest.raises(ModelError, match=r"demo\.json has no answer for repair of f, attempt 3, sample 2: "):
        model.ask(question("repair", "f", attempt=3, sample=2))


def test_what_was_asked_is_kept(question):
    """In order, answered or not."""
    model = ScriptedModel.from_dict(SCRIPT)
    asked = (question(), question("trial", "f"))
    model.ask(asked[0])
    with pytest.raises(ModelError):
        model.ask(asked[1])
    assert model.asked == asked


def test_two_answers_to_one_question_are_refused():
    """Which of them was meant?"""
    with pytest.raises(InputError, match="the script answers plan, attempt 1 twice"):
        ScriptedModel.from_dict({"answers": [{"purpose": "plan", "text": "a"}, {"purpose": "plan", "text": "b"}]})


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "is no script of model answers"),
        (b'{"format": 2}', "is no script of model answers: format"),
        (b'{"answers": [{"purpose": "dance", "text": ""}]}', r"is no script of model answers: answers\.0\.purpose"),
        (b"\xff\xfe", "can't be read: it is not UTF-8 text"),
    ],
)
def test_a_file_that_is_no_script_is_one_line(content, reason, tmp_path: Path):
    """The line says where it is wrong."""
    (tmp_path / "script.json").write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        ScriptedModel.load(tmp_path / "script.json")
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path):
    """So is a folder in its place."""
    with pytest.raises(InputError, match="can't be read: No such file"):
        ScriptedModel.load(tmp_path / "none.json")
    with pytest.raises(InputError, match="can't be read: Is a directory"):
        ScriptedModel.load(tmp_path)


def test_a_saved_script_loads(question, tmp_path: Path):
    """Saving and loading are inverse."""
    script = Script(model="m", answers=(ScriptedAnswer(purpose="plan", text="ü\n"),))
    script.save(tmp_path / "s.json")
    assert ScriptedModel.load(tmp_path / "s.json").ask(question()).text == "ü\n"


def settled(text: str, **key) -> dict:
    """An answer to a question about single calls, each of which it numbers."""
    return {"purpose": "settle", "subject": "f", "variant": "survivors", "text": text, **key}


BY_ITEM = {
    "format": 1,
    "answers": [
        settled(
            '{"answers": [{"number": 1, "value": "10"}, {"number": 2, "value": "20"}]}', items={"1": "a", "2": "b"}
        ),
        settled('{"answers": [{"number": 1, "value": "30"}]}', items={"1": "c"}, ordinal=2),
        {
            "purpose": "trial",
            "subject": "f",
            "items": {"x": "X"},
            "text": '{"rulings": [{"case": "x", "verdict": "A"}]}',
        },
    ],
}


def about(question, items: dict[str, str], purpose="settle", **key):
    """A request that asks about these."""
    return question(purpose, "f", **key).model_copy(update={"items": items})


@pytest.mark.parametrize(
    ("items", "key", "values"),
    [
        ({"1": "c"}, {}, [(1, "30")]),
        ({"1": "c", "2": "a"}, {}, [(1, "30"), (2, "10")]),
        ({"1": "new", "2": "b"}, {"ordinal": 7}, [(2, "20")]),
    ],
)
def test_what_was_said_of_a_call_is_found_wherever_it_was_asked_about(items, key, values, question):
    """In another question, at another place, beside others; of what nobody spoke there is nothing."""
    request = about(question, items, variant="survivors", **key)
    told = json.loads(ScriptedModel.from_dict(BY_ITEM).ask(request).text)
    assert [(part["number"], part["value"]) for part in told["answers"]] == values


def test_what_was_said_of_other_calls_is_no_answer(question):
    """Though it stands under the same key; a case's name alone is not the case."""
    model = ScriptedModel.from_dict(BY_ITEM)
    for request in (
        about(question, {"1": "new"}, variant="survivors", ordinal=2),
        about(question, {"x": "Y"}, "trial"),
    ):
        with pytest.raises(ModelError, match="has no answer"):
            model.ask(request)
    assert "A" in model.ask(about(question, {"x": "X"}, "trial", ordinal=3)).text


def test_an_answer_that_says_nothing_of_its_items_is_found_by_its_key(question):
    """As in scripts that are written by hand."""
    model = ScriptedModel.from_dict({"format": 1, "answers": [settled("{}")]})
    assert model.ask(about(question, {"1": "a"}, variant="survivors")).text == "{}"


def test_an_answer_to_the_same_items_comes_before_one_that_says_nothing_of_its_own(question):
    """As where a later answer stands beside one to a question that has changed since."""
    later = settled("later", items={"1": "b"}, ordinal=2)
    model = ScriptedModel.from_dict({"format": 1, "answers": [settled("{}"), later]})
    assert model.ask(about(question, {"1": "b"}, variant="survivors")).text == "later"
