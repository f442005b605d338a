"""What may pass is tried again, for a bounded time; what may not is not.

A call that outlasts the budget's time is cut at the limit, and what it cost by then is on the account.

Our own rate limits hold for all that share them.

What is owed stays owed, and the rest is divided by weight.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from werkzeug import Response

from tdgen.endpoint.openai import OpenAIModel
from tdgen.errors import BudgetSpent, ModelError
from tdgen.models import BudgetedModel, CutShort, Ledger, RetryingModel, Throttle, ThrottledModel, TryAgain
from tdgen.models.retrying import Quotas, divided
from tdgen.protocols import Answer
from tdgen.settings import Budget

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


class Time:
    """A clock that stands still until somebody sleeps; the sleeps are listed."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.sleeps: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        self.now += seconds


def test_requests_a_minute_are_limited(question, told):
    """The third waits until the first is a minute old; a while later there is a turn again."""
    time = Time()
    model = ThrottledModel(told(), Throttle(rpm=2, clock=lambda: time.now, sleep=time.sleep))
    for _ in range(3):
        model.ask(question())
    time.now += 50
    model.ask(question())
    assert time.sleeps == [60.0]


def test_the_minute_slides(question, told):
    """What began more than a minute ago no longer counts."""
    time = Time()
    model = ThrottledModel(told(), Throttle(rpm=2, clock=lambda: time.now, sleep=time.sleep))
    for pause in (0, 40, 30, 10):
        time.now += pause
        model.ask(question())
    assert time.sleeps == [20.0]


def test_callers_that_come_together_get_turns_of_their_own(question, told):
    """Turns are booked: five at once at two a minute wait 0, 0, 60, 60 and 120 seconds."""
    sleeps: list[float] = []
    throttle = Throttle(rpm=2, clock=lambda: 0.0, sleep=sleeps.append)
    with ThreadPoolExecutor(5) as pool:
        list(pool.map(ThrottledModel(told(), throttle).ask, [question()] * 5))
    assert sorted(sleeps) == [60.0, 60.0, 120.0]


class Crowd:
    """Counts how many are asking at once; each stays until another has come, or nobody can."""

    def __init__(self) -> None:
        self.inside = self.most = 0
        self.changed = threading.Condition()

    def ask(self, request) -> Answer:
        with self.changed:
            self.inside += 1
            self.most = max(self.most, self.inside)
            self.changed.notify_all()
            self.changed.wait_for(lambda: self.inside > 1, timeout=0.05)
            self.inside -= 1
        return Answer(text="")


@pytest.mark.parametrize("places", [1, 2])
def test_as_many_at_once_as_there_are_places(places, question):
    """The others wait."""
    crowd = Crowd()
    throttle = Throttle(concurrency=places)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(ThrottledModel(crowd, throttle).ask, [question()] * 4))
    assert crowd.most == places


def test_a_failure_gives_its_place_back(question, told):
    """Otherwise the next would wait for ever."""
    model = ThrottledModel(told(ModelError("down"), "yes"), Throttle(concurrency=1))
    with pytest.raises(ModelError):
        model.ask(question())
    assert model.ask(question()).text == "yes"


def test_without_limits_nobody_waits(question, told):
    """No sleep, no places."""
    time = Time()
    model = ThrottledModel(told(), Throttle(clock=lambda: time.now, sleep=time.sleep))
    for _ in range(100):
        model.ask(question())
    assert time.sleeps == []


def test_turns_that_are_booked_among_all_hosts(question, told):
    """The store says how long to wait; where it can't be asked, the turns of this process hold."""
    sleeps: list[float] = []
    answers = iter([0.0, 30.0, None, -1.0])
    throttle = Throttle(rpm=1, clock=lambda: 0.0, sleep=sleeps.append, book=lambda left: next(answers))
    model = ThrottledModel(told(), throttle)
    for _ in range(3):
        model.ask(question())
    assert sleeps == [30.0]
    with pytest.raises(BudgetSpent, match="before the next turn"):
        model.ask(question())


def test_no_turn_is_waited_for_that_comes_too_late(question, told):
    """The budget's time would be slept away."""
    time = Time()
    throttle = Throttle(rpm=1, remaining=lambda: 30.0, clock=lambda: time.now, sleep=time.sleep)
    model = ThrottledModel(told(), throttle)
    model.ask(question())
    with pytest.raises(BudgetSpent, match="ends before the next turn"):
        model.ask(question())
    assert time.sleeps == []


def test_no_place_is_waited_for_longer_than_there_is_time(question, told):
    """Others may hold it for ever."""
    throttle = Throttle(concurrency=1, remaining=lambda: 0.01)
    with throttle, pytest.raises(BudgetSpent, match="while others were asking"):
        ThrottledModel(told(), throttle).ask(question())


@pytest.mark.parametrize(
    ("whole", "weights", "parts"),
    [
        (12, {"a": 1, "b": 2, "c": 3}, {"a": 2, "b": 4, "c": 6}),
        (5, {"a": 1, "b": 1, "c": 1}, {"a": 2, "b": 2, "c": 1}),
        (1, {"a": 1, "b": 3}, {"a": 0, "b": 1}),
        (0, {"a": 1}, {"a": 0}),
        (7, {}, {}),
    ],
)
def test_a_whole_is_divided_into_wholes(whole, weights, parts):
    """The largest claims get what is left over; of equal ones the first."""
    assert divided(whole, weights) == parts


@pytest.fixture
def shares():
    """Three functions, ten calls left: three are owed to code, one to cases, six divided 1 : 2 : 3."""
    shares = Quotas()
    shares.plan({"simple": 1, "medium": 2, "complex": 3}, ["simple"], 10)
    return shares


def test_what_is_owed(shares):
    """A first implementation each, and cases where they are missing."""
    assert shares.owed == 4
    assert shares.debt("implement", "simple") == ("implement", "simple")
    assert shares.debt("cases", "medium") is None


@pytest.mark.parametrize(("name", "part"), [("simple", 1), ("medium", 2), ("complex", 3)])
def test_each_has_its_own_part(shares, name, part):
    """By its complexity, beyond what is owed."""
    assert shares.spare(name, 10) == part


def test_a_first_call_pays_a_debt_and_the_next_does_not(shares):
    """It takes from the function's own part then."""
    assert shares.begin("implement", "complex") == ("implement", "complex")
    assert shares.spare("complex", 9) == 3
    assert shares.begin("repair", "complex") is None
    assert shares.spare("complex", 8) == 2
    assert shares.spare("simple", 8) == 1


def test_a_repair_of_kept_code_needs_no_first_implementation(shares):
    """What is repaired has code already."""
    assert shares.begin("repair", "medium") == ("implement", "medium")


def test_a_call_that_failed_is_owed_again(shares):
    """What it cost all the same is taken from the function's own part."""
    debt = shares.begin("implement", "complex")
    shares.fail("complex", debt, calls=1)
    assert shares.debt("implement", "complex") is not None
    assert shares.spare("complex", 9) == 2


def test_a_failed_call_that_cost_nothing_leaves_everything_as_it_was(shares):
    """Whether it was owed or not."""
    shares.fail("complex", shares.begin("implement", "complex"), calls=0)
    shares.begin("implement", "complex")
    shares.fail("complex", shares.begin("repair", "complex"), calls=0)
    assert shares.spare("complex", 9) == 3


def test_an_answer_that_was_there_pays(shares):
    """Without a call."""
    shares.pay("implement", "complex")
    assert shares.owed == 3
    assert shares.spare("complex", 10) == 4


def test_what_an_ended_function_leaves_is_for_the_others(shares):
    """Its part and what it was owed."""
    shares.end("complex")
    assert shares.owed == 3
    assert shares.spare("medium", 10) == 6
    shares.end("simple")
    assert shares.spare("medium", 10) == 9


def test_whoever_takes_more_than_its_part_takes_from_those_that_come(shares):
    """Others' own parts are kept from them as long as there is something."""
    for _ in range(4):
        shares.begin("repair", "complex")
    assert shares.spare("complex", 6) == 0
    assert shares.spare("simple", 6) == 1


def test_helpers_are_taken_in(shares):
    """They are owed their own code and cases, and what is left is divided anew."""
    shares.end("simple")
    shares.plan({"helper": 1}, ["helper"], 10)
    assert shares.owed == 4
    assert [shares.spare(name, 10) for name in ("helper", "medium", "complex")] == [1, 2, 3]


def test_a_function_that_was_never_planned_has_what_nobody_else_needs(shares):
    """Nothing of the others' parts."""
    assert shares.spare("stranger", 10) == 0
    assert shares.spare("stranger", 12) == 2


def test_without_a_limit_only_debts_are_kept():
    """There is nothing to divide."""
    shares = Quotas()
    shares.plan({"f": 1}, ["f"], None)
    assert shares.owed == 2
    assert shares.spare("f", 5) == 3
