import pytest

import solution


def test_simple():
    drawer = {200: 3, 50: 1, 20: 3, 10: 0}
    assert solution.pay_change(drawer, 250) == {200: 1, 50: 1}
    assert drawer == {200: 2, 50: 0, 20: 3, 10: 0}


def test_example():
    drawer = {50: 1, 20: 3}
    assert solution.pay_change(drawer, 60) == {20: 3}
    assert drawer == {50: 1, 20: 0}


def test_example_no_change():
    drawer = {50: 1, 20: 3}
    with pytest.raises(solution.NoChange) as caught:
        solution.pay_change(drawer, 80)
    assert (caught.value.amount, caught.value.short) == (80, 10)
    assert drawer == {50: 1, 20: 3}


def test_fewest_pieces():
    drawer = {50: 2, 40: 2, 10: 5}
    assert solution.pay_change(drawer, 80) == {40: 2}
    assert drawer == {50: 2, 40: 0, 10: 5}


def test_numbers_in_the_drawer_bind():
    assert solution.pay_change({50: 2, 40: 1, 10: 5}, 80) == {50: 1, 10: 3}


def test_tie_more_of_the_highest():
    # 50 + 10 and 30 + 30
    assert solution.pay_change({30: 2, 50: 1, 10: 1}, 60) == {50: 1, 10: 1}


def test_tie_decided_by_the_second_highest():
    # 100 + 50 + 10, 100 + 40 + 20, 100 + 30 + 30
    assert solution.pay_change({10: 1, 20: 1, 30: 2, 40: 1, 50: 1, 100: 1}, 160) == {100: 1, 50: 1, 10: 1}
    assert solution.pay_change({20: 1, 30: 2, 40: 1, 100: 1}, 160) == {100: 1, 40: 1, 20: 1}


def test_highest_value_first():
    paid = solution.pay_change({1: 1, 10: 1, 5: 1, 100: 1}, 116)
    assert list(paid.items()) == [(100, 1), (10, 1), (5, 1), (1, 1)]


def test_drawer_keeps_its_object_and_values():
    drawer = {10: 1, 5: 2}
    solution.pay_change(drawer, 20)
    assert drawer == {10: 0, 5: 0}


@pytest.mark.parametrize("drawer", [{}, {10: 0}, {10: 5}])
def test_zero(drawer):
    before = dict(drawer)
    assert solution.pay_change(drawer, 0) == {}
    assert drawer == before


def test_negative():
    drawer = {10: 5}
    with pytest.raises(ValueError):
        solution.pay_change(drawer, -10)
    assert drawer == {10: 5}


def test_no_change_is_derived_from_exception():
    assert solution.NoChange.__bases__ == (Exception,)


@pytest.mark.parametrize(
    ("drawer", "amount", "short"),
    [
        ({}, 30, 30),
        ({10: 0}, 30, 30),
        ({50: 1}, 30, 30),
        ({10: 2}, 30, 10),
        ({50: 1, 20: 3}, 55, 5),
        ({50: 1, 20: 3}, 200, 90),
        ({100: 1, 30: 3}, 110, 10),
        ({50: 1, 30: 2}, 70, 10),
    ],
)
def test_short(drawer, amount, short):
    before = dict(drawer)
    with pytest.raises(solution.NoChange) as caught:
        solution.pay_change(drawer, amount)
    assert (caught.value.amount, caught.value.short) == (amount, short)
    assert drawer == before


def test_take_in():
    drawer = {200: 1, 20: 0}
    assert solution.take_in(drawer, [200, 20, 20, 5]) == 245
    assert drawer == {200: 2, 20: 2, 5: 1}


def test_take_in_nothing():
    drawer = {200: 1}
    assert solution.take_in(drawer, []) == 0
    assert drawer == {200: 1}


@pytest.mark.parametrize("pieces", [[0], [20, -5], [20, 50, 0, 50]])
def test_take_in_all_or_nothing(pieces):
    drawer, given = {20: 1}, list(pieces)
    with pytest.raises(ValueError):
        solution.take_in(drawer, pieces)
    assert drawer == {20: 1}
    assert pieces == given


def test_take_in_leaves_the_pieces():
    pieces = [50, 20, 50]
    solution.take_in({}, pieces)
    assert pieces == [50, 20, 50]


def test_in_then_out():
    drawer = {}
    solution.take_in(drawer, [40, 40, 30, 30])
    assert solution.pay_change(drawer, 70) == {40: 1, 30: 1}
    with pytest.raises(solution.NoChange) as caught:
        solution.pay_change(drawer, 60)
    assert caught.value.short == 20
    assert drawer == {40: 1, 30: 1}
