"""Tests of split."""

import itertools
from collections import deque
from collections.abc import ItemsView, Iterator, ValuesView
from typing import Any

import numpy as np
import pytest

from signals import split


def test_split_signs() -> None:
    assert comparable(split(np.array([-1.5, 2.0, 0.0]))) == approximately(
        comparable(
            {
                "low": np.array([-1.5]),
                "high": np.array([2.0]),
                "mean": np.float64(0.16666666666666666),
            }
        )
    )


def test_split_texts() -> None:
    assert comparable(np.array(sorted(split(np.array([1.0]))))) == approximately(
        comparable(np.array(["high", "low", "mean"]))
    )


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


def comparable(value: Any) -> Any:
    """Return `value` with iterators, exceptions and the like in it as data that `==` compares."""
    if isinstance(value, (np.ndarray, np.generic)):
        return comparable(value.tolist())
    if isinstance(value, BaseException):
        return type(value), comparable(value.args)
    if isinstance(value, (set, frozenset)):
        return {"NaN" if item != item else item for item in value}
    if isinstance(value, dict):
        return {key: comparable(item) for key, item in value.items()}
    if isinstance(value, (Iterator, ValuesView, ItemsView)):
        value = list(itertools.islice(value, 1_000))
    if isinstance(value, (list, tuple, range, deque)):
        return [comparable(item) for item in value]
    return value
