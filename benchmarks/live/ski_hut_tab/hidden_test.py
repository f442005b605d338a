from decimal import Decimal

import pytest

import solution


def split(total, nights):
    return {name: str(amount) for name, amount in solution.split_tab(Decimal(total), nights).items()}


def test_example():
    assert split("10.00", {"Ida": 1, "Jo": 1, "Kai": 1}) == {"Ida": "3.34", "Jo": "3.33", "Kai": "3.33"}


def test_even():
    assert split("9", {"Ida": 1, "Jo": 2}) == {"Ida": "3.00", "Jo": "6.00"}


def test_two_cents_over():
    assert split("0.05", {"C": 1, "B": 1, "A": 1}) == {"C": "0.02", "B": "0.02", "A": "0.01"}


def test_largest_part_first():
    # 100 cents over 7 nights: 14 2/7, 28 4/7, 57 1/7
    assert split("1.00", {"A": 1, "B": 2, "C": 4}) == {"A": "0.14", "B": "0.29", "C": "0.57"}


def test_largest_part_of_the_last():
    # 10 cents over 8 nights: 3 6/8, 3 6/8, 2 4/8
    assert split("0.10", {"A": 2, "B": 3, "C": 3}) == {"A": "0.02", "B": "0.04", "C": "0.04"}


def test_ties_to_the_earlier():
    # 11 cents over 4: 2 3/4, 2 3/4, 2 3/4, 2 3/4
    assert split("0.11", {"D": 1, "C": 1, "B": 1, "A": 1}) == {"D": "0.03", "C": "0.03", "B": "0.03", "A": "0.02"}


def test_order_of_the_guest_book():
    assert list(split("10", {"Z": 1, "A": 2, "M": 3})) == ["Z", "A", "M"]


def test_nobody_gets_two():
    found = solution.split_tab(Decimal("0.03"), dict.fromkeys("ABCDE", 1))
    assert [str(amount) for amount in found.values()] == ["0.01", "0.01", "0.01", "0.00", "0.00"]


def test_zero_nights():
    assert split("10", {"A": 0, "B": 3, "C": 0}) == {"A": "0.00", "B": "10.00", "C": "0.00"}


def test_zero_nights_get_no_cent():
    assert split("0.01", {"A": 0, "B": 1, "C": 1}) == {"A": "0.00", "B": "0.01", "C": "0.00"}


def test_refund_is_the_mirror_image():
    assert split("-10.00", {"Ida": 1, "Jo": 1, "Kai": 1}) == {"Ida": "-3.34", "Jo": "-3.33", "Kai": "-3.33"}


def test_refund_of_a_cent():
    assert split("-0.01", {"A": 1, "B": 1, "C": 0}) == {"A": "-0.01", "B": "0.00", "C": "0.00"}


def test_total_zero():
    assert split("0", {"A": 1, "B": 1}) == {"A": "0.00", "B": "0.00"}


def test_sum():
    for cents in range(200):
        total = Decimal(cents) / 100
        assert sum(solution.split_tab(total, {"A": 3, "B": 5, "C": 7, "D": 0, "E": 11}).values()) == total


def test_large_amounts_are_exact():
    total = Decimal("98765432109876543210.01")
    assert sum(solution.split_tab(total, {"A": 1}).values()) == total


@pytest.mark.parametrize("nights", [{}, {"A": 0}, {"A": 0, "B": 0}, {"A": 3, "B": -1}, {"A": -1, "B": -1}, {"A": 1, "B": -1}])
def test_errors(nights):
    with pytest.raises(ValueError):
        solution.split_tab(Decimal("10"), nights)


def test_error_with_total_zero():
    with pytest.raises(ValueError):
        solution.split_tab(Decimal("0"), {"A": 0})
