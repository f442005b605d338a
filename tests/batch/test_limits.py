"""How fast, and how long to go."""

from tdgen.batch.limits import WINDOW, Pace


class Clock:
    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


def test_before_the_first_line_nothing_is_known():
    """No rate, no time to go."""
    pace = Pace(Clock())
    assert (pace.rate, pace.to_go(10)) == (0.0, None)


def test_the_rate_is_that_of_late():
    """A thousand lines from the cache say nothing of those that are solved after them."""
    clock = Clock()
    pace = Pace(clock)
    for _ in range(1000):
        clock.now += 0.001
        pace.tick()
    for _ in range(WINDOW):
        clock.now += 2
        pace.tick()
    assert round(pace.rate, 6) == 0.5
    assert round(pace.to_go(60) or 0) == 120


def test_silence_slows_the_rate():
    """Time that passes without an end counts."""
    clock = Clock()
    pace = Pace(clock)
    clock.now += 1
    pace.tick()
    clock.now += 9
    assert pace.rate == 0.1
    assert pace.seconds == 10


def test_the_time_of_day_does_not_matter(monkeypatch):
    """A clock that is set moves nothing: the time of day is never looked at."""
    monkeypatch.setattr("time.time", lambda: 1 / 0)
    pace = Pace()
    pace.tick()
    assert pace.rate >= 0
