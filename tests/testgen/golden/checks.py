"""Tests of arrange: Does as its cases say."""

from copy import deepcopy

import pytest

from arranging import arrange


@pytest.mark.parametrize(
    "items",
    [
        pytest.param(["b", "a"], id="some"),
        pytest.param([], id="none"),
    ],
)
def test_arrange_holds(items):
    result = arrange(deepcopy(items))
    assert sorted(result) == sorted(items)


def test_arrange_default():
    items = ["b", "a"]
    reverse = False

    result = arrange(deepcopy(items))
    ordered = sorted(items, reverse=reverse)
    assert result == ordered


def test_arrange_set_up():
    words = ["b", "a", "c"]
    words_before = deepcopy(words)

    result = arrange(words)
    assert all(len(word) == 1 for word in result) and len(result) == len(words_before)
