"""How many calls the search for what parts code from a reading makes at a time."""

from __future__ import annotations

import math

import pytest

from tdgen.build.second_reading import AT_ONCE, calls_at_once


@pytest.mark.parametrize(("each", "many"), [(0.0002, AT_ONCE), (0.0, AT_ONCE), (0.125, 16), (5.0, 1), (math.inf, 1)])
def test_slow_calls_are_few_at_a_time(each, many):
    """So many as take two seconds, and one at least."""
    assert calls_at_once(each) == many
