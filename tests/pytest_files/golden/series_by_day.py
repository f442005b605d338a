"""Tests of by_day."""

import itertools
from collections import deque
from collections.abc import ItemsView, Iterator, ValuesView
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sales import by_day


def test_by_day_two_days() -> None:
    assert same_value(
        by_day([1.0, 2.5], "2024-01-01"),
        pd.Series(
            [1.0, 2.5], index=pd.to_datetime(["2024-01-01", "2024-01-02"]), name="sum"
        ),
    )


def test_by_day_first_day() -> None:
    sums = pd.Series([1.0, 2.5])

    assert by_day(sums.tolist(), "2024-01-01").index[0] == pd.Timestamp("2024-01-01")


def same_value(
    actual: Any, expected: Any, rel: float = 1e-9, abs: float = 1e-12
) -> bool:
    """Tell whether two values are equal: floats within a tolerance, all else by what it holds."""

    def alike(one: Any, other: Any) -> bool:
        return same_value(one, other, rel, abs)

    def parts(value: Any) -> Any:
        if isinstance(value, pd.DataFrame):
            return [
                value.columns,
                value.index,
                *(value.iloc[:, n] for n in range(value.shape[1])),
            ]
        if isinstance(value, pd.Series):
            return [value.name, value.index, str(value.dtype), list(value)]
        return (
            [value.name, str(value.dtype), list(value)]
            if isinstance(value, pd.Index)
            else value
        )

    if expected is pd.NaT:
        return actual is pd.NaT
    if type(parts(actual)) is type(parts(expected)):
        actual, expected = parts(actual), parts(expected)
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
