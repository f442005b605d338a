"""Tests of scaled."""

import itertools
from collections import deque
from collections.abc import ItemsView, Iterator, ValuesView
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
    assert same_value(scaled(values), expected)


def same_value(
    actual: Any, expected: Any, rel: float = 1e-9, abs: float = 1e-12
) -> bool:
    """Tell whether two values are equal: floats within a tolerance, all else by what it holds."""

    def alike(one: Any, other: Any) -> bool:
        return same_value(one, other, rel, abs)

    actual, expected = (
        value.item() if isinstance(value, np.generic) else value
        for value in (actual, expected)
    )
    if isinstance(actual, np.ndarray) or isinstance(expected, np.ndarray):
        if not (isinstance(actual, np.ndarray) and isinstance(expected, np.ndarray)):
            return False
        if (
            actual.dtype.type is not expected.dtype.type
            or actual.shape != expected.shape
        ):
            return False
        actual, expected = actual.tolist(), expected.tolist()
    if isinstance(expected, (float, complex)):
        return bool(actual == pytest.approx(expected, rel=rel, abs=abs, nan_ok=True))
    if isinstance(expected, BaseException):
        return type(actual) is type(expected) and alike(actual.args, expected.args)
    if isinstance(expected, dict) and isinstance(actual, dict):
        return actual.keys() == expected.keys() and all(
            alike(actual[key], expected[key]) for key in expected
        )
    passing = (Iterator, ValuesView, ItemsView)
    actual, expected = (
        list(itertools.islice(value, 1_000)) if isinstance(value, passing) else value
        for value in (actual, expected)
    )
    sequences = (list, tuple, range, deque)
    if isinstance(actual, sequences) and isinstance(expected, sequences):
        return len(actual) == len(expected) and all(map(alike, actual, expected))
    return bool(actual == expected)
