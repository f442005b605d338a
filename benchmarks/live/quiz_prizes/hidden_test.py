import pytest

import solution

PRIZES = [3000, 2000, 1000]


def test_no_ties():
    assert solution.share_prizes({"A": 5, "B": 9, "C": 7, "D": 1}, PRIZES) == ({"B": 3000, "C": 2000, "A": 1000, "D": 0}, 0)


def test_order_of_the_teams():
    shares, _ = solution.share_prizes({"d": 5, "b": 5, "a": 1, "c": 8}, PRIZES)
    assert list(shares) == ["c", "b", "d", "a"]


def test_two_tied_for_second():
    shares, kitty = solution.share_prizes({"A": 9, "B": 7, "C": 7, "D": 5}, PRIZES)
    assert shares == {"A": 3000, "B": 1500, "C": 1500, "D": 0}
    assert kitty == 0


def test_three_tied_for_third():
    shares, kitty = solution.share_prizes({"A": 9, "B": 8, "C": 7, "D": 7, "E": 7}, PRIZES)
    assert shares == {"A": 3000, "B": 2000, "C": 333, "D": 333, "E": 333}
    assert kitty == 1


def test_two_tied_for_first():
    assert solution.share_prizes({"A": 9, "B": 9, "C": 3}, PRIZES) == ({"A": 2500, "B": 2500, "C": 1000}, 0)


def test_three_tied_for_first():
    assert solution.share_prizes({"A": 9, "B": 9, "C": 9, "D": 8}, PRIZES) == ({"A": 2000, "B": 2000, "C": 2000, "D": 0}, 0)


def test_four_tied_for_first():
    assert solution.share_prizes(dict.fromkeys("ABCD", 4), PRIZES) == (dict.fromkeys("ABCD", 1500), 0)


def test_two_ties():
    shares, kitty = solution.share_prizes({"A": 9, "B": 9, "C": 5, "D": 5}, [1001, 500, 101])
    assert shares == {"A": 750, "B": 750, "C": 50, "D": 50}
    assert kitty == 2


def test_fewer_teams_than_prizes():
    assert solution.share_prizes({"A": 9}, PRIZES) == ({"A": 3000}, 3000)


def test_no_teams():
    assert solution.share_prizes({}, PRIZES) == ({}, 6000)


def test_no_prizes():
    assert solution.share_prizes({"A": 9, "B": 9}, []) == ({"A": 0, "B": 0}, 0)


def test_zero_points():
    assert solution.share_prizes({"A": 9, "B": 0, "C": 0}, PRIZES) == ({"A": 3000, "B": 0, "C": 0}, 3000)


def test_negative_points():
    shares, kitty = solution.share_prizes({"A": -1, "B": 0, "C": 1}, PRIZES)
    assert list(shares.items()) == [("C", 3000), ("B", 0), ("A", 0)]
    assert kitty == 3000


def test_equal_prizes():
    assert solution.share_prizes({"A": 3, "B": 2}, [500, 500]) == ({"A": 500, "B": 500}, 0)


def test_last_prize_may_be_zero():
    assert solution.share_prizes({"A": 3, "B": 3}, [501, 0]) == ({"A": 250, "B": 250}, 1)


@pytest.mark.parametrize("prizes", [[-1], [5, -5], [5, 6], [9, 5, 7]])
def test_error(prizes):
    with pytest.raises(ValueError):
        solution.share_prizes({"A": 1}, prizes)


def test_error_without_teams():
    with pytest.raises(ValueError):
        solution.share_prizes({}, [1, 2])


def test_arguments_stay():
    scores, prizes = {"B": 1, "A": 1}, [5, 3]
    solution.share_prizes(scores, prizes)
    assert (list(scores.items()), prizes) == ([("B", 1), ("A", 1)], [5, 3])
