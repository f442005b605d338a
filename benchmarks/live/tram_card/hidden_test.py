import pytest

import solution


@pytest.mark.parametrize(("start", "end", "count"), [("A", "A", 1), ("A", "D", 4), ("D", "A", 4), ("H", "A", 8), ("G", "H", 2)])
def test_zone_count(start, end, count):
    assert solution.zone_count(start, end) == count


@pytest.mark.parametrize(
    ("time", "peak"),
    [("06:29", False), ("06:30", True), ("08:59", True), ("09:00", False), ("12:00", False), ("15:59", False), ("16:00", True), ("18:29", True), ("18:30", False), ("00:00", False)],
)
def test_is_peak(time, peak):
    assert solution.is_peak(time) is peak


@pytest.mark.parametrize(("end", "fare"), [("A", 180), ("B", 250), ("C", 320), ("D", 390), ("E", 460), ("F", 530), ("G", 530), ("H", 530)])
def test_full_fare_peak(end, fare):
    assert solution.full_fare(("07:00", "A", end)) == fare


@pytest.mark.parametrize(("end", "fare"), [("A", 135), ("B", 190), ("C", 240), ("D", 295), ("E", 345), ("F", 400), ("H", 400)])
def test_full_fare_off_peak(end, fare):
    # 187.5, 292.5 and 397.5 lie in the middle
    assert solution.full_fare(("09:00", "A", end)) == fare


def test_charges_of_nothing():
    assert solution.charges([]) == []


def test_transfer_after_60_minutes():
    assert solution.charges([("10:00", "A", "B"), ("11:00", "B", "C")]) == [190, 0]
    assert solution.charges([("10:00", "A", "B"), ("11:01", "B", "C")]) == [190, 190]


def test_transfer_over_the_hour():
    assert solution.charges([("09:45", "A", "B"), ("10:40", "B", "C")]) == [190, 0]


def test_transfer_touches_no_more_zones():
    assert solution.charges([("10:00", "A", "C"), ("10:30", "F", "D")]) == [240, 0]
    assert solution.charges([("10:00", "A", "B"), ("10:30", "B", "D")]) == [190, 240]


def test_free_transfer_starts_no_new_hour():
    trips = [("10:00", "A", "B"), ("10:50", "B", "C"), ("11:00", "C", "D"), ("11:20", "D", "E")]
    assert solution.charges(trips) == [190, 0, 0, 190]


def test_a_free_transfer_does_not_narrow_the_zones():
    assert solution.charges([("10:00", "A", "D"), ("10:20", "A", "A"), ("10:40", "A", "D")]) == [295, 0, 0]


def test_a_paid_trip_starts_a_new_hour():
    assert solution.charges([("10:00", "A", "B"), ("10:50", "B", "D"), ("11:40", "D", "B")]) == [190, 240, 0]


def test_order_of_the_list():
    trips = [("11:20", "A", "A"), ("10:00", "A", "C"), ("10:40", "A", "B")]
    assert solution.charges(trips) == [135, 240, 0]


def test_equal_times():
    assert solution.charges([("10:00", "A", "A"), ("10:00", "A", "C")]) == [135, 240]
    assert solution.charges([("10:00", "A", "C"), ("10:00", "A", "A")]) == [240, 0]


def test_most_on_one_day():
    trips = [("07:00", "A", "F"), ("10:00", "F", "C"), ("16:30", "C", "A"), ("20:00", "A", "B")]
    # 530 + 295 = 825, so 165 are left
    assert solution.charges(trips) == [530, 295, 165, 0]


def test_exactly_the_most():
    trips = [("06:30", "A", "E"), ("08:00", "A", "F"), ("20:00", "A", "A")]
    assert solution.charges(trips) == [460, 530, 0]


def test_most_goes_by_time():
    assert solution.charges([("17:00", "A", "F"), ("07:00", "A", "F")]) == [460, 530]


def test_charges_changes_nothing():
    trips = [("11:20", "A", "A"), ("10:00", "A", "C")]
    solution.charges(trips)
    assert trips == [("11:20", "A", "A"), ("10:00", "A", "C")]


def test_card_totals():
    cards = {
        "77": [("10:00", "A", "B"), ("10:20", "B", "A")],
        "K5": [("10:00", "A", "A")],
        "12": [],
        "5K": [("10:00", "A", "A")],
    }
    totals = solution.card_totals(cards)
    assert list(totals.items()) == [("77", 190), ("K5", 65), ("12", 0), ("5K", 135)]


def test_child_pays_half_of_the_most():
    trips = [("07:00", "A", "F"), ("17:00", "F", "A")]
    assert solution.card_totals({"K1": trips, "1": trips}) == {"K1": 495, "1": 990}


def test_child_half_of_the_sum_not_of_each():
    # 135 + 135 = 270, half of it 135; each on its own would give 65
    assert solution.card_totals({"K1": [("10:00", "A", "A"), ("12:00", "A", "A")]}) == {"K1": 135}


def test_card_totals_changes_nothing():
    cards = {"K1": [("12:00", "A", "A"), ("10:00", "A", "A")], "2": []}
    solution.card_totals(cards)
    assert cards == {"K1": [("12:00", "A", "A"), ("10:00", "A", "A")], "2": []}
