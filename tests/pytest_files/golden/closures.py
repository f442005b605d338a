"""Tests of make_counter."""

from counting import make_counter


def test_make_counter_first() -> None:
    assert make_counter(5)() == 5


# Each call counts on.
def test_make_counter_third() -> None:
    count = make_counter()
    for _ in range(2):
        count()

    assert count() == 2


def test_make_counter_apart() -> None:
    assert [make_counter(1)(), make_counter(1)()] == [1, 1]
