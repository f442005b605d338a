"""A call that outlasts the budget's time is cut at the limit, and what it cost by then is on the account."""

import threading
from collections.abc import Callable

import pytest
from werkzeug import Response

from tdgen.models import BudgetedModel, CutShort, Ledger, OpenAIModel
from tdgen.settings import Budget


@pytest.fixture
def given_up() -> threading.Event:
    """Whether a silent server spoke again before it was hung up on."""
    return threading.Event()


@pytest.fixture
def trickling(chat, given_up) -> Callable[..., Callable[[], Response]]:
    """An endpoint that says a word, and hangs up only when the test is over: in silence, or with signs of life."""

    def reply(*, alive: bool) -> Callable[[], Response]:
        def words():
            yield chat.events(chat.piece("x" * 40), done=False).data
            while not chat.over.wait(0.01 if alive else 20):
                yield b": still here\n\n"
                if not alive:
                    given_up.set()

        return lambda: Response(words(), content_type="text/event-stream")

    return reply


@pytest.fixture
def hurried(chat) -> Callable[[], OpenAIModel]:
    """A model with time enough to begin, a second from then on, and none when it has heard a word."""

    def make() -> OpenAIModel:
        heard, first = threading.Event(), iter([60.0])
        return chat.model(
            chat.settings(timeout=60.0),
            on_text=lambda request, characters: heard.set(),
            remaining=lambda: next(first, 0.0 if heard.is_set() else 1.0),
        )

    return make


@pytest.mark.parametrize("alive", [False, True], ids=["silence", "signs of life"])
def test_a_call_under_way_is_cut_at_the_limit(chat, hurried, question, trickling, given_up, alive):
    """Whether the server falls silent or keeps its reader busy: a time limit for reading would begin anew."""
    chat.will(trickling(alive=alive))
    ledger = Ledger(Budget())
    with pytest.raises(CutShort, match="the budget's time was spent while the model was answering"):
        BudgetedModel(hurried(), ledger).ask(question())
    assert not given_up.is_set()
    assert (ledger.usage().calls, ledger.usage().completion_tokens) == (1, 10)


@pytest.mark.parametrize("left", [None, 60.0])
def test_an_answer_in_time_is_left_alone(chat, question, left):
    """And no clock runs on."""
    chat.will(chat.said("whole"))
    assert chat.model(remaining=lambda: left).ask(question()).text == "whole"
    assert all(thread.finished.is_set() for thread in threading.enumerate() if isinstance(thread, threading.Timer))
