from decimal import Decimal

import pytest

import solution
from solution import Reading

TIERS = [(10, Decimal("1.00")), (30, Decimal("1.50")), (None, Decimal("3.00"))]


def reading(year, month, value=0):
    return Reading(year=year, month=month, value=value, estimated=False)


def test_parse():
    assert solution.parse_reading(" 2023-11 00412 ") == Reading(2023, 11, 412, False)


def test_parse_estimated():
    found = solution.parse_reading("2023-12 00430e")
    assert (found.year, found.month, found.value, found.estimated) == (2023, 12, 430, True)


@pytest.mark.parametrize("line", ["", "2023-13 1", "2023-00 1", "2023-1 1", "23-01 1", "2023-01", "2023-01 1x", "2023-01 e", "2023-01 1 e", "2023-01 -1"])
def test_parse_error(line):
    with pytest.raises(solution.ReadingError):
        solution.parse_reading(line)


def test_error_kind():
    assert issubclass(solution.ReadingError, ValueError)


def test_months():
    assert solution.months_between(reading(2023, 11), reading(2024, 1)) == 2
    assert solution.months_between(reading(2023, 1), reading(2023, 2)) == 1
    assert solution.months_between(reading(2022, 12), reading(2024, 12)) == 24


@pytest.mark.parametrize(("year", "month"), [(2023, 5), (2023, 4), (2022, 12)])
def test_months_error(year, month):
    with pytest.raises(solution.ReadingError):
        solution.months_between(reading(2023, 5), reading(year, month))


@pytest.mark.parametrize(("previous", "current", "units"), [(412, 449, 37), (99990, 10, 20), (99999, 0, 1), (7, 7, 0)])
def test_used(previous, current, units):
    assert solution.used(reading(2023, 1, previous), reading(2023, 2, current), 5) == units


def test_used_error():
    with pytest.raises(solution.ReadingError):
        solution.used(reading(2023, 1, 999), reading(2023, 2, 1000), 3)
    with pytest.raises(solution.ReadingError):
        solution.used(reading(2023, 1, 1000), reading(2023, 2, 1), 3)


@pytest.mark.parametrize(
    ("units", "months", "amount"),
    [
        (0, 1, "0"),
        (10, 1, "10"),
        (11, 1, "11.5"),
        (30, 1, "40"),
        (31, 1, "43"),
        (20, 2, "20"),
        (21, 2, "21.5"),
        (60, 2, "80"),
        (61, 2, "83"),
    ],
)
def test_price(units, months, amount):
    assert solution.price(units, months, TIERS) == Decimal(amount)


def test_price_is_exact():
    assert solution.price(3, 1, [(None, Decimal("0.3333"))]) == Decimal("0.9999")


def test_bill_skips_estimates():
    text = "2023-11 00412\n2023-12 00430e\n\n2024-01 00449\n"
    found = solution.bill(text, 5, TIERS)
    assert found == "2023-11 to 2024-01: 37 units, 45.50\ntotal: 45.50"


def test_bill_with_a_full_turn():
    text = "2023-01 995\n2023-02 5\n2023-03 5"
    assert solution.bill(text, 3, TIERS) == (
        "2023-01 to 2023-02: 10 units, 10.00\n2023-02 to 2023-03: 0 units, 0.00\ntotal: 10.00"
    )


def test_bill_sums_rounded_amounts():
    tiers = [(None, Decimal("0.005"))]
    found = solution.bill("2023-01 0\n2023-02 1\n2023-03 2\n2023-04 3", 5, tiers)
    assert found.splitlines()[0].endswith(", 0.01")
    assert found.splitlines()[-1] == "total: 0.03"


def test_bill_half_up():
    tiers = [(None, Decimal("0.125"))]
    assert solution.bill("2023-01 0\n2023-02 1", 5, tiers).endswith("total: 0.13")
    tiers = [(None, Decimal("0.145"))]
    assert solution.bill("2023-01 0\n2023-02 1", 5, tiers).endswith("total: 0.15")


@pytest.mark.parametrize("text", ["", "2023-01 5", "2023-01 5\n2023-02 9e", "2023-01 5e\n2023-02 9e"])
def test_bill_of_too_few(text):
    assert solution.bill(text, 5, TIERS) == "total: 0.00"


def test_bill_estimates_are_left_out_entirely():
    # an estimate that's too large for the meter and out of order plays no part
    text = "2023-01 5\n2022-01 77777e\n2023-02 9"
    assert solution.bill(text, 3, TIERS).endswith("total: 4.00")


def test_bill_checks_the_form_of_estimates():
    with pytest.raises(solution.ReadingError):
        solution.bill("2023-01 5\n2023-14 7e\n2023-02 9", 5, TIERS)


def test_bill_twice_the_same_month():
    with pytest.raises(solution.ReadingError):
        solution.bill("2023-01 5\n2023-01 9", 5, TIERS)
