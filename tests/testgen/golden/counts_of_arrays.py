"""Tests of above: Does as its cases say."""

import numpy as np
import pytest

from signals import above


@pytest.mark.parametrize(
    ("values", "limit", "expected"),
    [
        pytest.param(np.array([0.5, 2.0, 3.0]), 1, np.array([1, 2]), id="some"),
        pytest.param(np.arange(3.0), -1, np.arange(3), id="all"),
        pytest.param(np.arange(3.0), 5, np.array([], dtype=np.int64), id="none"),
    ],
)
def test_above(values, limit, expected):
    result = above(values, limit)
    np.testing.assert_array_equal(result, expected, strict=True)
    assert isinstance(result, np.ndarray)
