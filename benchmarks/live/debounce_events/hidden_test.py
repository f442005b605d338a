import itertools

import pytest

from solution import debounce


class Reading:
    """An iterable that counts what was read from it."""

    def __init__(self, events):
        self.events = iter(events)
        self.read = 0

    def __iter__(self):
        return self

    def __next__(self):
        event = next(self.events)
        self.read += 1
        return event


def test_example():
    events = [(0, "a", 1), (4, "a", 2), (9, "b", 3)]
    assert list(debounce(events, 5)) == [(4, "a", 2, 2), (9, "b", 3, 1)]


def test_empty():
    assert list(debounce([], 5)) == []


def test_single_event():
    assert list(debounce([(3, "a", "x")], 1)) == [(3, "a", "x", 1)]


def test_exactly_wait_is_not_merged():
    events = [(0, "a", 1), (5, "a", 2)]
    assert list(debounce(events, 5)) == [(0, "a", 1, 1), (5, "a", 2, 1)]


def test_chain_is_merged():
    events = [(0, "a", 1), (4, "a", 2), (8, "a", 3), (12, "a", 4)]
    assert list(debounce(events, 5)) == [(12, "a", 4, 4)]


def test_keys_do_not_mix():
    events = [(0, "a", 1), (1, "b", 2), (3, "a", 3)]
    assert list(debounce(events, 5)) == [(1, "b", 2, 1), (3, "a", 3, 2)]


def test_equal_times_in_order_of_last_arrival():
    events = [(0, "b", 1), (0, "a", 2)]
    assert list(debounce(events, 5)) == [(0, "b", 1, 1), (0, "a", 2, 1)]
    events = [(0, "b", 1), (0, "a", 2), (0, "b", 3)]
    assert list(debounce(events, 5)) == [(0, "a", 2, 1), (0, "b", 3, 2)]


def test_due_ones_in_order():
    events = [(0, "a", 1), (1, "b", 2), (2, "a", 3), (7, "c", 4)]
    assert list(debounce(events, 5)) == [(1, "b", 2, 1), (2, "a", 3, 2), (7, "c", 4, 1)]


def test_nothing_read_before_first_next():
    reading = Reading([(0, "a", 1)])
    result = debounce(reading, 5)
    assert reading.read == 0
    assert next(result) == (0, "a", 1, 1)


def test_given_out_as_soon_as_due():
    reading = Reading([(0, "a", 1), (2, "b", 2), (5, "c", 3), (6, "c", 4), (9, "c", 5)])
    result = debounce(reading, 5)
    assert next(result) == (0, "a", 1, 1)
    assert reading.read == 3
    assert next(result) == (2, "b", 2, 1)
    assert reading.read == 5


def test_all_due_ones_without_reading_on():
    reading = Reading([(0, "a", 1), (1, "b", 2), (9, "c", 3), (30, "d", 4)])
    result = debounce(reading, 5)
    assert next(result) == (0, "a", 1, 1)
    assert next(result) == (1, "b", 2, 1)
    assert reading.read == 3
    assert next(result) == (9, "c", 3, 1)
    assert reading.read == 4


def test_endless_events():
    events = ((n * 5, "a", n) for n in itertools.count())
    got = list(itertools.islice(debounce(events, 5), 3))
    assert got == [(0, "a", 0, 1), (5, "a", 1, 1), (10, "a", 2, 1)]


def test_cancel_drops_what_is_held():
    events = [(0, "a", 1), (1, "b", 2), (4, "a", None)]
    assert list(debounce(events, 5)) == [(1, "b", 2, 1)]
    events = [(0, "a", 1), (2, "a", None), (3, "a", 9)]
    assert list(debounce(events, 5)) == [(3, "a", 9, 1)]


def test_cancel_comes_too_late():
    events = [(0, "a", 1), (5, "a", None)]
    assert list(debounce(events, 5)) == [(0, "a", 1, 1)]


def test_cancel_with_nothing_held_still_releases():
    reading = Reading([(0, "a", 1), (7, "b", None), (20, "c", 2)])
    result = debounce(reading, 5)
    assert next(result) == (0, "a", 1, 1)
    assert reading.read == 2
    assert list(result) == [(20, "c", 2, 1)]


def test_falsy_values_are_values():
    events = [(0, "a", 1), (1, "a", 0), (2, "b", ""), (3, "c", False)]
    assert list(debounce(events, 5)) == [
        (1, "a", 0, 2),
        (2, "b", "", 1),
        (3, "c", False, 1),
    ]


def test_longest_boundary():
    events = [(0, "a", 1), (4, "a", 2), (7, "a", 3), (10, "a", 4)]
    assert list(debounce(events, 5, 10)) == [(7, "a", 3, 3), (10, "a", 4, 1)]
    events = [(0, "a", 1), (4, "a", 2), (7, "a", 3), (9, "a", 4)]
    assert list(debounce(events, 5, longest=10)) == [(9, "a", 4, 4)]


def test_longest_counts_anew_for_each_group():
    events = [(n, "a", n) for n in range(0, 13, 2)]
    assert list(debounce(events, 5, 5)) == [(4, "a", 4, 3), (10, "a", 10, 3), (12, "a", 12, 1)]


def test_longest_comes_after_due_ones_and_at_once():
    reading = Reading(
        [(0, "a", 1), (4, "a", 2), (6, "b", 3), (8, "a", 4), (11, "a", 5), (12, "c", 6)]
    )
    result = debounce(reading, 5, 10)
    assert next(result) == (6, "b", 3, 1)
    assert next(result) == (8, "a", 4, 3)
    assert reading.read == 5
    assert list(result) == [(11, "a", 5, 1), (12, "c", 6, 1)]


def test_cancel_is_not_given_out_by_longest():
    events = [(0, "a", 1), (4, "a", 2), (8, "a", None), (9, "a", 3)]
    assert list(debounce(events, 5, 6)) == [(9, "a", 3, 1)]


def test_falling_time():
    result = debounce([(0, "a", 1), (9, "b", 2), (8, "c", 3)], 5)
    assert next(result) == (0, "a", 1, 1)
    with pytest.raises(ValueError):
        next(result)
    with pytest.raises(ValueError):
        list(debounce([(9, "b", None), (8, "c", 3)], 5))


def test_arguments_checked_at_the_call():
    with pytest.raises(ValueError):
        debounce([], 0)
    with pytest.raises(ValueError):
        debounce([], 5, 4)
    with pytest.raises(ValueError):
        debounce([], -2, 4)
    assert list(debounce([], 5, 5)) == []
