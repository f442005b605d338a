"""Tests of scaled."""

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
def test_scaled(values: list[float], factor: float, expected: list[float]) -> None:
    assert scaled(values, factor) == pytest.approx(expected, rel=1e-9)
