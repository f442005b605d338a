"""Tests of find."""

import pytest

from searching import find


@pytest.mark.parametrize(
    ("items", "wanted", "expected"),
    [
        pytest.param([4, 5, 6], 4, 0, id="first"),
        pytest.param([4, 5, 6], 6, 2, id="last"),
        pytest.param([4, 5, 6], 7, None, id="absent"),
        pytest.param([], 7, None, id="empty"),
    ],
)
def test_find(items: list[int], wanted: int, expected: int | None) -> None:
    assert find(items, wanted) == expected
