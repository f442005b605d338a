"""How many calls the search for what parts code from a reading makes at a time."""

from __future__ import annotations

import pytest

from tdgen.build.second_reading import AT_ONCE, calls_at_once


@pytest.mark.parametrize(
    ("paced", "many"),
    [
        ([0.0002, 0.0004], AT_ONCE),
        ([], AT_ONCE),
        ([0.125, 0.125, 0.125], 16),
        ([0.0625, 0.1875], 16),
        ([5.0], 1),
    ],
)
def test_slow_calls_are_few_at_a_time(paced, many):
    """So many as fill the time that the search has, and one at least; quick ones share a process as ever."""
    assert calls_at_once(paced, 2.0) == many
