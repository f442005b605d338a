"""The whole stack of wrappers, put together as the package says, against an endpoint that misbehaves."""

import pytest

from tdgen.errors import BudgetSpent, ModelError
from tdgen.models import (
    AnnouncingModel,
    BudgetedModel,
    Ledger,
    ResumingModel,
    RetryingModel,
    Throttle,
    ThrottledModel,
    TranscribedModel,
    writing_announced,
)
from tdgen.models.scripted import ScriptedModel, script_from
from tdgen.settings import Budget


class Journal(dict):
    """Answers in memory."""

    def put(self, key: str, text: str) -> None:
        self[key] = text


@pytest.fixture
def stack(chat, tmp_path):
    """Put a stack together; gives it with its ledger, the events it emits and the seconds it slept."""

    def make(budget: Budget, journal: Journal | None = None):
        ledger, events, sleeps = Ledger(budget), [], []
        live = chat.model(on_text=writing_announced(events.append), remaining=ledger.remaining_seconds)
        budgeted = BudgetedModel(ThrottledModel(live, Throttle(concurrency=2)), ledger)
        patient = RetryingModel(budgeted, 4, remaining=ledger.remaining_seconds, sleep=sleeps.append)
        kept = ResumingModel(patient, journal if journal is not None else Journal())
        written = TranscribedModel(kept, tmp_path / "transcript", [chat.key])
        return AnnouncingModel(written, events.append), ledger, events, sleeps

    return make


def test_an_answer_after_trouble(stack, chat, question):
    """A busy server, a cut stream, an unknown form: then an answer, and every cost on the ledger."""
    chat.will(
        chat.refused(429, headers={"Retry-After": "3"}),
        chat.events(chat.piece("x" * 40)),
        chat.refused(400, "response_format is not supported"),
        chat.said("{}"),
    )
    model, ledger, events, sleeps = stack(Budget(calls=2))
    assert model.ask(question(json_schema={"type": "object"})).text == "{}"
    assert [event.kind for event in events] == ["model_asked", "model_wrote", "model_wrote", "model_answered"]
    assert sleeps[0] == 3.0
    assert (len(sleeps), ledger.usage().calls, ledger.usage().completion_tokens) == (2, 2, 10 + 3)


def test_a_server_that_stays_busy_ends_in_one_line(stack, chat, question):
    """After all tries, at no cost."""
    chat.will(chat.refused(429))
    model, ledger, _, sleeps = stack(Budget())
    with pytest.raises(ModelError, match=r"asks for fewer requests \(429\) \(5 tries\): lower --rpm or --concurrency"):
        model.ask(question())
    assert (len(chat.bodies), len(sleeps), ledger.usage().calls) == (5, 4, 0)


def test_streams_that_break_for_ever_can_not_outspend_the_budget(stack, chat, question):
    """Each lost try is a call."""
    chat.will(chat.events(chat.piece("x")))
    model, ledger, _, _ = stack(Budget(calls=3))
    with pytest.raises(BudgetSpent, match="3 model calls"):
        model.ask(question())
    assert (len(chat.bodies), ledger.usage().calls) == (3, 3)


def test_a_second_run_replays_and_its_transcript_plays_again(stack, chat, question, tmp_path):
    """The endpoint is asked once; the files hold the answer and not the key."""
    chat.will(chat.said("once ", chat.key))
    journal = Journal()
    first, *_ = stack(Budget(), journal)
    second, ledger, *_ = stack(Budget(), journal)
    assert first.ask(question()).text == second.ask(question()).text
    assert (len(chat.bodies), ledger.usage().calls) == (1, 0)
    assert ScriptedModel(script_from(tmp_path / "transcript")).ask(question()).text == "once [redacted]"
