"""Tests of scaled: Does as its cases say."""

import pytest

from stats import scaled


@pytest.mark.parametrize(
    ("values", "factor", "expected"),
    [
        pytest.param([0.3, 0.6], 1 / 3, [0.1, 0.2], id="by_a_third"),
        pytest.param([0.3, 0.6], 0, [0.0, 0.0], id="by_zero"),
        pytest.param([], 2, [], id="empty"),
    ],
)
def test_scaled(values, factor, expected):
    result = scaled(values, factor)
    assert result == pytest.approx(expected, rel=1e-9)
    assert isinstance(result, list)
    assert not any(isinstance(item, bool) for item in result)
