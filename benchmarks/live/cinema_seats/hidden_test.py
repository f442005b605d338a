import pytest

import solution
from solution import Seat


def row_a(*numbers):
    return {Seat("A", number) for number in numbers}


def test_parse():
    found = solution.parse_seats("A1-4, B7,C10-12")
    assert found == row_a(1, 2, 3, 4) | {Seat("B", 7), Seat("C", 10), Seat("C", 11), Seat("C", 12)}


@pytest.mark.parametrize("text", ["", "   "])
def test_parse_empty(text):
    assert solution.parse_seats(text) == set()


def test_parse_one_seat_range_and_twice():
    assert solution.parse_seats(" B7-7 , B7") == {Seat("B", 7)}


@pytest.mark.parametrize("text", ["A", "7", "a1", "A0", "A0-3", "A4-1", "A1-", "A1,,A2", "A1-B2", "AA1", "A1 A2", "A1,"])
def test_parse_error(text):
    with pytest.raises(solution.SeatError):
        solution.parse_seats(text)


def test_error_kind():
    assert issubclass(solution.SeatError, ValueError)


@pytest.mark.parametrize(
    ("text", "neat"),
    [("B4-6,A2,A1", "A1, A2, B4-6"), ("A1-3", "A1-3"), ("A9,A10,A11", "A9-11"), ("A10,A2", "A2, A10"), ("A3,B4,B5", "A3, B4, B5"), ("", "")],
)
def test_format(text, neat):
    assert solution.format_seats(solution.parse_seats(text)) == neat


def test_format_does_not_join_rows():
    assert solution.format_seats({Seat("A", 1), Seat("B", 2), Seat("C", 3)}) == "A1, B2, C3"


def test_free_runs():
    taken = row_a(3, 4, 8) | {Seat("B", 1)}
    assert solution.free_runs(taken, "A", 8) == [(1, 2), (5, 7)]


def test_free_runs_ends():
    assert solution.free_runs(set(), "A", 5) == [(1, 5)]
    assert solution.free_runs(row_a(1, 5, 9), "A", 5) == [(2, 4)]
    assert solution.free_runs(row_a(1, 2), "A", 2) == []


def test_choose_smallest_run():
    # free: 1-6, 8-9
    assert solution.choose_seats(row_a(7), "A", 9, 2) == [Seat("A", 8), Seat("A", 9)]


def test_choose_leftmost_of_equal():
    # free: 1-2, 4-5, 7-8
    assert solution.choose_seats(row_a(3, 6), "A", 8, 2) == [Seat("A", 1), Seat("A", 2)]


def test_choose_left_end():
    assert solution.choose_seats(row_a(1), "A", 9, 3) == [Seat("A", 2), Seat("A", 3), Seat("A", 4)]


def test_choose_avoids_a_single():
    # free: 1-3, 5-9
    assert solution.choose_seats(row_a(4), "A", 9, 2) == [Seat("A", 5), Seat("A", 6)]


def test_choose_lives_with_a_single():
    # free: 1-3, 5-7
    assert solution.choose_seats(row_a(4), "A", 7, 2) == [Seat("A", 1), Seat("A", 2)]


def test_choose_exact_before_two_over():
    # free: 1-5, 7-9, 11-14
    assert solution.choose_seats(row_a(6, 10), "A", 14, 3) == [Seat("A", 7), Seat("A", 8), Seat("A", 9)]


def test_choose_smallest_of_those_without_single():
    # free: 1-3, 5-10, 12-15
    assert solution.choose_seats(row_a(4, 11), "A", 15, 2) == [Seat("A", 12), Seat("A", 13)]


def test_choose_none():
    assert solution.choose_seats(row_a(3), "A", 5, 3) is None


def test_book_first_row_with_room():
    assert solution.book("C2,B1", "CBA", 3, 2) == "B1-3, C2"


def test_book_keeps_seats_of_other_rows():
    assert solution.book("Z9", "A", 3, 2) == "A1, A2, Z9"


def test_book_sold_out():
    with pytest.raises(solution.SeatError):
        solution.book("A2", "A", 3, 2)


@pytest.mark.parametrize("party", [0, -1])
def test_book_nobody(party):
    with pytest.raises(solution.SeatError):
        solution.book("", "A", 3, party)
