"""What an unfinished run has paid for is replayed, and only that."""

import pytest

from tdgen.errors import ModelError
from tdgen.models import ResumingModel
from tdgen.protocols import Message
from tdgen.types import Usage


class Journal(dict):
    """Answers in memory."""

    def put(self, key: str, text: str) -> None:
        self[key] = text


def test_a_second_run_pays_nothing(question, told):
    """The same words come back, marked and without a cost."""
    journal = Journal()
    first = ResumingModel(told("the answer"), journal).ask(question())
    inner = told()
    second = ResumingModel(inner, journal).ask(question())
    assert second == first.model_copy(update={"replayed": True, "usage": Usage()})
    assert (first.replayed, inner.asked) == (False, [])


@pytest.mark.parametrize(
    "change",
    [
        {"subject": "g"},
        {"attempt": 2},
        {"sample": 1},
        {"max_tokens": 101},
        {"json_schema": {}},
        {"messages": (Message(role="user", content="Hello!"),)},
    ],
)
def test_another_question_is_asked_anew(change, question, told):
    """Every part of a request counts."""
    journal = Journal()
    ResumingModel(told("one"), journal).ask(question("implement", "f"))
    request = question("implement", "f").model_copy(update=change)
    assert ResumingModel(told("two"), journal).ask(request).text == "two"


def test_another_model_is_asked_anew(question, told):
    """Who answers is part of the answer."""
    journal = Journal()
    ResumingModel(told("one"), journal, identity="m1").ask(question())
    assert ResumingModel(told("two"), journal, identity="m2").ask(question()).text == "two"


def test_a_failure_is_not_kept(question, told):
    """The next run may have more luck."""
    journal = Journal()
    model = ResumingModel(told(ModelError("down"), "yes"), journal)
    with pytest.raises(ModelError):
        model.ask(question())
    assert model.ask(question()).text == "yes"


def test_an_unreadable_entry_is_asked_anew(question, told):
    """And replaced."""
    journal = Journal()
    ResumingModel(told("one"), journal).ask(question())
    for key in journal:
        journal[key] = "{"
    assert ResumingModel(told("two"), journal).ask(question()).text == "two"
    assert ResumingModel(told(), journal).ask(question()).text == "two"
