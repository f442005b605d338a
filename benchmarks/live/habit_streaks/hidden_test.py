from datetime import date, timedelta

import pytest

import solution


def days(*numbers):
    """Days from Monday 26 February 2024 on, which is 1; so 7 is a Sunday, 8 a Monday."""
    return [date(2024, 2, 25) + timedelta(days=n) for n in numbers]


def day(number):
    return days(number)[0]


def longest(*numbers):
    found = solution.longest_streak(days(*numbers))
    return found and (found[0], (found[1] - day(0)).days, (found[2] - day(0)).days)


def test_plain():
    assert solution.longest_streak(days(3, 4, 5)) == (3, date(2024, 2, 28), date(2024, 3, 1))


def test_one_day():
    assert longest(4) == (1, 4, 4)


def test_nothing():
    assert solution.longest_streak([]) is None
    assert solution.current_streak([], day(1)) == 0


def test_missed_day_does_not_add():
    assert longest(1, 2, 4) == (3, 1, 4)


def test_example():
    assert longest(1, 3, 5, 6) == (3, 3, 6)


def test_two_missed_days_in_a_row():
    assert longest(1, 2, 3, 6, 7) == (3, 1, 3)


def test_sunday_and_monday_missed():
    # in different weeks, but neither stands alone
    assert longest(4, 5, 6, 9, 10) == (3, 4, 6)


def test_missed_days_in_different_weeks():
    # Saturday of one week, Monday of the next
    assert longest(4, 5, 7, 9, 10) == (5, 4, 10)


def test_one_missed_day_a_week():
    assert longest(1, 2, 3, 4, 5, 6, 8, 9, 11, 12, 13, 14, 16) == (13, 1, 16)


def test_second_missed_day_of_a_week():
    assert longest(1, 3, 4, 6, 7, 8) == (5, 3, 8)


def test_most_recent():
    assert longest(1, 2, 11, 12, 21, 22) == (2, 21, 22)
    assert longest(11, 1) == (1, 11, 11)
    # Monday to Thursday and Wednesday to Saturday, 3 each
    assert longest(1, 3, 4, 6) == (3, 3, 6)


def test_order_and_repetitions():
    assert longest(5, 3, 4, 3, 5, 5) == (3, 3, 5)


def test_generator():
    assert solution.longest_streak(d for d in days(3, 4)) == (2, day(3), day(4))
    assert solution.current_streak((d for d in days(4, 3)), day(4)) == 2


def test_over_the_new_year():
    # 31 December 2024 is a Tuesday, 1 January 2025 a Wednesday: one week
    ticked = [date(2024, 12, 29), date(2024, 12, 31), date(2025, 1, 2), date(2025, 1, 3)]
    # missed: Monday 30 December, Wednesday 1 January
    assert solution.longest_streak(ticked) == (3, date(2024, 12, 31), date(2025, 1, 3))


def test_same_week_number_of_another_year():
    ticked = [date(2024, 2, 28), date(2024, 2, 29), date(2025, 2, 27), date(2025, 3, 1)]
    assert solution.longest_streak(ticked) == (2, date(2025, 2, 27), date(2025, 3, 1))


@pytest.mark.parametrize(
    ("numbers", "today", "length"),
    [
        ((3, 4, 5), 5, 3),
        ((3, 4, 5), 6, 3),
        ((3, 4, 5), 7, 0),
        ((5,), 5, 1),
        ((3, 4, 6), 6, 3),
        ((1, 3, 5, 6), 6, 3),
        ((1, 2, 4), 5, 3),
        ((1, 2, 4, 6), 6, 2),
        ((1, 2, 3, 4, 5, 6), 4, 4),
        ((6, 7), 4, 0),
        ((3, 5, 6), 4, 1),
        ((1, 2, 3, 7), 7, 1),
    ],
)
def test_current(numbers, today, length):
    assert solution.current_streak(days(*numbers), day(today)) == length


def test_long_one():
    ticked = days(*(n for n in range(1, 701) if n % 7 != 3))
    assert solution.longest_streak(ticked) == (600, day(1), day(700))
    assert solution.current_streak(ticked, day(701)) == 600


def test_arguments_stay():
    given = days(5, 3, 4, 3)
    solution.longest_streak(given)
    solution.current_streak(given, day(4))
    assert given == days(5, 3, 4, 3)
    ticked = set(days(5, 3))
    solution.current_streak(ticked, day(3))
    assert ticked == set(days(5, 3))
