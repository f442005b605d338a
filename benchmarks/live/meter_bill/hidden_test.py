from decimal import Decimal as D

import pytest

from solution import bill, cost, usage

TIERS = [(100, D("0.305")), (None, D("0.20"))]
THREE = [(10, D("1")), (30, D("0.5")), (None, D("0.25"))]


def test_usage_plain():
    assert usage(120, 345) == 225


def test_usage_equal_is_zero():
    assert usage(500, 500) == 0


def test_usage_rolls_over():
    assert usage(99990, 5) == 15
    assert usage(99999, 0) == 1


def test_usage_other_digits():
    assert usage(990, 10, digits=3) == 20
    assert usage(9, 8, 1) == 9


def test_usage_does_not_fit():
    with pytest.raises(ValueError):
        usage(0, 100000)
    with pytest.raises(ValueError):
        usage(1000, 5, digits=3)
    assert usage(0, 999, digits=3) == 999


def test_usage_negative():
    with pytest.raises(ValueError):
        usage(-1, 5)
    with pytest.raises(ValueError):
        usage(5, -1)


def test_cost_example():
    assert cost(101, TIERS) == D("30.70")


def test_cost_boundary_is_included():
    assert cost(100, TIERS) == D("30.50")


def test_cost_half_goes_up():
    assert cost(1, TIERS) == D("0.31")
    assert cost(1, [(None, D("0.125"))]) == D("0.13")


def test_cost_rounded_only_at_the_end():
    tiers = [(1, D("0.004")), (2, D("0.004")), (None, D("0.004"))]
    assert cost(3, tiers) == D("0.01")
    assert cost(1, tiers) == D("0")


def test_cost_three_tiers_counted_from_zero():
    assert cost(30, THREE) == D("20")
    assert cost(34, THREE) == D("21")
    assert cost(11, THREE) == D("10.50")


def test_cost_zero():
    assert cost(0, TIERS) == D("0")


def test_cost_negative():
    with pytest.raises(ValueError):
        cost(-1, TIERS)


def test_cost_bad_tiers():
    one = D("1")
    for tiers in (
        [],
        [(100, one)],
        [(None, one), (None, one)],
        [(100, one), (100, one), (None, one)],
        [(100, one), (50, one), (None, one)],
        [(None, one), (100, one)],
    ):
        with pytest.raises(ValueError):
            cost(5, tiers)


def test_bill_one_period():
    assert bill([1000, 1101], TIERS, D("5.00")) == D("35.70")


def test_bill_periods_are_rounded_on_their_own():
    assert bill([0, 1, 2], TIERS, D("0")) == D("0.62")


def test_bill_tiers_start_fresh():
    assert bill([0, 100, 200], TIERS, D("2.50")) == D("66.00")


def test_bill_no_fee_without_use():
    assert bill([7, 7, 17, 17], THREE, D("3")) == D("13")
    assert bill([7, 7], THREE, D("3")) == D("0")


def test_bill_rolls_over_with_digits():
    assert bill([995, 5], THREE, D("1"), digits=3) == D("11")
    with pytest.raises(ValueError):
        bill([995, 1000], THREE, D("1"), digits=3)


def test_bill_too_few_readings():
    assert bill([], TIERS, D("5")) == D("0")
    got = bill([123], TIERS, D("5"))
    assert got == D("0")
    assert isinstance(got, D)
