"""Whoever looks on is told that a model is asked, writes, and has answered."""

import pytest

from tdgen.errors import ModelError
from tdgen.events import ModelAnswered, ModelAsked, ModelWrote
from tdgen.models import AnnouncingModel, writing_announced
from tdgen.protocols import Answer
from tdgen.types import Usage


def test_asking_and_answering_are_events(question, told):
    """With what it cost, how long it took, and whether it was replayed."""
    seen = []
    times = iter([10.0, 12.5])
    usage = Usage(calls=1, prompt_tokens=3, completion_tokens=4)
    inner = told(Answer(text="x", usage=usage, replayed=True))
    AnnouncingModel(inner, seen.append, clock=lambda: next(times)).ask(question("repair", "f", attempt=3))
    assert seen == [
        ModelAsked(purpose="repair", subject="f", attempt=3),
        ModelAnswered(purpose="repair", subject="f", attempt=3, usage=usage, seconds=2.5, replayed=True),
    ]


def test_a_failure_has_no_answer(question, told):
    """The error itself tells it."""
    seen = []
    with pytest.raises(ModelError):
        AnnouncingModel(told(ModelError("down")), seen.append).ask(question())
    assert seen == [ModelAsked(purpose="plan", subject="", attempt=1)]


def test_writing_is_an_event(question):
    """The hook for streaming models says how much is there."""
    seen = []
    writing_announced(seen.append)(question("cases", "f"), 80)
    assert seen == [ModelWrote(purpose="cases", subject="f", characters=80)]
