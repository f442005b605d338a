"""Tests of mean."""

import pytest

from stats import mean


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param([0.5, 1.5, 2.5], pytest.approx(1.5, rel=1e-9), id="halves"),
        pytest.param([0.1, 0.2, 0.3], pytest.approx(0.2, rel=1e-9), id="tenths"),
        pytest.param([1.0, 2.0, 2.0], pytest.approx(1.667, rel=0.001), id="rough"),
        pytest.param([1, 2, 6], 3, id="whole"),
        pytest.param([-1.0, 1.0], pytest.approx(0.0, rel=1e-9), id="zero"),
        pytest.param(
            [float("inf"), 1.0], pytest.approx(float("inf"), rel=1e-9), id="infinite"
        ),
    ],
)
def test_mean(values: list[float], expected: float) -> None:
    assert mean(values) == expected


def test_mean_empty() -> None:
    with pytest.raises(ValueError):
        mean([])
