import pytest

import solution


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("Red Lion 2-1 The Crown 1904", ("Red Lion", 2, 1, "The Crown 1904")),
        ("  Red Lion   10-0   Ox  ", ("Red Lion", 10, 0, "Ox")),
        ("Area 51 0-0 Ale-House", ("Area 51", 0, 0, "Ale-House")),
        ("1-FC 3-2 Ox", ("1-FC", 3, 2, "Ox")),
        ("Ox 1-2 Top 4-4 Two", ("Ox", 1, 2, "Top 4-4 Two")),
        ("Ox2-1 1-1 2-1Ox", ("Ox2-1", 1, 1, "2-1Ox")),
        ("Ox 1-1 ox", ("Ox", 1, 1, "ox")),
    ],
)
def test_parse(line, result):
    assert solution.parse_result(line) == result


@pytest.mark.parametrize("line", ["", "Ox", "Ox Lion", "Ox 2 - 1 Lion", "Ox 2:1 Lion", "2-1 Lion", "Ox 2-1", " 2-1 ", "Ox 1-1 Ox", "Ox  1-1  Ox ", "Ox 2-1Lion", "Ox a-b Lion"])
def test_parse_objects(line):
    with pytest.raises(ValueError):
        solution.parse_result(line)


def test_totals():
    assert solution.totals(["A 2-1 B", "B 3-3 C", "C 0-1 A"]) == {"A": (2, 6, 3, 1), "B": (2, 1, 4, 5), "C": (2, 1, 3, 4)}


def test_totals_exact_names():
    assert solution.totals(["ox 1-0 Ox"]) == {"ox": (1, 3, 1, 0), "Ox": (1, 0, 0, 1)}


def test_totals_of_nothing():
    assert solution.totals([]) == {}


def test_direct_points():
    results = ["A 2-1 B", "B 1-1 C", "C 0-1 A", "A 5-0 D", "B 2-0 A"]
    assert solution.direct_points(results, ["A", "B"]) == {"A": 3, "B": 3}
    assert solution.direct_points(results, ["A", "B", "C"]) == {"A": 6, "B": 4, "C": 1}
    assert solution.direct_points(results, ["C", "D"]) == {"C": 0, "D": 0}


def test_standings_by_points():
    assert solution.standings(["B 0-1 A", "C 0-1 B", "C 0-1 A"]) == [["A"], ["B"], ["C"]]


def test_standings_direct_points_before_goals():
    # A and B have 3 points each; A has won against B, B has far more goals
    results = ["A 1-0 B", "B 9-0 C"]
    assert solution.standings(results) == [["A"], ["B"], ["C"]]


def test_standings_direct_points_only_among_the_level():
    # A, B and C have 6 points; among them A has 6, B 3, C 0
    results = ["A 1-0 B", "A 1-0 C", "B 1-0 C", "D 1-0 A", "B 1-0 D", "C 7-0 D", "C 7-0 E", "E 0-0 D"]
    assert solution.standings(results) == [["A"], ["B"], ["C"], ["D"], ["E"]]


def test_standings_direct_points_once():
    # A, B, C, D have 3 points each; direct points A 3, B 3, C 3, D 0; A has beaten C, C has beaten B: not looked at again
    results = ["A 1-0 C", "C 2-0 B", "B 4-0 D", "D 6-0 E"]
    assert solution.standings(results) == [["B"], ["C"], ["A"], ["D"], ["E"]]


def test_standings_goal_difference():
    results = ["A 2-0 C", "B 5-4 C"]
    assert solution.standings(results) == [["A"], ["B"], ["C"]]


def test_standings_goals_scored():
    results = ["A 1-0 C", "B 5-4 D"]
    # C and D too: none of them has a point, both -1
    assert solution.standings(results) == [["B"], ["A"], ["D"], ["C"]]


def test_standings_shared():
    assert solution.standings(["b 1-0 C", "A 1-0 d"]) == [["A", "b"], ["C", "d"]]


def test_standings_three_in_a_ring():
    assert solution.standings(["C 1-0 B", "B 1-0 a", "a 1-0 C"]) == [["a", "B", "C"]]


def test_table():
    results = ["Ox 2-0 Lion", "Lion 1-1 Bell"]
    assert solution.table(results) == "1. Ox, 3 points, +2\n2. Bell, 1 point, 0\n3. Lion, 1 point, -2"


def test_table_shared_places():
    results = ["b 1-0 C", "A 1-0 d"]
    assert solution.table(results) == "1. A, 3 points, +1\n1. b, 3 points, +1\n3. C, 0 points, -1\n3. d, 0 points, -1"


def test_nothing():
    assert solution.standings([]) == []
    assert solution.table([]) == ""


def test_results_stay():
    results = ["B 1-0 C", "A 1-0 D"]
    solution.table(results)
    assert results == ["B 1-0 C", "A 1-0 D"]
