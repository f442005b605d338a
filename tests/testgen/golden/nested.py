"""Tests of grid."""

from typing import Any

import pytest

from grids import grid


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param(1, [[0.0, 0.5]], id="one"),
        pytest.param(2, [[0.0, 0.5], [float("nan"), 1.0]], id="two"),
        pytest.param(0, [], id="none"),
    ],
)
def test_grid(rows: int, expected: list[list[float]]) -> None:
    assert grid(rows) == approximately(expected)


def approximately(expected: Any, rel: float = 1e-9, abs: float = 1e-12) -> Any:
    """Return `expected` with pytest.approx in place of every float in it."""
    if isinstance(expected, (float, complex)):
        return pytest.approx(expected, rel=rel, abs=abs, nan_ok=True)
    if isinstance(expected, dict):
        return {key: approximately(value, rel, abs) for key, value in expected.items()}
    if isinstance(expected, (list, tuple)):
        items = [approximately(item, rel, abs) for item in expected]
        return items if isinstance(expected, list) else tuple(items)
    return expected
