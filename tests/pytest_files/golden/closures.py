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


def test_make_counter_pair() -> None:
    assert (make_counter(1)(), make_counter(2)()) == (1, 2)


def test_make_counter_sum() -> None:
    assert ((make_counter(1)()) + (make_counter(2)())) == 3


def test_make_counter_several() -> None:
    assert {n: make_counter(n)() for n in (1, 2)} == {1: 1, 2: 2}
