"""How many calls the search for what parts code from a reading makes at a time."""

from __future__ import annotations

import pytest

from tdgen.build.second_reading import AT_ONCE, calls_at_once


@pytest.mark.parametrize(
    ("paced", "many"),
    [
        ([0.0002, 0.0004], AT_ONCE),
        ([], AT_ONCE),
        ([0.125, 0.125, 0.5], 16),
        ([0.5, 0.0002], AT_ONCE),
        ([5.0], 1),
    ],
)
def test_slow_calls_are_few_at_a_time(paced, many):
    """So many as take two seconds, and one at least; what one waited for a busy machine does not count."""
    assert calls_at_once(paced) == many
