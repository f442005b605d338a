"""Tests of find: Does as its cases say."""

import pytest

from searching import find


@pytest.mark.parametrize(
    ("items", "wanted", "expected"),
    [
        pytest.param([4, 5, 6], 4, 0, id="first"),
        pytest.param([4, 5, 6], 6, 2, id="last"),
    ],
)
def test_find(items, wanted, expected):
    result = find(items, wanted)
    assert result == expected
    assert isinstance(result, int) and not isinstance(result, bool)


@pytest.mark.parametrize(
    ("items", "wanted"),
    [
        pytest.param([4, 5, 6], 7, id="absent"),
        pytest.param([], 7, id="empty"),
    ],
)
def test_find_none(items, wanted):
    assert find(items, wanted) is None
