import pytest

import solution

FLEET = ["Kiwi", "Lark", "Puck", "Zephyr", "Auk"]


def test_points_with_a_dead_heat():
    race = [["Kiwi"], ["Puck", "Zephyr"], ["Lark"]]
    assert solution.race_points(race, FLEET) == {"Kiwi": 1.0, "Puck": 2.5, "Zephyr": 2.5, "Lark": 4.0, "Auk": 6.0}


def test_points_of_three_together():
    race = [["Kiwi", "Puck", "Zephyr"], ["Lark"], ["Auk"]]
    assert solution.race_points(race, FLEET) == {"Kiwi": 2.0, "Puck": 2.0, "Zephyr": 2.0, "Lark": 4.0, "Auk": 5.0}


def test_points_are_floats():
    assert all(isinstance(value, float) for value in solution.race_points([["Kiwi"]], FLEET).values())


def test_nobody_finished():
    assert solution.race_points([], ["a", "b"]) == {"a": 3.0, "b": 3.0}


def test_not_finished_counts_entrants_not_finishers():
    assert solution.race_points([["a"]], ["a", "b", "c", "d"])["d"] == 5.0


def test_unknown_boat():
    with pytest.raises(solution.UnknownBoat):
        solution.race_points([["Kiwi"], ["Ghost"]], FLEET)
    assert issubclass(solution.UnknownBoat, KeyError)


@pytest.mark.parametrize(("races", "count"), [(0, 0), (1, 0), (3, 0), (4, 1), (7, 1), (8, 2), (12, 2)])
def test_discard_count(races, count):
    assert solution.discard_count(races) == count


@pytest.mark.parametrize(
    ("points", "net"),
    [
        ([], 0.0),
        ([1.0, 9.0, 2.0], 12.0),
        ([1.0, 9.0, 2.0, 3.0], 6.0),
        ([9.0, 9.0, 1.0, 1.0], 11.0),
        ([1.0, 5.0, 1.0, 4.0, 1.0, 1.0, 1.0, 1.0], 6.0),
        ([2.0] * 7, 12.0),
    ],
)
def test_net(points, net):
    found = solution.net_points(points)
    assert found == net
    assert isinstance(found, float)


def test_net_leaves_its_argument():
    points = [3.0, 1.0, 4.0, 2.0]
    solution.net_points(points)
    assert points == [3.0, 1.0, 4.0, 2.0]


def test_standings():
    races = [[["a"], ["b"], ["c"]], [["a"], ["c"], ["b"]], [["a"], ["b"], ["c"]]]
    assert solution.standings(races, ["c", "b", "a"]) == [(1, "a", 3.0), (2, "b", 7.0), (3, "c", 8.0)]


def test_standing_fields():
    standing = solution.standings([[["a"]]], ["a"])[0]
    assert (standing.rank, standing.boat, standing.net) == (1, "a", 1.0)


def test_last_race_separates():
    races = [[["a"], ["b"]], [["b"], ["a"]]]
    assert solution.standings(races, ["a", "b"]) == [(1, "b", 3.0), (2, "a", 3.0)]


def test_the_race_before_the_last_separates():
    races = [[["a"], ["b"], ["c"]], [["b"], ["a"], ["c"]], [["a", "b"], ["c"]]]
    assert solution.standings(races, ["a", "b", "c"]) == [(1, "b", 4.5), (2, "a", 4.5), (3, "c", 9.0)]


def test_discarded_results_separate():
    races = [[["a"], ["b"]], [["a"], ["b"]], [["b"], ["a"]], [["b"], ["a"]]]
    # a: 1 1 2 2 -> 4, b: 2 2 1 1 -> 4
    assert solution.standings(races, ["a", "b"]) == [(1, "b", 4.0), (2, "a", 4.0)]


def test_discarded_last_race_still_separates():
    races = [[["a"], ["b"], ["c"]], [["b"], ["a"], ["c"]], [["a", "b"], ["c"]], [["c"], ["b"], ["a"]]]
    # a: 1 2 1.5 3 -> 4.5, b: 2 1 1.5 2 -> 4.5, c: 3 3 3 1 -> 7
    assert solution.standings(races, ["a", "b", "c"]) == [(1, "b", 4.5), (2, "a", 4.5), (3, "c", 7.0)]


def test_three_share_a_rank():
    races = [[["w"], ["z", "x", "y"], ["v"]]]
    found = solution.standings(races, ["v", "z", "y", "x", "w"])
    assert found == [(1, "w", 1.0), (2, "x", 3.0), (2, "y", 3.0), (2, "z", 3.0), (5, "v", 5.0)]


def test_before_any_race():
    assert solution.standings([], ["b", "a"]) == [(1, "a", 0.0), (1, "b", 0.0)]


def test_discard_in_standings():
    races = [[["a"], ["b"]], [["a"], ["b"]], [["a"], ["b"]], [["b"]]]
    # a: 1 1 1 3 -> 3, b: 2 2 2 1 -> 5
    assert solution.standings(races, ["a", "b"]) == [(1, "a", 3.0), (2, "b", 5.0)]
