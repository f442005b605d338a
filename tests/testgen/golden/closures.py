"""Tests of make_counter: Does as its cases say."""

from counting import make_counter


def test_make_counter_first():
    assert make_counter(5)() == 5


# Each call counts on.
def test_make_counter_third():
    count = make_counter()
    for _ in range(2):
        count()

    assert count() == 2


def test_make_counter_apart():
    result = [make_counter(1)(), make_counter(1)()]
    assert result == [1, 1]
    assert not any(isinstance(item, bool) for item in result)
