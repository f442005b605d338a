from datetime import date, datetime, timezone

import pytest

from solution import duty_minutes


def kinds(day, night, holiday):
    return {"day": day, "night": night, "holiday": holiday}


def test_example_weekday_night():
    got = duty_minutes(datetime(2024, 3, 5, 20, 30), datetime(2024, 3, 6, 6, 30))
    assert got == kinds(120, 480, 0)


def test_example_saturday_evening():
    got = duty_minutes(datetime(2024, 3, 2, 19, 0), datetime(2024, 3, 3, 1, 0))
    assert got == kinds(60, 240, 60)


def test_start_equals_end():
    moment = datetime(2024, 3, 5, 10, 0)
    assert duty_minutes(moment, moment) == kinds(0, 0, 0)


def test_night_starts_at_22():
    got = duty_minutes(datetime(2024, 3, 5, 21, 59), datetime(2024, 3, 5, 22, 1))
    assert got == kinds(1, 1, 0)


def test_night_ends_before_6():
    got = duty_minutes(datetime(2024, 3, 5, 5, 58), datetime(2024, 3, 5, 6, 1))
    assert got == kinds(1, 2, 0)


def test_eve_night_starts_at_20():
    got = duty_minutes(datetime(2024, 3, 2, 19, 59), datetime(2024, 3, 2, 20, 1))
    assert got == kinds(1, 1, 0)


def test_seconds_are_dropped_from_both():
    got = duty_minutes(datetime(2024, 3, 5, 10, 0, 59), datetime(2024, 3, 5, 10, 1, 0))
    assert got == kinds(1, 0, 0)
    got = duty_minutes(datetime(2024, 3, 5, 10, 0, 0), datetime(2024, 3, 5, 10, 2, 59, 999999))
    assert got == kinds(2, 0, 0)


def test_dropping_comes_before_the_order_check():
    got = duty_minutes(datetime(2024, 3, 5, 10, 0, 50), datetime(2024, 3, 5, 10, 0, 10))
    assert got == kinds(0, 0, 0)


def test_end_before_start():
    with pytest.raises(ValueError):
        duty_minutes(datetime(2024, 3, 5, 10, 0), datetime(2024, 3, 5, 9, 59))


def test_exactly_24_hours():
    got = duty_minutes(datetime(2024, 3, 4, 12, 0), datetime(2024, 3, 5, 12, 0))
    assert got == kinds(960, 480, 0)


def test_24_hours_and_some_seconds():
    got = duty_minutes(datetime(2024, 3, 4, 12, 0), datetime(2024, 3, 5, 12, 0, 30))
    assert got == kinds(960, 480, 0)


def test_more_than_24_hours():
    with pytest.raises(ValueError):
        duty_minutes(datetime(2024, 3, 4, 12, 0), datetime(2024, 3, 5, 12, 1))


def test_time_zone_is_refused():
    aware = datetime(2024, 3, 5, 10, 0, tzinfo=timezone.utc)
    naive = datetime(2024, 3, 5, 11, 0)
    with pytest.raises(ValueError):
        duty_minutes(aware, naive)
    with pytest.raises(ValueError):
        duty_minutes(datetime(2024, 3, 5, 9, 0), aware)
    with pytest.raises(ValueError):
        duty_minutes(aware, aware)


def test_whole_sunday():
    got = duty_minutes(datetime(2024, 3, 3, 0, 0), datetime(2024, 3, 4, 0, 0))
    assert got == kinds(0, 0, 1440)


def test_sunday_into_monday():
    got = duty_minutes(datetime(2024, 3, 3, 23, 0), datetime(2024, 3, 4, 7, 0))
    assert got == kinds(60, 360, 60)


def test_given_holiday_and_its_eve():
    got = duty_minutes(
        datetime(2024, 3, 5, 19, 0), datetime(2024, 3, 6, 8, 0), [date(2024, 3, 6)]
    )
    assert got == kinds(60, 240, 480)


def test_holiday_before_holiday_stays_holiday():
    got = duty_minutes(
        datetime(2024, 3, 3, 19, 0), datetime(2024, 3, 4, 1, 0), [date(2024, 3, 4)]
    )
    assert got == kinds(0, 0, 360)


def test_evening_of_a_holiday_and_night_after():
    got = duty_minutes(
        datetime(2024, 3, 6, 20, 0), datetime(2024, 3, 7, 6, 30), [date(2024, 3, 6)]
    )
    assert got == kinds(30, 360, 240)


def test_eve_over_the_turn_of_the_year():
    got = duty_minutes(
        datetime(2024, 12, 31, 19, 0), datetime(2025, 1, 1, 1, 0), {date(2025, 1, 1)}
    )
    assert got == kinds(60, 240, 60)


def test_holidays_from_a_generator():
    days = (date(2024, 3, n) for n in (20, 6))
    got = duty_minutes(datetime(2024, 3, 5, 20, 0), datetime(2024, 3, 6, 0, 30), days)
    assert got == kinds(0, 240, 30)
