from datetime import date

import pytest

import solution
from solution import Interval

PLAN = "4w, 4w, 12m"


def test_parse():
    assert solution.parse_plan(" 4w,10d , 12m") == [(4, "w"), (10, "d"), (12, "m")]
    assert solution.parse_plan("3m")[0].unit == "m"
    assert solution.parse_plan("3m")[0].number == 3


@pytest.mark.parametrize("text", ["", "  "])
def test_parse_empty(text):
    assert solution.parse_plan(text) == []


@pytest.mark.parametrize("text", ["4", "w", "0w", "4y", "4w,", "4w 4w", "-1d", "4W", ",", "1.5m"])
def test_parse_error(text):
    with pytest.raises(solution.PlanError):
        solution.parse_plan(text)


def test_error_kind():
    assert issubclass(solution.PlanError, ValueError)


@pytest.mark.parametrize(
    ("day", "interval", "later"),
    [
        (date(2024, 1, 31), Interval(1, "m"), date(2024, 2, 29)),
        (date(2023, 1, 31), Interval(1, "m"), date(2023, 2, 28)),
        (date(2024, 11, 30), Interval(1, "m"), date(2024, 12, 30)),
        (date(2024, 12, 15), Interval(1, "m"), date(2025, 1, 15)),
        (date(2024, 2, 29), Interval(12, "m"), date(2025, 2, 28)),
        (date(2024, 2, 29), Interval(48, "m"), date(2028, 2, 29)),
        (date(2024, 5, 31), Interval(13, "m"), date(2025, 6, 30)),
        (date(2024, 2, 20), Interval(2, "w"), date(2024, 3, 5)),
        (date(2023, 12, 31), Interval(1, "d"), date(2024, 1, 1)),
    ],
)
def test_add_interval(day, interval, later):
    assert solution.add_interval(day, interval) == later


def test_valid_all():
    given = [date(2024, 1, 1), date(2024, 1, 29), date(2024, 2, 26)]
    assert solution.valid_doses(PLAN, given) == given


def test_valid_at_the_limit():
    # due on 29 January
    assert len(solution.valid_doses(PLAN, [date(2024, 1, 1), date(2024, 1, 25)])) == 2
    assert len(solution.valid_doses(PLAN, [date(2024, 1, 1), date(2024, 1, 24)])) == 1


def test_valid_too_early_is_ignored():
    given = [date(2024, 1, 1), date(2024, 1, 20), date(2024, 1, 30), date(2024, 2, 27)]
    assert solution.valid_doses(PLAN, given) == [date(2024, 1, 1), date(2024, 1, 30), date(2024, 2, 27)]


def test_valid_any_order_unmodified():
    given = [date(2024, 1, 29), date(2024, 1, 1)]
    assert solution.valid_doses(PLAN, given) == [date(2024, 1, 1), date(2024, 1, 29)]
    assert given == [date(2024, 1, 29), date(2024, 1, 1)]


def test_valid_stops_when_full():
    given = [date(2024, 1, 1), date(2024, 2, 1), date(2024, 3, 1)]
    assert solution.valid_doses("1w", given) == given[:2]
    assert solution.valid_doses("", given) == given[:1]


def test_valid_the_same_day_twice():
    assert solution.valid_doses(PLAN, [date(2024, 1, 1), date(2024, 1, 1)]) == [date(2024, 1, 1)]


def test_next_due_from_the_actual_dose():
    assert solution.next_due(PLAN, [date(2024, 1, 1), date(2024, 2, 10)]) == date(2024, 3, 9)
    assert solution.next_due(PLAN, [date(2024, 1, 1), date(2024, 1, 26)]) == date(2024, 2, 23)


def test_next_due_none():
    assert solution.next_due(PLAN, []) is None
    assert solution.next_due("1w", [date(2024, 1, 1), date(2024, 1, 8)]) is None
    assert solution.next_due("", [date(2024, 1, 1)]) is None


def test_status_not_started():
    assert solution.status(PLAN, [], date(2024, 1, 1)) == "not started"
    assert solution.status(PLAN, [date(2024, 1, 2)], date(2024, 1, 1)) == "not started"


def test_status_due():
    given = [date(2024, 1, 1)]
    assert solution.status(PLAN, given, date(2024, 1, 10)) == "due on 2024-01-29 (1/4)"
    assert solution.status(PLAN, given, date(2024, 1, 29)) == "due on 2024-01-29 (1/4)"


def test_status_overdue():
    given = [date(2024, 1, 1)]
    assert solution.status(PLAN, given, date(2024, 1, 30)) == "overdue by 1 day (1/4)"
    assert solution.status(PLAN, given, date(2024, 2, 1)) == "overdue by 3 days (1/4)"


def test_status_complete():
    assert solution.status("1w", [date(2024, 1, 1), date(2024, 1, 8)], date(2024, 1, 8)) == "complete (2/2)"
    assert solution.status("", [date(2024, 1, 1)], date(2024, 1, 8)) == "complete (1/1)"


def test_status_counts_only_what_counts():
    given = [date(2024, 1, 1), date(2024, 1, 3)]
    assert solution.status(PLAN, given, date(2024, 1, 10)) == "due on 2024-01-29 (1/4)"


def test_status_without_the_future():
    given = [date(2024, 1, 1), date(2024, 1, 29)]
    assert solution.status(PLAN, given, date(2024, 1, 28)) == "due on 2024-01-29 (1/4)"
    assert solution.status(PLAN, given, date(2024, 1, 29)) == "due on 2024-02-26 (2/4)"
