import pytest

import solution
from solution import Line

N1 = Line("N1", "23:00", "25:10", 60)


@pytest.mark.parametrize(("text", "minutes"), [("0:00", 0), ("9:05", 545), ("09:05", 545), ("25:10", 1510), ("29:59", 1799), ("24:00", 1440)])
def test_parse(text, minutes):
    assert solution.parse_clock(text) == minutes


@pytest.mark.parametrize("text", ["", "30:00", "9:60", "9:5", "009:05", "9.05", " 9:05", "-1:00", "9"])
def test_parse_error(text):
    with pytest.raises(solution.ClockError):
        solution.parse_clock(text)


def test_error_kind():
    assert issubclass(solution.ClockError, ValueError)


@pytest.mark.parametrize(("minutes", "text"), [(540, "09:00"), (1510, "01:10+1"), (1439, "23:59"), (1440, "00:00+1"), (0, "00:00")])
def test_format(minutes, text):
    assert solution.format_clock(minutes) == text


def test_departures_example():
    assert solution.departures(N1) == [1380, 1440, 1500, 1510]


def test_departures_last_on_the_beat_once():
    assert solution.departures(Line("2", "6:00", "7:00", 30)) == [360, 390, 420]


def test_departures_single():
    assert solution.departures(Line("2", "6:00", "6:00", 30)) == [360]


def test_departures_long_interval():
    assert solution.departures(Line("2", "6:00", "6:10", 60)) == [360, 370]


@pytest.mark.parametrize(("first", "last", "every"), [("7:00", "6:59", 10), ("6:00", "7:00", 0), ("6:00", "7:00", -5), ("x", "7:00", 5)])
def test_departures_error(first, last, every):
    with pytest.raises(solution.ClockError):
        solution.departures(Line("2", first, last, every))


def test_next_includes_now():
    assert solution.next_departures([N1], 1440, 2) == [(1440, "N1"), (1500, "N1")]


def test_next_just_missed():
    assert solution.next_departures([N1], 1441, 1) == [(1500, "N1")]


def test_next_of_several_lines():
    lines = [Line("B", "6:00", "7:00", 30), Line("A", "6:30", "7:00", 10), Line("C", "6:30", "6:30", 1)]
    found = solution.next_departures(lines, 385, 5)
    assert found == [(390, "A"), (390, "B"), (390, "C"), (400, "A"), (410, "A")]


def test_next_fewer():
    assert solution.next_departures([N1], 1501, 5) == [(1510, "N1")]
    assert solution.next_departures([N1], 1511, 5) == []
    assert solution.next_departures([], 0, 5) == []


def test_board_example():
    assert solution.board([N1], "23:55", 3) == ["N1 in 5 min", "N1 01:00+1", "N1 01:10+1"]


def test_board_now():
    assert solution.board([N1], "24:00", 1) == ["N1 now"]


def test_board_at_the_limit():
    assert solution.board([Line("7", "6:30", "6:31", 1)], "6:00", 2) == ["7 in 30 min", "7 06:31"]


def test_board_one_minute():
    assert solution.board([Line("7", "6:30", "6:30", 1)], "6:29", 2) == ["7 in 1 min"]


def test_board_no_service():
    assert solution.board([N1], "25:11", 3) == ["no service"]
    assert solution.board([], "8:00", 3) == ["no service"]


def test_board_bad_now():
    with pytest.raises(solution.ClockError):
        solution.board([N1], "late", 3)
