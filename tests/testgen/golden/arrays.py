"""Tests of scaled."""

from typing import Any

import numpy as np
import pytest

from signals import scaled


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param(np.array([0, 1, 3]), np.array([0.0, 1 / 3, 1.0]), id="thirds"),
        pytest.param(np.array([0.5, 1.0, 1.5]), np.array([0.0, 0.5, 1.0]), id="halves"),
        pytest.param(
            np.array([[2, 4], [6, 8.0]]),
            np.array([[0.0, 0.333], [0.667, 1.0]]),
            id="rows",
        ),
        pytest.param(np.array([1, 2]), np.array([0.0, 1.0]), id="long_name"),
        pytest.param(np.array([]), np.array([]), id="empty"),
    ],
)
def test_scaled(values: Any, expected: Any) -> None:
    np.testing.assert_allclose(
        scaled(values), expected, rtol=1e-9, atol=1e-12, strict=True
    )
