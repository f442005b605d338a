import logging

import pytest

import solution


class Clock:
    def __init__(self):
        self.now, self.asked = 100.0, 0

    def __call__(self):
        self.asked += 1
        return self.now


@pytest.fixture
def clock():
    return Clock()


def weather(*args, **kwargs):
    """Ask the service."""
    return args, kwargs


def test_passes_arguments_and_result(clock):
    ask = solution.throttle(weather, 2, 10, clock)
    assert ask(1, "b", unit="C") == ((1, "b"), {"unit": "C"})
    assert ask() == ((), {})


def test_refuses(clock):
    ask = solution.throttle(weather, 2, 10, clock)
    ask()
    clock.now = 103.0
    ask()
    clock.now = 104.0
    with pytest.raises(solution.TooSoon) as caught:
        ask()
    assert caught.value.wait == 6.0


def test_too_soon_is_a_runtime_error():
    assert issubclass(solution.TooSoon, RuntimeError)


def test_exactly_the_period_is_old_enough(clock):
    ask = solution.throttle(weather, 1, 10, clock)
    ask()
    clock.now = 109.75
    with pytest.raises(solution.TooSoon) as caught:
        ask()
    assert caught.value.wait == 0.25
    clock.now = 110.0
    ask()


def test_window_slides(clock):
    ask = solution.throttle(weather, 2, 10, clock)
    ask()
    clock.now = 108.0
    ask()
    clock.now = 110.0
    ask()
    clock.now = 111.0
    with pytest.raises(solution.TooSoon) as caught:
        ask()
    assert caught.value.wait == 7.0
    clock.now = 118.0
    ask()


def test_refused_calls_do_not_count(clock):
    ask = solution.throttle(weather, 1, 10, clock)
    ask()
    for now in (101.0, 105.0, 109.0):
        clock.now = now
        with pytest.raises(solution.TooSoon):
            ask()
    clock.now = 110.0
    ask()


def test_refused_calls_do_not_reach_func(clock):
    calls = []
    ask = solution.throttle(lambda value: calls.append(value), 1, 10, clock)
    ask(1)
    with pytest.raises(solution.TooSoon):
        ask(2)
    assert calls == [1]


def test_clock_is_asked_once_per_call(clock):
    ask = solution.throttle(weather, 1, 10, clock)
    assert clock.asked == 0
    ask()
    assert clock.asked == 1
    with pytest.raises(solution.TooSoon):
        ask()
    assert clock.asked == 2
    ask.reset()
    assert clock.asked == 2


def test_start_counts(clock):
    def slow():
        clock.now += 8

    ask = solution.throttle(slow, 1, 10, clock)
    ask()
    assert clock.now == 108.0
    clock.now = 110.0
    ask()


def test_an_exception_counts_and_goes_through(clock):
    error = KeyError("x")

    def broken():
        raise error

    ask = solution.throttle(broken, 1, 10, clock)
    with pytest.raises(KeyError) as caught:
        ask()
    assert caught.value is error
    with pytest.raises(solution.TooSoon):
        ask()


def test_inner_calls_count(clock):
    seen = []

    def again(depth):
        seen.append(depth)
        if depth:
            ask(depth - 1)

    ask = solution.throttle(again, 2, 10, clock)
    with pytest.raises(solution.TooSoon):
        ask(2)
    assert seen == [2, 1]


def test_log(clock, caplog, capsys):
    caplog.set_level(logging.DEBUG)
    ask = solution.throttle(weather, 1, 10, clock)
    ask()
    assert caplog.records == []
    clock.now = 107.5
    with pytest.raises(solution.TooSoon):
        ask()
    assert [(r.name, r.levelname, r.getMessage()) for r in caplog.records] == [("throttle", "WARNING", "refused weather, wait 2.5 s")]
    assert tuple(capsys.readouterr()) == ("", "")


def test_log_has_one_decimal(clock, caplog):
    caplog.set_level(logging.DEBUG)
    ask = solution.throttle(weather, 1, 10, clock)
    ask()
    with pytest.raises(solution.TooSoon):
        ask()
    assert [r.getMessage() for r in caplog.records] == ["refused weather, wait 10.0 s"]


def test_name_and_docstring(clock):
    ask = solution.throttle(weather, 1, 10, clock)
    assert (ask.__name__, ask.__doc__) == ("weather", "Ask the service.")


def test_reset(clock):
    ask = solution.throttle(weather, 1, 10, clock)
    ask()
    ask.reset()
    ask()
    with pytest.raises(solution.TooSoon):
        ask()


def test_independent(clock):
    one, two = solution.throttle(weather, 1, 10, clock), solution.throttle(weather, 1, 10, clock)
    one()
    two()
    one.reset()
    one()
    with pytest.raises(solution.TooSoon):
        two()


@pytest.mark.parametrize(("limit", "period"), [(0, 10), (-1, 10), (1, 0), (1, -0.5)])
def test_bad_numbers(clock, limit, period):
    with pytest.raises(ValueError):
        solution.throttle(weather, limit, period, clock)
    assert clock.asked == 0


def test_period_below_a_second(clock):
    ask = solution.throttle(weather, 1, 0.5, clock)
    ask()
    clock.now = 100.5
    ask()
