import pytest

import solution


class Clock:
    def __init__(self, now=0):
        self.now = now

    def __call__(self):
        return self.now


def setup(start=0, fail=(), alarm_cost=0):
    """Items are (name, seconds) pairs; work moves the clock and gives the name."""
    clock = Clock(start)
    events = []

    def work(item):
        name, seconds = item
        events.append(("work", name))
        clock.now += seconds
        if name in fail:
            raise RuntimeError(name)
        return name.upper()

    def on_slow(item, seconds):
        events.append(("slow", item[0], seconds))
        clock.now += alarm_cost

    return clock, work, on_slow, events


def slow_of(events):
    return [e[1:] for e in events if e[0] == "slow"]


def test_example_without_budget():
    clock, work, on_slow, events = setup()
    items = [("a", 1), ("b", 2), ("c", 3)]
    assert solution.run_batch(items, work, clock, on_slow, 2) == (["A", "B", "C"], [])
    assert slow_of(events) == [("c", 3)]


def test_example_with_budget():
    clock, work, on_slow, events = setup()
    items = [("a", 1), ("b", 2), ("c", 3)]
    got = solution.run_batch(items, work, clock, on_slow, limit=2, budget=3)
    assert got == (["A", "B"], [("c", 3)])
    assert slow_of(events) == []


def test_exactly_limit_is_not_slow():
    clock, work, on_slow, events = setup()
    solution.run_batch([("a", 5)], work, clock, on_slow, 5)
    assert slow_of(events) == []


def test_alarm_comes_before_next_item():
    clock, work, on_slow, events = setup()
    solution.run_batch([("a", 4), ("b", 1)], work, clock, on_slow, 3)
    assert events == [("work", "a"), ("slow", "a", 4), ("work", "b")]


def test_empty_items():
    clock, work, on_slow, events = setup()
    assert solution.run_batch([], work, clock, on_slow, 1) == ([], [])
    assert events == []


def test_limit_zero():
    clock, work, on_slow, events = setup()
    got = solution.run_batch([("a", 0), ("b", 1)], work, clock, on_slow, 0)
    assert got == (["A", "B"], [])
    assert slow_of(events) == [("b", 1)]


def test_failed_item_gives_no_result():
    clock, work, on_slow, events = setup(fail=("b",))
    items = [("a", 1), ("b", 1), ("c", 1)]
    assert solution.run_batch(items, work, clock, on_slow, 2) == (["A", "C"], [])
    assert slow_of(events) == []


def test_failed_item_can_be_slow():
    clock, work, on_slow, events = setup(fail=("a",))
    assert solution.run_batch([("a", 9), ("b", 1)], work, clock, on_slow, 2) == (["B"], [])
    assert slow_of(events) == [("a", 9)]


def test_stop_after_three_slow_in_a_row():
    clock, work, on_slow, events = setup()
    items = [("a", 3), ("b", 4), ("c", 5), ("d", 1)]
    got = solution.run_batch(items, work, clock, on_slow, 2)
    assert got == (["A", "B", "C"], [("d", 1)])
    assert slow_of(events) == [("a", 3), ("b", 4), ("c", 5)]


def test_item_that_is_not_slow_resets_count():
    clock, work, on_slow, events = setup()
    items = [("a", 3), ("b", 3), ("c", 2), ("d", 3), ("e", 3), ("f", 1)]
    got = solution.run_batch(items, work, clock, on_slow, 2)
    assert got == (["A", "B", "C", "D", "E", "F"], [])
    assert slow_of(events) == [("a", 3), ("b", 3), ("d", 3), ("e", 3)]


def test_quick_failure_resets_count():
    clock, work, on_slow, events = setup(fail=("c",))
    items = [("a", 3), ("b", 3), ("c", 1), ("d", 3), ("e", 1)]
    got = solution.run_batch(items, work, clock, on_slow, 2)
    assert got == (["A", "B", "D", "E"], [])


def test_slow_failure_counts_towards_three():
    clock, work, on_slow, events = setup(fail=("b",))
    items = [("a", 3), ("b", 3), ("c", 3), ("d", 1)]
    got = solution.run_batch(items, work, clock, on_slow, 2)
    assert got == (["A", "C"], [("d", 1)])
    assert len(slow_of(events)) == 3


def test_budget_zero_starts_nothing():
    clock, work, on_slow, events = setup()
    items = [("a", 1), ("b", 1)]
    assert solution.run_batch(items, work, clock, on_slow, 5, budget=0) == ([], items)
    assert events == []


def test_budget_is_counted_from_the_call():
    clock, work, on_slow, events = setup(start=1000)
    items = [("a", 1), ("b", 1), ("c", 1)]
    got = solution.run_batch(items, work, clock, on_slow, 5, budget=2)
    assert got == (["A", "B"], [("c", 1)])


def test_running_item_is_not_cut_short():
    clock, work, on_slow, events = setup()
    items = [("a", 1), ("b", 10), ("c", 1)]
    got = solution.run_batch(items, work, clock, on_slow, 20, budget=2)
    assert got == (["A", "B"], [("c", 1)])


def test_alarm_time_counts_for_budget():
    clock, work, on_slow, events = setup(alarm_cost=5)
    items = [("a", 3), ("b", 1)]
    got = solution.run_batch(items, work, clock, on_slow, 2, budget=8)
    assert got == (["A"], [("b", 1)])


def test_alarm_time_counts_for_no_item():
    clock, work, on_slow, events = setup(alarm_cost=5)
    items = [("a", 3), ("b", 1)]
    got = solution.run_batch(items, work, clock, on_slow, 2, budget=9)
    assert got == (["A", "B"], [])
    assert slow_of(events) == [("a", 3)]


def test_exception_of_on_slow_is_not_caught():
    clock, work, _, events = setup()

    def angry(item, seconds):
        raise KeyError("stop")

    with pytest.raises(KeyError):
        solution.run_batch([("a", 3), ("b", 1)], work, clock, angry, 2)
    assert events == [("work", "a")]


def test_negative_limit():
    clock, work, on_slow, events = setup()
    with pytest.raises(ValueError):
        solution.run_batch([("a", 1)], work, clock, on_slow, -1)
    assert events == []


def test_negative_budget():
    clock, work, on_slow, events = setup()
    with pytest.raises(ValueError):
        solution.run_batch([("a", 1)], work, clock, on_slow, 1, budget=-1)
    assert events == []
