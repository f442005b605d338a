"""Tests of rotate."""

from rotating import rotate


def test_rotate_one_step() -> None:
    items = [7, 8, 9]

    rotate(items, 1)

    assert items == [9, 7, 8]


def test_rotate_same_list() -> None:
    items = [1, 2]
    alias = items

    rotate(items, 2)

    assert alias == [1, 2]
    assert alias is items
