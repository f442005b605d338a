"""What ends a search: counted runs, or the clock."""

from __future__ import annotations

import math

import pytest

from tdgen.build.versions import RUNS_EACH_SECOND, SearchLimit, call_seconds
from tdgen.types import Call, Case, Observation, Value


class Runner:
    """Tells how long each call took; None stands for one that did not end."""

    def __init__(self, *seconds):
        self.seconds = seconds

    def observed(self, tried):
        """As many observations as calls are tried."""
        return [
            Observation(name="p", status="timeout" if one is None else "returned", seconds=one or 0)
            for one, _ in zip(self.seconds, tried, strict=False)
        ]


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands where its one item says."""
    now = [100.0]
    monkeypatch.setattr("tdgen.build.versions.time.monotonic", lambda: now[0])
    return now


def test_counted_runs_end_a_search_whatever_the_clock_says(clock):
    """A busy machine, on which runs take several times as long, does as many."""
    limit = SearchLimit(2, is_counted=True)
    limit.count(2 * RUNS_EACH_SECOND - 1)
    clock[0] += 10
    assert not limit.is_over
    limit.count(1)
    assert limit.is_over


def test_counted_runs_do_not_go_on_for_ever(clock):
    """Calls that seemed quick, and are not, are ended by the clock after all."""
    limit = SearchLimit(2, is_counted=True)
    clock[0] += 21
    assert limit.is_over


def test_where_calls_are_slow_the_clock_ends_a_search(clock):
    """However few runs were made."""
    limit = SearchLimit(2, is_counted=False)
    limit.count(10 * RUNS_EACH_SECOND)
    assert limit.seconds == 2
    clock[0] += 2
    assert limit.is_over


def test_where_calls_are_slow_a_busy_machine_may_take_longer(clock):
    """Each run counts as long as those that were counted together and were the quickest, up to the longest time."""
    limit = SearchLimit(2, is_counted=False, longest=3)
    for seconds in (0.5, 1.5, 1.5):
        clock[0] += seconds
        limit.count(10)
    assert limit.seconds == 0.5
    clock[0] += 2.5
    assert limit.is_over


@pytest.mark.parametrize(
    ("seconds", "each"),
    [
        ((0.5, 0.0002, 0.3), 0.0002),
        ((0.0047, 0.0027, 0.0025, 0.0003), 0.0003),
        ((*[0.1] * 9, 0.0001), 0.1),
        ((None, 0.1, None), 0.1),
        ((None, None, None), math.inf),
        ((), 0.0),
    ],
)
def test_the_quickest_of_nine_cases_says_how_long_a_call_takes(seconds, each):
    """What one waited for a busy machine, or as a program's first, does not count; one that did not end tells none."""
    case = Case(name="c", function="f", arguments=("1",), expectation=Value(source="1"))
    assert case.done == Call(function="f", arguments=("1",))
    assert call_seconds(Runner(*seconds), "", [case] * len(seconds)) == each
