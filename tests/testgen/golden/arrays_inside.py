"""Tests of split: Does as its cases say."""

import numpy as np

from signals import split


def same_value(actual, expected):
    """Whether the values are equal: True is not 1."""
    if isinstance(expected, (np.ndarray, np.generic)):
        found = np.asanyarray(actual)
        if (
            isinstance(actual, np.ndarray) is not isinstance(expected, np.ndarray)
            or found.shape != expected.shape
        ):
            return False
        if found.dtype != expected.dtype and not (
            found.dtype.kind == expected.dtype.kind and found.dtype.kind in "SU"
        ):
            return False
        if expected.dtype.kind in "fc":
            return bool(
                np.allclose(found, expected, rtol=1e-9, atol=1e-12, equal_nan=True)
            )
        return same_value(found.tolist(), expected.tolist())
    if isinstance(expected, bool) or isinstance(actual, bool):
        return actual is expected
    if isinstance(expected, (list, tuple)):
        kind = list if isinstance(expected, list) else tuple
        return (
            isinstance(actual, kind)
            and len(actual) == len(expected)
            and all(same_value(a, e) for a, e in zip(actual, expected))
        )
    if isinstance(expected, dict):
        return (
            isinstance(actual, dict)
            and actual.keys() == expected.keys()
            and all(same_value(actual[key], expected[key]) for key in expected)
        )
    return actual == expected


def test_split_signs():
    assert same_value(
        split(np.array([-1.5, 2.0, 0.0])),
        {
            "low": np.array([-1.5]),
            "high": np.array([2.0]),
            "mean": np.float64(0.16666666666666666),
        },
    )


def test_split_texts():
    assert same_value(
        np.array(sorted(split(np.array([1.0])))), np.array(["high", "low", "mean"])
    )
