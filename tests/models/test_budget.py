"""A budget holds, however many ask at once, and says in one line which limit to raise."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tdgen.errors import BudgetSpent, ModelError
from tdgen.models import BudgetedModel, Ledger, TryAgain
from tdgen.models.tokens import most_prompt_tokens
from tdgen.protocols import Answer, Request
from tdgen.settings import Budget
from tdgen.types import Spent, Usage


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def unlimited(**limits) -> Budget:
    return Budget(**{"calls": None, "tokens": None, "money": None, "seconds": None} | limits)


def test_calls_are_counted(question, told):
    """The call after the last is refused, with the way out."""
    model = BudgetedModel(told(), Ledger(unlimited(calls=2)))
    model.ask(question())
    model.ask(question())
    with pytest.raises(BudgetSpent, match=r"^the budget of 2 model calls is spent: raise --budget calls=N$"):
        model.ask(question())


def test_a_budget_of_nothing_asks_nobody(question, told):
    """Zero is a limit like another."""
    inner = told()
    with pytest.raises(BudgetSpent, match="0 model calls"):
        BudgetedModel(inner, Ledger(unlimited(calls=0))).ask(question())
    assert inner.asked == []


def test_usage_is_kept_by_purpose_and_subject(question, told):
    """And in all."""
    ledger = Ledger(unlimited())
    model = BudgetedModel(told(), ledger)
    for request in (question(), question("implement", "f"), question("implement", "f", attempt=2)):
        model.ask(request)
    one = Usage(calls=1, prompt_tokens=10, completion_tokens=5)
    assert ledger.spent() == (
        Spent(purpose="plan", usage=one),
        Spent(purpose="implement", function="f", usage=one + one),
    )
    assert ledger.usage() == one + one + one


def test_usage_that_nobody_counted_is_guessed(question, told):
    """An answer without figures still costs."""
    ledger = Ledger(unlimited())
    BudgetedModel(told(Answer(text="x" * 40)), ledger).ask(question())
    assert ledger.usage() == Usage(calls=1, prompt_tokens=4, completion_tokens=10)


def test_the_worst_case_is_reserved_first(question):
    """The prompt at its most and all the room of the answer, whatever it will turn out to be."""
    request = question(max_tokens=1000)
    assert Ledger(unlimited()).reserve(request).tokens == most_prompt_tokens(request) + 1000


def test_an_answers_room_shrinks_to_what_is_left(question, told):
    """A shorter answer is better than none."""
    request = question(max_tokens=8000)
    inner = told()
    BudgetedModel(inner, Ledger(unlimited(tokens=1000))).ask(request)
    assert inner.asked[0].max_tokens == 1000 - most_prompt_tokens(request)


def test_too_little_room_is_a_spent_budget(question, told):
    """Nothing useful fits in 255 tokens."""
    tokens = most_prompt_tokens(question()) + 255
    with pytest.raises(BudgetSpent, match=rf"^the budget of {tokens} tokens is spent: raise --budget tokens=N$"):
        BudgetedModel(told(), Ledger(unlimited(tokens=tokens))).ask(question(max_tokens=8000))


def test_settling_gives_back_what_was_not_used(question, told):
    """Ten calls of a large worst case fit where each turns out to be small."""
    request = question(max_tokens=900)
    model = BudgetedModel(told(), Ledger(unlimited(tokens=1100)))
    for _ in range(10):
        model.ask(request)


def test_a_failed_call_costs_nothing(question, told):
    """Nobody answered, nobody is paid."""
    ledger = Ledger(unlimited(calls=1))
    model = BudgetedModel(told(ModelError("down")), ledger)
    with pytest.raises(ModelError):
        model.ask(question())
    assert ledger.usage() == Usage()
    assert model.ask(question()).text == "hello"


def test_an_answer_lost_on_the_way_is_paid(question, told):
    """A stream that broke off had cost what it had said."""
    lost = Usage(calls=1, prompt_tokens=10, completion_tokens=400)
    ledger = Ledger(unlimited())
    with pytest.raises(TryAgain):
        BudgetedModel(told(TryAgain("broke off", "try again", lost=lost)), ledger).ask(question())
    assert ledger.usage() == lost


def test_seconds_in_which_the_user_is_asked_do_not_count():
    """Neither while a question is open nor afterwards; of two that are open at once, until both are answered."""
    clock = Clock()
    ledger = Ledger(unlimited(seconds=60), clock)
    clock.now += 10
    with ledger.paused():
        clock.now += 1_000
        with ledger.paused():
            clock.now += 1_000
        clock.now += 1_000
        assert ledger.remaining_seconds() == 50
    clock.now += 20
    assert ledger.remaining_seconds() == 30


def test_time_is_a_limit(question, told):
    """It runs from the ledger's making."""
    clock = Clock()
    ledger = Ledger(unlimited(seconds=60), clock)
    model = BudgetedModel(told(), ledger)
    clock.now += 45
    model.ask(question())
    assert ledger.remaining_seconds() == 15
    clock.now += 20
    assert ledger.remaining_seconds() == 0
    with pytest.raises(BudgetSpent, match=r"^the budget of 60 seconds is spent: raise --budget seconds=N$"):
        model.ask(question())


def test_no_limit_is_no_limit():
    """None has no end."""
    ledger = Ledger(unlimited())
    ledger.check_time()
    assert ledger.remaining_seconds() is None


class Overlapping:
    """Answers only when all of `together` are asking at once, so that reservations really overlap."""

    def __init__(self, together: int) -> None:
        self.barrier = threading.Barrier(together)

    def ask(self, request: Request) -> Answer:
        self.barrier.wait(10)
        return Answer(text="", usage=Usage(calls=1, prompt_tokens=1, completion_tokens=request.max_tokens))


def outcomes(model: BudgetedModel, request: Request, callers: int) -> list[str]:
    def ask(_: int) -> str:
        try:
            model.ask(request)
        except BudgetSpent as error:
            return str(error)
        return "answered"

    with ThreadPoolExecutor(callers) as pool:
        return list(pool.map(ask, range(callers)))


def test_parallel_callers_share_the_calls(question):
    """Of eight that ask while four calls are under way, four are refused."""
    ledger = Ledger(unlimited(calls=4))
    said = outcomes(BudgetedModel(Overlapping(4), ledger), question(), 8)
    assert said.count("answered") == 4
    assert ledger.usage().calls == 4


def test_parallel_callers_never_exceed_the_tokens(question, told):
    """Answers that use all their room stay within the limit together; some get less room, some none."""
    ledger = Ledger(unlimited(tokens=5000))
    said = outcomes(BudgetedModel(Overlapping(1), ledger), question(max_tokens=900), 16)
    assert 0 < said.count("answered") < 16
    assert 4000 < ledger.usage().tokens <= 5000


def test_whoever_does_not_fit_waits_for_the_others(question, told):
    """Two worst cases don't fit at once, two answers do: the second waits for the first to settle."""
    request = question(max_tokens=900)
    ledger = Ledger(unlimited(tokens=1100))
    first = ledger.reserve(request)
    with ThreadPoolExecutor(1) as pool:
        second = pool.submit(ledger.reserve, request)
        ledger.settle(first, Usage(calls=1, prompt_tokens=10, completion_tokens=5))
        assert second.result(10).request.max_tokens == 900
