import pytest

import solution


def car(plate, length=40):
    return solution.Vehicle(plate, length)


@pytest.fixture
def lanes():
    return [solution.Lane("port", 100), solution.Lane("middle", 80), solution.Lane("starboard", 100)]


def test_vehicle():
    vehicle = solution.Vehicle("HH-1", 1)
    assert (vehicle.plate, vehicle.length) == ("HH-1", 1)
    for length in (0, -3):
        with pytest.raises(ValueError):
            solution.Vehicle("HH-1", length)


def test_free_leaves_a_gap_for_the_next():
    lane = solution.Lane("port", 100)
    assert lane.free == 100
    lane.load(car("A", 40))
    assert lane.free == 55
    lane.load(car("B", 30))
    assert lane.free == 20
    assert lane.plates == ["A", "B"]


def test_no_gap_at_the_ends():
    lane = solution.Lane("port", 85)
    lane.load(car("A", 40))
    lane.load(car("B", 40))
    assert lane.free == 0
    full = solution.Lane("middle", 40)
    full.load(car("C", 40))
    assert full.free == 0


def test_lane_full():
    lane = solution.Lane("port", 84)
    lane.load(car("A", 40))
    with pytest.raises(solution.LaneFull):
        lane.load(car("B", 40))
    assert (lane.plates, lane.free) == (["A"], 39)
    lane.load(car("C", 39))
    assert lane.plates == ["A", "C"]


def test_plates_is_a_new_list():
    lane = solution.Lane("port", 100)
    lane.load(car("A"))
    lane.plates.append("B")
    assert lane.plates == ["A"]


def test_fits_most_tightly(lanes):
    ferry = solution.Ferry(lanes)
    assert ferry.load(car("A", 80)) == "middle"
    assert ferry.load(car("B", 60)) == "port"
    assert ferry.load(car("C", 35)) == "port"
    assert ferry.load(car("D", 1)) == "starboard"


def test_among_equals_the_first(lanes):
    ferry = solution.Ferry(lanes)
    assert [ferry.load(car(plate, 81)) for plate in "AB"] == ["port", "starboard"]


def test_no_room(lanes):
    ferry = solution.Ferry(lanes)
    ferry.load(car("A", 90))
    ferry.load(car("B", 95))
    with pytest.raises(solution.NoRoom) as caught:
        ferry.load(car("C", 83))
    assert (caught.value.plate, caught.value.missing) == ("C", 3)
    assert len(ferry) == 2
    assert "C" not in ferry
    assert ferry.load(car("C", 80)) == "middle"


def test_already_on_board(lanes):
    ferry = solution.Ferry(lanes)
    ferry.load(car("HH-1"))
    for length in (10, 900):
        with pytest.raises(ValueError) as caught:
            ferry.load(car("HH-1", length))
        assert str(caught.value) == "already on board: HH-1"
    assert len(ferry) == 1


def test_len_and_in(lanes):
    ferry = solution.Ferry(lanes)
    assert len(ferry) == 0
    for plate in "ABC":
        ferry.load(car(plate, 60))
    assert len(ferry) == 3
    assert "B" in ferry
    assert "X" not in ferry


def test_unload_row_by_row(lanes):
    ferry = solution.Ferry(lanes)
    lanes[0].load(car("A", 10))
    lanes[2].load(car("B", 10))
    lanes[2].load(car("C", 10))
    lanes[2].load(car("D", 10))
    lanes[0].load(car("E", 10))
    assert ferry.unload() == ["A", "B", "E", "C", "D"]
    assert len(ferry) == 0
    assert [lane.free for lane in lanes] == [100, 80, 100]


def test_second_trip(lanes):
    ferry = solution.Ferry(lanes)
    ferry.load(car("A", 90))
    assert ferry.unload() == ["A"]
    assert ferry.unload() == []
    assert ferry.load(car("A", 90)) == "port"
    assert lanes[0].plates == ["A"]


def test_ferries_are_separate(lanes):
    one, two = solution.Ferry(lanes), solution.Ferry([solution.Lane("port", 100)])
    one.load(car("A"))
    assert len(two) == 0
    assert two.load(car("A")) == "port"
