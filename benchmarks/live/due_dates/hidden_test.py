from datetime import date

import pytest

from solution import due_dates


def due(rule, first, last):
    got = due_dates(rule, date.fromisoformat(first), date.fromisoformat(last))
    return [day.isoformat() for day in got]


def test_example_month():
    assert due("month:31 prev", "2024-02-01", "2024-04-30") == [
        "2024-02-29",
        "2024-03-29",
        "2024-04-30",
    ]


def test_example_week():
    assert due("week:Mon,Thu -2024-01-04 +2024-01-06", "2024-01-01", "2024-01-08") == [
        "2024-01-01",
        "2024-01-06",
        "2024-01-08",
    ]


def test_result_holds_dates():
    got = due_dates("month:15", date(2024, 1, 1), date(2024, 1, 31))
    assert got == [date(2024, 1, 15)]


def test_over_the_turn_of_the_year():
    assert due("month:15", "2023-11-16", "2024-01-15") == ["2023-12-15", "2024-01-15"]


def test_last_day_of_month():
    assert due("month:last", "2023-02-01", "2023-03-31") == ["2023-02-28", "2023-03-31"]
    assert due("month:last", "2024-02-01", "2024-02-29") == ["2024-02-29"]


def test_short_months_count_once():
    assert due("month:30,31,last", "2024-02-01", "2024-04-30") == [
        "2024-02-29",
        "2024-03-30",
        "2024-03-31",
        "2024-04-30",
    ]


def test_list_of_days_ascending_and_once():
    assert due("month:20,3,20", "2024-05-01", "2024-05-31") == ["2024-05-03", "2024-05-20"]


def test_both_ends_included():
    assert due("month:1", "2024-03-01", "2024-04-01") == ["2024-03-01", "2024-04-01"]
    assert due("month:1", "2024-03-02", "2024-03-31") == []


def test_first_after_last_and_equal():
    assert due("month:1", "2024-03-02", "2024-03-01") == []
    assert due("week:Wed", "2024-01-03", "2024-01-03") == ["2024-01-03"]


def test_week_days():
    assert due("week:Sun,Tue", "2024-06-01", "2024-06-11") == [
        "2024-06-02",
        "2024-06-04",
        "2024-06-09",
        "2024-06-11",
    ]


def test_next_moves_out_of_and_into_the_time():
    assert due("month:30 next", "2024-06-01", "2024-06-30") == []
    assert due("month:30 next", "2024-07-01", "2024-07-01") == ["2024-07-01"]
    assert due("month:31 next", "2024-09-01", "2024-09-15") == ["2024-09-02"]


def test_prev_moves_out_of_and_into_the_time():
    assert due("month:1 prev", "2024-06-01", "2024-06-30") == []
    assert due("month:1 prev", "2024-05-15", "2024-05-31") == ["2024-05-31"]


def test_moved_dates_count_once():
    assert due("week:Sat,Sun next", "2024-06-01", "2024-06-07") == ["2024-06-03"]
    assert due("week:Fri,Sat,Sun prev", "2024-06-03", "2024-06-09") == ["2024-06-07"]


def test_exceptions_look_at_dates_before_moving():
    assert due("month:30 next -2024-06-30", "2024-06-30", "2024-07-01") == []
    assert due("month:30 next -2024-07-01", "2024-06-30", "2024-07-01") == ["2024-07-01"]


def test_month_exception():
    assert due("month:10 -2024-05", "2024-04-01", "2024-06-30") == ["2024-04-10", "2024-06-10"]
    assert due("month:31 next -2024-08", "2024-08-01", "2024-09-15") == []
    assert due("month:31 next -2024-09", "2024-08-01", "2024-09-15") == ["2024-09-02"]


def test_additional_dates_are_not_moved():
    assert due("month:5 prev +2024-06-30", "2024-06-01", "2024-06-30") == [
        "2024-06-05",
        "2024-06-30",
    ]


def test_additional_dates_are_not_left_out():
    rule = "month:5 +2024-06-20 -2024-06-20 -2024-06"
    assert due(rule, "2024-06-01", "2024-06-30") == ["2024-06-20"]


def test_additional_dates_once_and_only_in_time():
    rule = "month:5 +2024-06-05 +2024-06-07 +2024-06-07 +2024-07-01"
    assert due(rule, "2024-06-01", "2024-06-30") == ["2024-06-05", "2024-06-07"]


def test_words_in_any_order_and_white_space():
    rule = "  month:30 \t -2024-05-30\n next  +2024-05-01 "
    assert due(rule, "2024-05-01", "2024-07-01") == ["2024-05-01", "2024-07-01"]


MALFORMED = [
    "",
    "   ",
    "month:",
    "month:0",
    "month:32",
    "month:05",
    "month:1,",
    "month:-1",
    "month:first",
    "month: 1",
    "Month:1",
    "week:",
    "week:mon",
    "week:Monday",
    "week:Mon,,Tue",
    "year:1",
    "prev month:1",
    "prev",
    "-2024-01-01",
    "month:1 Next",
    "month:1 prev next",
    "month:1 prev prev",
    "month:1 week:Mon",
    "month:1 month:2",
    "month:1 2024-01-01",
    "month:1 -2024-02-30",
    "month:1 -2024-13",
    "month:1 -2024-1-01",
    "month:1 -20240101",
    "month:1 +2024-05",
    "month:1 +2023-02-29",
    "month:1 sometimes",
]


def test_malformed():
    for rule in MALFORMED:
        with pytest.raises(ValueError):
            due_dates(rule, date(2024, 1, 1), date(2024, 12, 31))


def test_malformed_when_first_is_after_last():
    with pytest.raises(ValueError):
        due_dates("month:32", date(2024, 2, 1), date(2024, 1, 1))
    with pytest.raises(ValueError):
        due_dates("month:1 -2024-02-30", date(2024, 2, 1), date(2024, 1, 1))
