from datetime import date, timedelta

import pytest

import solution

HOLIDAYS = {date(2024, 1, 1), date(2024, 5, 1), date(2025, 1, 1)}


@pytest.mark.parametrize(
    ("day", "months", "end"),
    [
        (date(2024, 1, 31), 1, date(2024, 2, 29)),
        (date(2023, 1, 31), 1, date(2023, 2, 28)),
        (date(2024, 2, 10), 0, date(2024, 2, 29)),
        (date(2024, 12, 31), 0, date(2024, 12, 31)),
        (date(2024, 11, 5), 1, date(2024, 12, 31)),
        (date(2024, 11, 5), 2, date(2025, 1, 31)),
        (date(2024, 3, 31), -1, date(2024, 2, 29)),
        (date(2024, 1, 15), -1, date(2023, 12, 31)),
        (date(2024, 1, 15), -13, date(2022, 12, 31)),
        (date(2024, 2, 29), 12, date(2025, 2, 28)),
        (date(2024, 4, 30), 24, date(2026, 4, 30)),
    ],
)
def test_month_end(day, months, end):
    assert solution.month_end(day, months) == end


@pytest.mark.parametrize(
    ("year", "month", "day"),
    [
        (2024, 1, date(2024, 1, 4)),  # Monday the 1st is a holiday
        (2024, 2, date(2024, 2, 3)),  # Thursday, Friday, Saturday
        (2024, 3, date(2024, 3, 4)),  # Friday, Saturday, Monday
        (2024, 6, date(2024, 6, 4)),  # starts on a Saturday
        (2024, 9, date(2024, 9, 4)),  # starts on a Sunday
        (2024, 5, date(2024, 5, 4)),  # Wednesday the 1st is a holiday
        (2024, 12, date(2024, 12, 4)),
    ],
)
def test_third_workday(year, month, day):
    assert solution.third_workday(year, month, HOLIDAYS) == day
    assert solution.third_workday(year, month, sorted(HOLIDAYS)) == day


def test_third_workday_without_holidays():
    assert solution.third_workday(2024, 1, []) == date(2024, 1, 3)


def test_third_workday_holiday_on_a_sunday():
    assert solution.third_workday(2024, 9, {date(2024, 9, 1)}) == date(2024, 9, 4)


def test_lease_end_examples():
    assert solution.lease_end(date(2024, 1, 3), 3, HOLIDAYS) == date(2024, 3, 31)
    assert solution.lease_end(date(2024, 1, 5), 3, HOLIDAYS) == date(2024, 4, 30)


@pytest.mark.parametrize(
    ("received", "months", "end"),
    [
        (date(2024, 1, 4), 3, date(2024, 3, 31)),
        (date(2024, 1, 1), 3, date(2024, 3, 31)),
        (date(2024, 2, 3), 1, date(2024, 2, 29)),
        (date(2024, 2, 4), 1, date(2024, 3, 31)),
        (date(2024, 1, 31), 1, date(2024, 2, 29)),
        (date(2024, 10, 2), 3, date(2024, 12, 31)),
        (date(2024, 10, 31), 3, date(2025, 1, 31)),
        (date(2024, 12, 31), 2, date(2025, 2, 28)),
        (date(2024, 12, 2), 12, date(2025, 11, 30)),
    ],
)
def test_lease_end(received, months, end):
    assert solution.lease_end(received, months, HOLIDAYS) == end


@pytest.mark.parametrize(
    ("end", "months", "day"),
    [
        (date(2024, 3, 31), 3, date(2024, 1, 4)),
        (date(2024, 2, 29), 1, date(2024, 2, 3)),
        (date(2025, 1, 31), 3, date(2024, 11, 4)),
        (date(2024, 11, 30), 12, date(2023, 12, 4)),
        (date(2024, 4, 30), 2, date(2024, 3, 4)),
    ],
)
def test_last_notice_day(end, months, day):
    assert solution.last_notice_day(end, months, HOLIDAYS) == day


@pytest.mark.parametrize("end", [date(2024, 2, 28), date(2024, 3, 30), date(2024, 4, 1), date(2023, 2, 27)])
def test_not_a_month_end(end):
    with pytest.raises(ValueError):
        solution.last_notice_day(end, 3, HOLIDAYS)
    with pytest.raises(ValueError):
        solution.days_left(date(2023, 1, 1), end, 3, HOLIDAYS)


@pytest.mark.parametrize("months", [0, -1])
def test_no_period(months):
    with pytest.raises(ValueError):
        solution.lease_end(date(2024, 1, 3), months, HOLIDAYS)
    with pytest.raises(ValueError):
        solution.last_notice_day(date(2024, 3, 31), months, HOLIDAYS)
    with pytest.raises(ValueError):
        solution.days_left(date(2024, 1, 3), date(2024, 3, 31), months, HOLIDAYS)


def test_there_and_back():
    end = date(2022, 1, 31)
    while end < date(2026, 1, 1):
        for months in (1, 3, 9):
            last = solution.last_notice_day(end, months, HOLIDAYS)
            assert solution.lease_end(last, months, HOLIDAYS) == end
            assert solution.lease_end(last + timedelta(days=1), months, HOLIDAYS) > end
        end = solution.month_end(end, 1)


def test_days_left():
    end = date(2024, 3, 31)
    assert solution.days_left(date(2024, 1, 4), end, 3, HOLIDAYS) == 0
    assert solution.days_left(date(2024, 1, 3), end, 3, HOLIDAYS) == 1
    assert solution.days_left(date(2023, 12, 4), end, 3, HOLIDAYS) == 31
    assert solution.days_left(date(2024, 1, 5), end, 3, HOLIDAYS) is None


def test_holidays_stay():
    holidays = [date(2025, 1, 1), date(2024, 1, 1)]
    solution.days_left(date(2024, 1, 3), date(2024, 3, 31), 3, holidays)
    solution.lease_end(date(2024, 1, 3), 3, holidays)
    assert holidays == [date(2025, 1, 1), date(2024, 1, 1)]
