"""Tests of mean."""

import pytest

from stats import mean


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param([0.5, 1.5, 2.5], 1.5, id="halves"),
        pytest.param([0.1, 0.2, 0.3], 0.2, id="tenths"),
        pytest.param([1, 2, 6], 3, id="whole"),
        pytest.param([-1.0, 1.0], 0.0, id="zero"),
        pytest.param([float("inf"), 1.0], float("inf"), id="infinite"),
    ],
)
def test_mean(values: list[float], expected: float) -> None:
    assert mean(values) == pytest.approx(expected, rel=1e-9)


def test_mean_rough() -> None:
    assert mean([1.0, 2.0, 2.0]) == pytest.approx(1.667, rel=0.001)


def test_mean_empty() -> None:
    with pytest.raises(ValueError):
        mean([])
