import logging

import pytest

from solution import call_again


class World:
    """A clock, a sleep and a function that plays a list of outcomes."""

    def __init__(self, *outcomes, cost=0, start=0):
        self.outcomes = list(outcomes)
        self.cost = cost
        self.now = start
        self.slept = []
        self.calls = 0

    def clock(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds

    def func(self):
        self.calls += 1
        self.now += self.cost
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def run(self, waits, **kwargs):
        return call_again(self.func, waits, self.sleep, self.clock, **kwargs)


class Busy(OSError):
    def __init__(self, message, retry_after):
        super().__init__(message)
        self.retry_after = retry_after


@pytest.fixture
def log(caplog):
    caplog.set_level(logging.DEBUG, logger="callagain")

    def records():
        return [(r.levelname, r.getMessage()) for r in caplog.records if r.name == "callagain"]

    return records


def test_example(log):
    world = World(OSError("down"), OSError("down"), 5)
    assert world.run([1, 2]) == 5
    assert world.slept == [1, 2]
    assert log() == [
        ("WARNING", "attempt 1 failed: down"),
        ("WARNING", "attempt 2 failed: down"),
        ("INFO", "attempt 3 succeeded"),
    ]


def test_success_at_once(log):
    world = World("ok")
    assert world.run([1, 2]) == "ok"
    assert world.slept == []
    assert log() == [("INFO", "attempt 1 succeeded")]


def test_none_is_a_value(log):
    world = World(None, 3)
    assert world.run([1]) is None
    assert world.calls == 1


def test_waits_used_up_raises_last_exception(log):
    last = OSError("third")
    world = World(OSError("first"), OSError("second"), last)
    with pytest.raises(OSError) as caught:
        world.run([1, 2])
    assert caught.value is last
    assert world.slept == [1, 2]
    assert log() == [
        ("WARNING", "attempt 1 failed: first"),
        ("WARNING", "attempt 2 failed: second"),
        ("ERROR", "gave up after attempt 3: third"),
    ]


def test_no_waits_is_one_attempt(log):
    world = World(OSError("down"), 1)
    with pytest.raises(OSError):
        world.run([])
    assert world.calls == 1
    assert log() == [("ERROR", "gave up after attempt 1: down")]


def test_negative_wait_before_any_call(log):
    world = World(1)
    with pytest.raises(ValueError):
        world.run([1, -1])
    assert world.calls == 0
    assert log() == []


def test_other_exception_is_not_repeated(log):
    error = KeyError("x")
    world = World(error, 1)
    with pytest.raises(KeyError) as caught:
        world.run([1, 2])
    assert caught.value is error
    assert world.slept == []
    assert log() == [("ERROR", "gave up after attempt 1: 'x'")]


def test_subclass_is_repeated():
    world = World(ConnectionError("reset"), 1)
    assert world.run([3]) == 1
    assert world.slept == [3]


def test_retry_on_given():
    world = World(KeyError("x"), ValueError("y"), 1)
    assert world.run([1, 1], retry_on=(KeyError, ValueError)) == 1
    world = World(OSError("down"), 1)
    with pytest.raises(OSError):
        world.run([1], retry_on=(KeyError,))
    assert world.calls == 1


def test_never_goes_first(log):
    world = World(OSError("down"), FileNotFoundError("gone"), 1)
    with pytest.raises(FileNotFoundError):
        world.run([1, 1, 1], never=(FileNotFoundError,))
    assert world.slept == [1]
    assert log() == [
        ("WARNING", "attempt 1 failed: down"),
        ("ERROR", "gave up after attempt 2: gone"),
    ]


def test_retry_after_larger_and_smaller():
    world = World(Busy("busy", 10), Busy("busy", 1), Busy("busy", None), 7)
    assert world.run([2, 2, 2]) == 7
    assert world.slept == [10, 2, 2]


def test_retry_after_adds_no_attempt():
    world = World(Busy("busy", 1), Busy("busy", 1), 7)
    with pytest.raises(Busy):
        world.run([1])
    assert world.calls == 2


def test_retry_after_instead_of_zero():
    world = World(Busy("busy", 4), 7)
    assert world.run([0]) == 7
    assert world.slept == [4]


def test_wait_of_zero_does_not_sleep(log):
    world = World(OSError("a"), OSError("b"), 1)
    assert world.run([0, 5]) == 1
    assert world.slept == [5]
    assert [level for level, _ in log()] == ["WARNING", "WARNING", "INFO"]


def test_exactly_deadline_is_allowed():
    world = World(OSError("a"), OSError("b"), 1, start=100)
    assert world.run([4, 6], deadline=10) == 1
    assert world.slept == [4, 6]


def test_more_than_deadline_gives_up(log):
    last = OSError("b")
    world = World(OSError("a"), last, 1, start=100)
    with pytest.raises(OSError) as caught:
        world.run([4, 7], deadline=10)
    assert caught.value is last
    assert world.slept == [4]
    assert log() == [
        ("WARNING", "attempt 1 failed: a"),
        ("ERROR", "gave up after attempt 2: b"),
    ]


def test_time_of_func_counts_for_deadline():
    world = World(OSError("a"), OSError("b"), 1, cost=3)
    with pytest.raises(OSError):
        world.run([2, 2], deadline=9)
    assert world.slept == [2]
    world = World(OSError("a"), OSError("b"), 1, cost=3)
    assert world.run([2, 2], deadline=10) == 1


def test_retry_after_counts_for_deadline():
    world = World(Busy("busy", 11), 1)
    with pytest.raises(Busy):
        world.run([1], deadline=10)
    assert world.slept == []


def test_late_success_is_returned():
    world = World(5, cost=100)
    assert world.run([1], deadline=10) == 5


def test_keyboard_interrupt_passes_without_record(log):
    world = World(OSError("a"), KeyboardInterrupt(), 1)
    with pytest.raises(KeyboardInterrupt):
        world.run([1, 1], retry_on=(BaseException,))
    assert world.calls == 2
    assert log() == [("WARNING", "attempt 1 failed: a")]


def test_warning_is_logged_before_the_sleep(log):
    seen = []

    def sleep(seconds):
        seen.append(len(log()))

    world = World(OSError("a"), OSError("b"), 1)
    assert call_again(world.func, [1, 1], sleep, world.clock) == 1
    assert seen == [1, 2]
