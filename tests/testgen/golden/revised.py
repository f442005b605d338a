"""Tests of rounded: Does as its cases say."""

import pytest

from solution import rounded


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        # revised: rounded(0.5) gives 1 → rounded(0.5) gives 0
        # because the contract names the rule
        # Halves go to even.
        pytest.param(0.5, 0, id="half"),
        # promoted: attempt 1 failed this held-out case
        pytest.param(1.5, 2, id="more"),
    ],
)
def test_rounded(x, expected):
    result = rounded(x)
    assert result == expected
    assert isinstance(result, int) and not isinstance(result, bool)


# revised: [rounded(2.5)] gives [3] → [rounded(2.5)] gives [2]
# because it was worked out wrongly
# the words: 'to the nearest even'
def test_rounded_in_a_list():
    assert ([rounded(2.5)]) == [2]


# Set aside, and not tested:
# - of_nothing: rounded(None) raises TypeError: the contract does not settle it ('of a
#   number')
# - a b: """ import os too long too long too long too long too long too long too long
#   too long too long too long too long too long too long too long too long too long …
