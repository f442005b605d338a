"""Tests of chunks: Does as its cases say."""

import itertools
from itertools import islice

import pytest

from pieces import chunks


def same_value(actual, expected):
    """Whether the values are equal: True is not 1, 2.0 is not 2."""
    if isinstance(expected, bool) or isinstance(actual, bool):
        return actual is expected
    if isinstance(expected, int):
        return isinstance(actual, int) and actual == expected
    if isinstance(expected, (list, tuple)):
        kind = list if isinstance(expected, list) else tuple
        return (
            isinstance(actual, kind)
            and len(actual) == len(expected)
            and all(same_value(a, e) for a, e in zip(actual, expected))
        )
    return actual == expected


@pytest.mark.parametrize(
    ("items", "size", "expected"),
    [
        pytest.param([7, 8, 9, 6], 2, [(7, 8), (9, 6)], id="even"),
        pytest.param((7, 8, 9), 2, [(7, 8), (9,)], id="rest"),
        pytest.param([], 2, [], id="empty"),
    ],
)
def test_chunks(items, size, expected):
    assert same_value(list(chunks(items, size)), expected)


def test_chunks_endless():
    assert same_value(list(islice(chunks(itertools.count(), 2), 2)), [(0, 1), (2, 3)])
