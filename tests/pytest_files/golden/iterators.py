"""Tests of chunks."""

import itertools
from collections.abc import Iterable
from itertools import islice
from typing import Any

import pytest

from pieces import chunks


@pytest.mark.parametrize(
    ("items", "size", "expected"),
    [
        pytest.param([7, 8, 9, 6], 2, [(7, 8), (9, 6)], id="even"),
        pytest.param((7, 8, 9), 2, [(7, 8), (9,)], id="rest"),
        pytest.param([], 2, [], id="empty"),
    ],
)
def test_chunks(items: Iterable[int], size: int, expected: Any) -> None:
    assert list(chunks(items, size)) == expected


def test_chunks_endless() -> None:
    assert list(islice(chunks(itertools.count(), 2), 2)) == [(0, 1), (2, 3)]
