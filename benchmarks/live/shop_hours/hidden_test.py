from datetime import datetime, timedelta

import pytest

import solution

# 2024-02-26 is a Monday
TEXT = "Mo-Fr 09:00-12:00,14:00-18:30; Sa 10:00-14:00; We closed"


def at(day, time="00:00:00"):
    """A time on a day of that week, 0 is Monday."""
    return datetime.fromisoformat(f"2024-02-26 {time}") + timedelta(days=day)


@pytest.mark.parametrize(
    ("day", "time", "answer"),
    [
        (0, "08:59:59", False),
        (0, "09:00:00", True),
        (0, "11:59:59", True),
        (0, "11:59:59.999999", True),
        (0, "12:00:00", False),
        (0, "13:59:59", False),
        (0, "14:00:00", True),
        (4, "18:29:00", True),
        (4, "18:30:00", False),
        (5, "10:00:00", True),
        (5, "09:00:00", False),
        (2, "10:00:00", False),
        (6, "10:00:00", False),
    ],
)
def test_is_open(day, time, answer):
    assert solution.is_open(TEXT, at(day, time)) is answer


def open_days(text, time="12:00:00"):
    return [day for day in range(7) if solution.is_open(text, at(day, time))]


@pytest.mark.parametrize(
    ("days", "numbers"),
    [("Mo", [0]), ("Mo-Mo", [0]), ("Tu-Th", [1, 2, 3]), ("Sa-Mo", [0, 5, 6]), ("Mo,We-Fr", [0, 2, 3, 4]), ("Su,Mo,Su", [0, 6]), ("Tu-Mo", [0, 1, 2, 3, 4, 5, 6])],
)
def test_days(days, numbers):
    assert open_days(f"{days} 10:00-14:00") == numbers


def test_later_rules_replace():
    assert open_days("Mo-Su 10:00-14:00; Tu 15:00-16:00; We-Th closed; Th 11:00-13:00") == [0, 3, 4, 5, 6]
    assert open_days("Tu closed; Mo-Fr 10:00-14:00") == [0, 1, 2, 3, 4]


def test_spaces_and_empty_rules():
    assert open_days("  Mo   10:00-14:00 ;; We 10:00-14:00;  ") == [0, 2]


@pytest.mark.parametrize("text", ["", "   ", ";", "Mo-Su closed"])
def test_never_open(text):
    assert open_days(text) == []
    assert solution.next_opening(text, at(0)) is None


def test_past_midnight():
    text = "Fr 20:00-02:00; Sa closed"
    assert solution.is_open(text, at(4, "20:00:00"))
    assert solution.is_open(text, at(4, "23:59:59"))
    assert solution.is_open(text, at(5, "01:59:59"))
    assert not solution.is_open(text, at(5, "02:00:00"))
    assert not solution.is_open(text, at(4, "01:30:00"))


def test_past_midnight_on_sunday():
    text = "Su 22:00-01:00"
    assert solution.is_open(text, at(7, "00:30:00"))
    assert not solution.is_open(text, at(6, "00:30:00"))


def test_replaced_night_is_gone():
    assert not solution.is_open("Fr 20:00-02:00; Fr 20:00-23:00", at(5, "01:00:00"))


def test_whole_day():
    text = "Mo 00:00-24:00"
    assert solution.is_open(text, at(0))
    assert solution.is_open(text, at(0, "23:59:59"))
    assert not solution.is_open(text, at(1))


def test_until_midnight():
    for text in ("Mo 20:00-24:00", "Mo 20:00-00:00"):
        assert solution.is_open(text, at(0, "23:59:59"))
        assert not solution.is_open(text, at(1))
        assert not solution.is_open(text, at(0))


@pytest.mark.parametrize(
    ("when", "opening"),
    [
        (at(0, "08:00:00"), at(0, "09:00:00")),
        (at(0, "09:00:00"), at(0, "09:00:00")),
        (at(0, "10:11:12"), at(0, "10:11:12")),
        (at(0, "12:00:00"), at(0, "14:00:00")),
        (at(1, "18:30:00"), at(3, "09:00:00")),
        (at(5, "14:00:00"), at(7, "09:00:00")),
        (at(4, "18:30:00.000001"), at(5, "10:00:00")),
    ],
)
def test_next_opening(when, opening):
    assert solution.next_opening(TEXT, when) == opening


def test_next_opening_a_week_later():
    assert solution.next_opening("Mo 09:00-10:00", at(0, "10:00:00")) == at(7, "09:00:00")


def test_next_opening_in_the_night():
    assert solution.next_opening("Fr 20:00-02:00", at(5, "01:00:30")) == at(5, "01:00:30")


def test_next_opening_unordered_times():
    assert solution.next_opening("Mo 14:00-15:00,09:00-10:00", at(0)) == at(0, "09:00:00")


@pytest.mark.parametrize(
    "text",
    [
        "Mo",
        "10:00-12:00",
        "mo 10:00-12:00",
        "Mon 10:00-12:00",
        "Mo 9:00-12:00",
        "Mo 10:00-12:60",
        "Mo 10:00-24:01",
        "Mo 24:00-02:00",
        "Mo 25:00-26:00",
        "Mo 10:00-10:00",
        "Mo 10:00-12:00, 14:00-15:00",
        "Mo, Tu 10:00-12:00",
        "Mo - Fr 10:00-12:00",
        "Mo 10:00-12:00,",
        "Mo,, 10:00-12:00",
        "Mo-We-Fr 10:00-12:00",
        "Mo Closed",
        "Mo 10:00-12:00,closed",
        "Mo 10:00",
        "Mo rubbish; Mo 10:00-12:00",
    ],
)
def test_bad_text(text):
    with pytest.raises(ValueError):
        solution.is_open(text, at(0, "11:00:00"))
    with pytest.raises(ValueError):
        solution.next_opening(text, at(0, "11:00:00"))
