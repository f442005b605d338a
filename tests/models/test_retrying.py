"""What may pass is tried again, for a bounded time; what may not is not."""

import pytest

from tdgen.errors import BudgetSpent, ModelError
from tdgen.models import RetryingModel, TryAgain

BUSY = TryAgain("the endpoint is busy", "wait a while")


@pytest.fixture
def retrying():
    """Make a retrying model whose waits are listed in `waits`, not slept."""
    waits: list[float] = []

    def make(inner, retries=4, **more):
        model = RetryingModel(inner, retries, sleep=waits.append, chance=lambda: 0.0, **more)
        return model, waits

    return make


def test_an_answer_needs_no_second_try(question, told, retrying):
    """Nothing is waited for."""
    model, waits = retrying(told("yes"))
    assert (model.ask(question()).text, waits) == ("yes", [])


def test_what_may_pass_is_tried_again(question, told, retrying):
    """The waits double."""
    inner = told(BUSY, BUSY, BUSY, "yes")
    model, waits = retrying(inner)
    assert model.ask(question()).text == "yes"
    assert waits == [0.5, 1.0, 2.0]
    assert inner.asked == [question()] * 4


def test_tries_have_an_end(question, told, retrying):
    """The last failure is told, with the number of tries and what to do."""
    model, waits = retrying(told(*[BUSY] * 10), retries=2)
    with pytest.raises(ModelError, match=r"^the endpoint is busy \(3 tries\): wait a while$") as caught:
        model.ask(question())
    assert not isinstance(caught.value, TryAgain)
    assert len(waits) == 2


def test_no_retries_is_one_try(question, told, retrying):
    """Then the line has no count."""
    model, _ = retrying(told(BUSY, "yes"), retries=0)
    with pytest.raises(ModelError, match=r"^the endpoint is busy: wait a while$"):
        model.ask(question())


@pytest.mark.parametrize("error", [ModelError("wrong key"), BudgetSpent("no calls left")])
def test_what_does_not_pass_is_not_tried_again(error, question, told, retrying):
    """A wrong key stays wrong."""
    inner = told(error, "yes")
    model, _ = retrying(inner)
    with pytest.raises(type(error)):
        model.ask(question())
    assert len(inner.asked) == 1


@pytest.mark.parametrize(("asked", "waited"), [(7.0, 7.0), (0.0, 0.0), (3600.0, 60.0), (-5.0, 0.0)])
def test_the_endpoints_own_word_counts(asked, waited, question, told, retrying):
    """Up to a minute."""
    model, waits = retrying(told(TryAgain("busy", "wait", retry_after=asked), "yes"))
    model.ask(question())
    assert waits == [waited]


def test_waits_are_bounded(question, told, retrying):
    """However many tries."""
    model, waits = retrying(told(*[BUSY] * 12), retries=12)
    model.ask(question())
    assert max(waits) == 20.0


def test_chance_spreads_the_waits(question, told):
    """So that parallel callers don't come back at once; by a quarter at the most."""
    waits: list[float] = []
    RetryingModel(told(BUSY), 1, sleep=waits.append, chance=lambda: 1.0).ask(question())
    assert waits == [0.625]


def test_no_wait_outlasts_the_time_that_is_left(question, told, retrying):
    """Better to hear it now than to wait for nothing."""
    model, waits = retrying(told(TryAgain("busy", "wait", retry_after=30.0), "yes"), remaining=lambda: 20.0)
    with pytest.raises(ModelError, match=r"^busy: wait$"):
        model.ask(question())
    assert waits == []


def test_people_are_told_of_a_wait(question, told, retrying):
    """A terminal that stands still says why."""
    notes: list[str] = []
    model, _ = retrying(told(BUSY, "yes"), note=notes.append)
    model.ask(question())
    assert notes == ["the endpoint is busy; trying again in 0.5 s"]
