from datetime import date

import pytest

import solution

FIRST = date(2024, 1, 15)


def test_without_interest():
    assert solution.repayment_plan(1000, "0", 400, FIRST) == [
        (date(2024, 1, 15), 0, 400, 600),
        (date(2024, 2, 15), 0, 400, 200),
        (date(2024, 3, 15), 0, 200, 0),
    ]


def test_with_interest():
    # 0.3 % a month
    assert solution.repayment_plan(100000, "3.6", 50000, FIRST) == [
        (date(2024, 1, 15), 300, 50000, 50300),
        (date(2024, 2, 15), 151, 50000, 451),
        (date(2024, 3, 15), 1, 452, 0),
    ]


def test_exactly_paid_at_the_end():
    assert solution.repayment_plan(800, "0", 400, FIRST) == [(date(2024, 1, 15), 0, 400, 400), (date(2024, 2, 15), 0, 400, 0)]


def test_instalment_above_the_amount():
    assert solution.repayment_plan(10000, "12", 20000, FIRST) == [(FIRST, 100, 10100, 0)]


@pytest.mark.parametrize(("amount", "interest"), [(50, 1), (150, 2), (250, 3), (49, 0), (149, 1), (151, 2)])
def test_half_a_cent_up(amount, interest):
    # 1 % a month
    assert solution.repayment_plan(amount, "12", 1000, FIRST) == [(FIRST, interest, amount + interest, 0)]


def test_exact_rate():
    # 1.15 % of a year: 60000 * 1.15 / 1200 = 57.5
    assert solution.repayment_plan(60000, "1.15", 100000, FIRST)[0][1] == 58
    # 0.29 %: 180000 * 0.29 / 1200 = 43.5
    assert solution.repayment_plan(180000, "0.29", 200000, FIRST)[0][1] == 44


def test_big_amount():
    # 10 ** 20 + 50 cents at 1 % a month
    assert solution.repayment_plan(10**20 + 50, "12", 10**21, FIRST)[0][1] == 10**18 + 1


def dates(first, count):
    return [line[0] for line in solution.repayment_plan(count * 100, "0", 100, first)]


def test_due_dates_at_the_end_of_the_month():
    assert dates(date(2024, 1, 31), 5) == [date(2024, 1, 31), date(2024, 2, 29), date(2024, 3, 31), date(2024, 4, 30), date(2024, 5, 31)]
    assert dates(date(2022, 12, 30), 4) == [date(2022, 12, 30), date(2023, 1, 30), date(2023, 2, 28), date(2023, 3, 30)]


def test_due_dates_from_the_29th_of_february():
    days = dates(date(2024, 2, 29), 14)
    assert days[1] == date(2024, 3, 29)
    assert days[12] == date(2025, 2, 28)
    assert days[13] == date(2025, 3, 29)


def test_due_dates_from_the_30th_of_april():
    assert dates(date(2024, 4, 30), 2) == [date(2024, 4, 30), date(2024, 5, 30)]


def test_extra():
    extra = {date(2024, 2, 15): 100, date(2024, 2, 16): 50, date(2023, 6, 1): 30, date(2024, 1, 15): 5}
    before = dict(extra)
    assert solution.repayment_plan(1000, "0", 400, FIRST, extra) == [
        (date(2024, 1, 15), 0, 435, 565),
        (date(2024, 2, 15), 0, 500, 65),
        (date(2024, 3, 15), 0, 65, 0),
    ]
    assert extra == before


def test_extra_after_interest():
    # 1 % a month: the extra money of 20 January comes off on 15 February, after the interest on 9100
    assert solution.repayment_plan(10000, "12", 1000, FIRST, {date(2024, 1, 20): 5000})[:2] == [
        (date(2024, 1, 15), 100, 1000, 9100),
        (date(2024, 2, 15), 91, 6000, 3191),
    ]


def test_extra_more_than_owed():
    assert solution.repayment_plan(1000, "0", 400, FIRST, {date(2024, 1, 10): 9999}) == [(FIRST, 0, 1000, 0)]


def test_extra_exactly_what_is_owed():
    assert solution.repayment_plan(1000, "0", 400, FIRST, {date(2024, 1, 10): 600}) == [(FIRST, 0, 1000, 0)]


def test_extra_too_late():
    assert solution.repayment_plan(400, "0", 400, FIRST, {date(2024, 1, 16): 100}) == [(FIRST, 0, 400, 0)]


def test_extra_with_a_short_month():
    extra = {date(2024, 2, 29): 10, date(2024, 3, 1): 20, date(2024, 3, 31): 40}
    plan = solution.repayment_plan(1000, "0", 100, date(2024, 1, 31), extra)
    assert [line[2] for line in plan[:3]] == [100, 110, 160]


def test_instalment_that_gets_nowhere():
    for instalment in (99, 100, 0, -5):
        with pytest.raises(ValueError):
            solution.repayment_plan(10000, "12", instalment, FIRST)
    with pytest.raises(ValueError):
        solution.repayment_plan(10000, "12", 100, FIRST, {FIRST: 9000})
    with pytest.raises(ValueError):
        solution.repayment_plan(10000, "0", 0, FIRST)
    assert len(solution.repayment_plan(10000, "12", 101, FIRST)) > 100


def test_bad_values():
    with pytest.raises(ValueError):
        solution.repayment_plan(-1, "3", 100, FIRST)
    with pytest.raises(ValueError):
        solution.repayment_plan(1000, "-0.1", 100, FIRST)
    for cents in (0, -5):
        with pytest.raises(ValueError):
            solution.repayment_plan(1000, "3", 100, FIRST, {FIRST: 10, date(2030, 1, 1): cents})


@pytest.mark.parametrize("instalment", [100, 0, -1])
def test_nothing_owed(instalment):
    assert solution.repayment_plan(0, "3", instalment, FIRST) == []
    assert solution.repayment_plan(0, "3", instalment, FIRST, {FIRST: 100}) == []
