from datetime import date

import pytest

import solution


def test_today_and_tomorrow():
    people = [("Ann", date(1990, 5, 10)), ("Bo", date(1985, 5, 11)), ("Cy", date(1980, 5, 12)), ("Di", date(1980, 5, 9))]
    today = date(2024, 5, 10)
    assert solution.next_birthdays(people, today, 0) == [(date(2024, 5, 10), "Ann", 34)]
    assert solution.next_birthdays(people, today, 1) == [(date(2024, 5, 10), "Ann", 34), (date(2024, 5, 11), "Bo", 39)]


def test_next_year():
    people = [("Ann", date(1990, 1, 2))]
    assert solution.next_birthdays(people, date(2023, 12, 30), 3) == [(date(2024, 1, 2), "Ann", 34)]
    assert solution.next_birthdays(people, date(2023, 12, 30), 2) == []


def test_leap_day_in_a_leap_year():
    people = [("Lea", date(2000, 2, 29))]
    assert solution.next_birthdays(people, date(2024, 2, 28), 1) == [(date(2024, 2, 29), "Lea", 24)]


def test_leap_day_in_a_common_year():
    people = [("Lea", date(2000, 2, 29))]
    assert solution.next_birthdays(people, date(2023, 2, 28), 0) == []
    assert solution.next_birthdays(people, date(2023, 2, 28), 1) == [(date(2023, 3, 1), "Lea", 23)]
    assert solution.next_birthdays(people, date(2023, 3, 1), 0) == [(date(2023, 3, 1), "Lea", 23)]


def test_leap_day_after_the_leap_day():
    people = [("Lea", date(2000, 2, 29))]
    assert solution.next_birthdays(people, date(2024, 3, 1), 0) == []
    assert solution.next_birthdays(people, date(2024, 3, 1), 365) == [(date(2025, 3, 1), "Lea", 25)]
    assert solution.next_birthdays(people, date(2023, 3, 2), 364) == [(date(2024, 2, 29), "Lea", 24)]


def test_leap_day_at_a_century():
    people = [("Old", date(1896, 2, 29))]
    assert solution.next_birthdays(people, date(1900, 2, 28), 1) == [(date(1900, 3, 1), "Old", 4)]
    assert solution.next_birthdays(people, date(2000, 2, 28), 1) == [(date(2000, 2, 29), "Old", 104)]


def test_born_today():
    assert solution.next_birthdays([("Baby", date(2024, 5, 10))], date(2024, 5, 10), 0) == [(date(2024, 5, 10), "Baby", 0)]


def test_not_born_yet():
    assert solution.next_birthdays([("Baby", date(2024, 5, 11))], date(2024, 5, 10), 500) == []


def test_first_birthday():
    people = [("Baby", date(2024, 5, 9))]
    assert solution.next_birthdays(people, date(2024, 5, 10), 364) == [(date(2025, 5, 9), "Baby", 1)]
    assert solution.next_birthdays(people, date(2024, 5, 10), 363) == []


def test_only_the_next():
    people = [("Ann", date(1990, 5, 10))]
    assert solution.next_birthdays(people, date(2024, 5, 10), 1000) == [(date(2024, 5, 10), "Ann", 34)]


def test_sorted_by_day_over_the_year():
    people = [("Jan", date(1990, 1, 3)), ("Dec", date(1990, 12, 31))]
    found = solution.next_birthdays(people, date(2024, 12, 30), 10)
    assert [name for _, name, _ in found] == ["Dec", "Jan"]


def test_eldest_first():
    people = [("Ann", date(2000, 5, 10)), ("Bo", date(1970, 5, 10)), ("Cy", date(1985, 5, 10))]
    found = solution.next_birthdays(people, date(2024, 5, 10), 0)
    assert [(name, age) for _, name, age in found] == [("Bo", 54), ("Cy", 39), ("Ann", 24)]


def test_twins_by_name():
    people = [("bea", date(2000, 5, 10)), ("Cid", date(2000, 5, 10)), ("Ada", date(2000, 5, 10)), ("abe", date(2000, 5, 10))]
    found = solution.next_birthdays(people, date(2024, 5, 10), 0)
    assert [name for _, name, _ in found] == ["abe", "Ada", "bea", "Cid"]


def test_eldest_on_the_first_of_march():
    people = [("Mar", date(2000, 3, 1)), ("Feb", date(2000, 2, 29)), ("Old", date(1999, 3, 1))]
    found = solution.next_birthdays(people, date(2023, 3, 1), 0)
    assert [name for _, name, _ in found] == ["Old", "Feb", "Mar"]


def test_nobody():
    assert solution.next_birthdays([], date(2024, 5, 10), 30) == []


def test_negative():
    with pytest.raises(ValueError):
        solution.next_birthdays([], date(2024, 5, 10), -1)


def test_people_stay_as_they_are():
    people = [("Bo", date(1970, 5, 10)), ("Ann", date(2000, 5, 9))]
    solution.next_birthdays(people, date(2024, 5, 9), 30)
    assert people == [("Bo", date(1970, 5, 10)), ("Ann", date(2000, 5, 9))]
