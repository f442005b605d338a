from itertools import combinations

import pytest

import solution


def test_example():
    assert solution.refill_stops([10, 20, 25, 40, 45], 60, 25) == [20, 40]


def test_any_order():
    assert solution.refill_stops([45, 10, 40, 25, 20, 40], 60, 25) == [20, 40]


def test_no_stop():
    assert solution.refill_stops([10, 20], 25, 25) == []
    assert solution.refill_stops([], 5, 25) == []


def test_just_too_far():
    assert solution.refill_stops([], 26, 25) is None
    assert solution.refill_stops([10, 20], 46, 25) is None


def test_just_reached():
    assert solution.refill_stops([10, 20], 45, 25) == [20]
    assert solution.refill_stops([25], 50, 25) == [25]
    assert solution.refill_stops([26], 50, 25) is None


def test_earliest_single_stop():
    assert solution.refill_stops([5, 15, 16, 20], 40, 25) == [15]


def test_early_first_stop_forces_the_second():
    assert solution.refill_stops([3, 10, 12, 14, 20], 30, 14) == [10, 20]


def test_every_stop_as_early_as_possible():
    assert solution.refill_stops([8, 9, 12, 16], 22, 10) == [8, 12]
    assert solution.refill_stops([7, 8, 9, 17, 18, 19], 27, 10) == [7, 17]


def test_gap_between_springs():
    assert solution.refill_stops([10, 21], 30, 10) is None


def test_gap_before_the_goal():
    assert solution.refill_stops([10, 20], 31, 10) is None
    assert solution.refill_stops([10, 20], 30, 10) == [10, 20]


def test_dead_end_is_avoided():
    # nothing lies within reach of 5
    assert solution.refill_stops([5, 9, 17], 25, 9) == [9, 17]


def test_springs_off_the_trail():
    assert solution.refill_stops([-5, 0, 10, 20, 30], 20, 10) == [10]
    assert solution.refill_stops([-5, 0, 20, 25], 20, 10) is None
    assert solution.refill_stops([0, 10], 10, 10) == []


def test_goal_at_the_start():
    assert solution.refill_stops([3, 0], 0, 1) == []


def test_no_springs():
    assert solution.refill_stops([], 0, 5) == []


@pytest.mark.parametrize("reach", [0, -3])
@pytest.mark.parametrize("goal", [0, 10])
def test_error(reach, goal):
    with pytest.raises(ValueError):
        solution.refill_stops([5], goal, reach)


def test_argument_stays():
    springs = [45, 10, 40, 25, 20]
    solution.refill_stops(springs, 60, 25)
    assert springs == [45, 10, 40, 25, 20]


def _by_trying(springs, goal, reach):
    places = sorted({spring for spring in springs if 0 < spring < goal})
    for count in range(len(places) + 1):
        for stops in combinations(places, count):
            way = [0, *stops, goal]
            if all(after - before <= reach for before, after in zip(way, way[1:])):
                return list(stops)
    return None


@pytest.mark.parametrize("goal", [17, 20, 24])
@pytest.mark.parametrize("reach", [4, 5, 7, 9])
def test_against_trying_all(goal, reach):
    for number in range(12):
        springs = [(number * 5 + 3 * n + n * n * (number + 1)) % 25 for n in range(8)]
        assert solution.refill_stops(springs, goal, reach) == _by_trying(springs, goal, reach)


def test_many_springs():
    found = solution.refill_stops(list(range(1, 400)), 400, 10)
    assert len(found) == 39
    assert found == list(range(10, 400, 10))
