"""Tests of grid."""

import itertools
from collections import deque
from collections.abc import ItemsView, Iterator, ValuesView
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
    assert same_value(grid(rows), expected)


def same_value(
    actual: Any, expected: Any, rel: float = 1e-9, abs: float = 1e-12
) -> bool:
    """Tell whether two values are equal: floats within a tolerance, all else by what it holds."""

    def alike(one: Any, other: Any) -> bool:
        return same_value(one, other, rel, abs)

    if isinstance(expected, (set, frozenset)) and isinstance(actual, (set, frozenset)):
        first, second = (
            {"NaN" if item != item else item for item in value}
            for value in (actual, expected)
        )
        return first == second
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
