"""Our own rate limits hold for all that share them."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tdgen.errors import BudgetSpent, ModelError
from tdgen.models import Throttle, ThrottledModel
from tdgen.protocols import Answer


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
