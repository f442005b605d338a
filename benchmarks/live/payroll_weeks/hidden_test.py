from datetime import date, timedelta

import pytest

import solution


@pytest.mark.parametrize(
    ("day", "label"),
    [
        (date(2024, 4, 1), "PY2024-W01"),
        (date(2024, 3, 30), "PY2024-W01"),
        (date(2024, 4, 5), "PY2024-W01"),
        (date(2024, 4, 6), "PY2024-W02"),
        (date(2024, 3, 29), "PY2023-W52"),
        (date(2024, 12, 31), "PY2024-W40"),
        (date(2025, 1, 1), "PY2024-W40"),
        (date(2025, 1, 4), "PY2024-W41"),
    ],
)
def test_label(day, label):
    assert solution.week_label(day) == label


def test_first_of_april_is_a_saturday():
    # 1 April 2023 is a Saturday
    assert solution.week_label(date(2023, 4, 1)) == "PY2023-W01"
    assert solution.week_label(date(2023, 3, 31)) == "PY2022-W53"


def test_first_of_april_is_a_friday():
    # 1 April 2022 is a Friday
    assert solution.week_label(date(2022, 4, 1)) == "PY2022-W01"
    assert solution.week_label(date(2022, 4, 2)) == "PY2022-W02"
    assert solution.week_label(date(2022, 3, 26)) == "PY2022-W01"
    assert solution.week_label(date(2022, 3, 25)) == "PY2021-W52"


def test_long_year():
    # PY2016 starts on Saturday 26 March 2016 and PY2017 on Saturday 1 April 2017
    assert solution.week_label(date(2017, 3, 31)) == "PY2016-W53"
    assert solution.week_label(date(2017, 3, 25)) == "PY2016-W53"
    assert solution.week_label(date(2017, 3, 24)) == "PY2016-W52"
    assert solution.week_days("PY2016-W53") == (date(2017, 3, 25), date(2017, 3, 31))


def test_days():
    assert solution.week_days("PY2024-W01") == (date(2024, 3, 30), date(2024, 4, 5))
    assert solution.week_days("PY2023-W52") == (date(2024, 3, 23), date(2024, 3, 29))
    assert solution.week_days("PY2022-W01") == (date(2022, 3, 26), date(2022, 4, 1))


@pytest.mark.parametrize("label", ["PY2024-W00", "PY2024-W54", "PY2023-W53", "PY2016-W54"])
def test_no_such_week(label):
    with pytest.raises(ValueError):
        solution.week_days(label)


@pytest.mark.parametrize("label", ["", "2024-W01", "PY2024-W1", "PY24-W01", "PY2024W01", "py2024-w01", "PY2024-W01 ", "PY2024-W001"])
def test_another_form(label):
    with pytest.raises(ValueError):
        solution.week_days(label)


def test_every_day_lies_in_its_week():
    day = date(2014, 1, 1)
    while day < date(2026, 1, 1):
        first, last = solution.week_days(solution.week_label(day))
        assert first <= day <= last
        assert (first.weekday(), last.weekday(), (last - first).days) == (5, 4, 6)
        day += timedelta(days=1)


def test_weeks_follow_each_other():
    labels = [solution.week_label(date(2015, 4, 4) + timedelta(weeks=n)) for n in range(110)]
    assert len(set(labels)) == 110
    assert labels == sorted(labels)


def test_january_is_of_the_year_before():
    assert solution.week_label(date(2024, 1, 1)) == "PY2023-W40"
    assert solution.week_label(date(2024, 2, 29)) == "PY2023-W48"
