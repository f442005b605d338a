"""Tests of arrange."""

from copy import deepcopy
from typing import Any

from arranging import arrange


def test_arrange_some() -> None:
    items = ["b", "a"]

    result = arrange(deepcopy(items))
    assert sorted(result) == sorted(items)


def test_arrange_none() -> None:
    items: list[Any] = []

    result = arrange(deepcopy(items))
    assert sorted(result) == sorted(items)


def test_arrange_default() -> None:
    items = ["b", "a"]
    reverse = False

    result = arrange(deepcopy(items))
    ordered = sorted(items, reverse=reverse)
    assert result == ordered


def test_arrange_set_up() -> None:
    words = ["b", "a", "c"]
    words_before = deepcopy(words)

    result = arrange(words)
    assert all(len(word) == 1 for word in result) and len(result) == len(words_before)
