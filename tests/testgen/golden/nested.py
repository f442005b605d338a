"""Tests of grid: Does as its cases say."""

import pytest

from grids import grid


def same_value(actual, expected):
    """Whether the values are equal: True is not 1, floats may be off a little, NaN is NaN."""
    if isinstance(expected, bool) or isinstance(actual, bool):
        return actual is expected
    if isinstance(expected, float):
        return actual == pytest.approx(expected, rel=1e-9, nan_ok=True)
    if isinstance(expected, (list, tuple)):
        kind = list if isinstance(expected, list) else tuple
        return (
            isinstance(actual, kind)
            and len(actual) == len(expected)
            and all(same_value(a, e) for a, e in zip(actual, expected))
        )
    return actual == expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param(1, [[0.0, 0.5]], id="one"),
        pytest.param(2, [[0.0, 0.5], [float("nan"), 1.0]], id="two"),
        pytest.param(0, [], id="none"),
    ],
)
def test_grid(rows, expected):
    assert same_value(grid(rows), expected)
