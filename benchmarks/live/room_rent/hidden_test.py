from datetime import date
from decimal import Decimal

import pytest

import solution

RENT = Decimal("900.00")


def due(start, end, rent=RENT):
    return [(month, str(amount)) for month, amount in solution.rent_due(rent, start, end)]


def test_example():
    found = solution.rent_due(RENT, date(2024, 2, 16), date(2024, 4, 1))
    assert found == [("2024-02", Decimal("434.48")), ("2024-03", Decimal("900.00"))]


def test_common_february():
    assert due(date(2023, 2, 15), date(2023, 3, 1)) == [("2023-02", "450.00")]


def test_full_month():
    assert due(date(2024, 2, 1), date(2024, 3, 1)) == [("2024-02", "900.00")]


def test_last_day_unpaid():
    assert due(date(2024, 4, 1), date(2024, 4, 30)) == [("2024-04", "870.00")]


def test_no_month_for_the_first_of_it():
    assert due(date(2024, 3, 1), date(2024, 5, 1)) == [("2024-03", "900.00"), ("2024-04", "900.00")]


def test_turn_of_the_year():
    assert due(date(2023, 12, 1), date(2024, 2, 1)) == [("2023-12", "900.00"), ("2024-01", "900.00")]


def test_within_one_month():
    assert due(date(2024, 4, 11), date(2024, 4, 21)) == [("2024-04", "300.00")]


def test_both_ends_partial():
    assert due(date(2024, 4, 16), date(2024, 6, 16)) == [("2024-04", "450.00"), ("2024-05", "900.00"), ("2024-06", "450.00")]


def test_at_least_a_quarter():
    assert due(date(2024, 4, 1), date(2024, 4, 2)) == [("2024-04", "225.00")]
    assert due(date(2024, 4, 30), date(2024, 5, 2)) == [("2024-04", "225.00"), ("2024-05", "225.00")]


def test_just_around_a_quarter():
    # 7 of 28 days are exactly a quarter
    assert due(date(2023, 2, 1), date(2023, 2, 8)) == [("2023-02", "225.00")]
    assert due(date(2023, 2, 1), date(2023, 2, 9)) == [("2023-02", "257.14")]
    assert due(date(2024, 4, 1), date(2024, 4, 9)) == [("2024-04", "240.00")]


def test_quarter_is_rounded_half_up():
    assert due(date(2024, 4, 1), date(2024, 4, 2), Decimal("100.10")) == [("2024-04", "25.03")]
    assert due(date(2024, 4, 1), date(2024, 4, 2), Decimal("100.02")) == [("2024-04", "25.01")]


def test_share_is_rounded_half_up():
    assert due(date(2024, 4, 1), date(2024, 4, 16), Decimal("100.01")) == [("2024-04", "50.01")]
    assert due(date(2024, 4, 1), date(2024, 4, 16), Decimal("100.05")) == [("2024-04", "50.03")]
    assert due(date(2024, 4, 1), date(2024, 4, 16), Decimal("100.09")) == [("2024-04", "50.05")]


def test_two_places():
    assert due(date(2024, 4, 1), date(2024, 5, 1), Decimal("900")) == [("2024-04", "900.00")]


def test_same_day():
    assert due(date(2024, 4, 10), date(2024, 4, 10)) == []
    assert due(date(2024, 4, 1), date(2024, 4, 1)) == []


def test_backwards():
    with pytest.raises(ValueError):
        solution.rent_due(RENT, date(2024, 4, 10), date(2024, 4, 9))
