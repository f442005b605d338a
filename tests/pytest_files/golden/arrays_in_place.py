"""Tests of clip."""

import itertools
from collections import deque
from collections.abc import ItemsView, Iterator, ValuesView
from typing import Any

import numpy as np
import pytest

from signals import clip


def test_clip_ped() -> None:
    values = np.array([1, 5, 9])

    clip(values, 5)

    assert same_value(values, np.array([1, 5, 5]))


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
