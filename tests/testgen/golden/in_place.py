"""Tests of rotate: Does as its cases say."""

from rotating import rotate


def test_rotate_one_step():
    items = [7, 8, 9]

    assert rotate(items, 1) is None

    assert items == [9, 7, 8]


def test_rotate_same_list():
    items = [1, 2]
    alias = items

    assert rotate(items, 2) is None

    result = alias
    assert result == [1, 2]
    assert not any(isinstance(item, bool) for item in result)
    assert alias is items
