from datetime import date

import pytest

import solution

MAY, JUNE, JULY = date(2024, 5, 31), date(2024, 6, 30), date(2024, 7, 31)
NOW = date(2024, 5, 1)


@pytest.fixture
def drawer():
    drawer = solution.SeedDrawer()
    drawer.add("L1", "beet", 5, JULY)
    drawer.add("L2", "kale", 4, MAY)
    drawer.add("L3", "beet", 2, MAY)
    drawer.add("L4", "beet", 3, JUNE)
    return drawer


def test_lots_in_the_order_added(drawer):
    assert drawer.lots == [("L1", 5), ("L2", 4), ("L3", 2), ("L4", 3)]
    drawer.lots.clear()
    assert len(drawer.lots) == 4


def test_count(drawer):
    assert drawer.count("beet", NOW) == 10
    assert drawer.count("leek", NOW) == 0


def test_good_on_its_best_before_day(drawer):
    assert drawer.count("beet", MAY) == 10
    assert drawer.count("beet", date(2024, 6, 1)) == 8
    assert drawer.take("kale", 1, MAY) == [("L2", 1)]


def test_earliest_first(drawer):
    assert drawer.take("beet", 7, NOW) == [("L3", 2), ("L4", 3), ("L1", 2)]
    assert drawer.lots == [("L1", 3), ("L2", 4)]


def test_part_of_one_lot(drawer):
    assert drawer.take("beet", 1, NOW) == [("L3", 1)]
    assert drawer.take("beet", 1, NOW) == [("L3", 1)]
    assert drawer.take("beet", 1, NOW) == [("L4", 1)]
    assert drawer.lots == [("L1", 5), ("L2", 4), ("L4", 2)]


def test_same_day_the_one_added_first():
    drawer = solution.SeedDrawer()
    for label in ("Z", "M", "A"):
        drawer.add(label, "beet", 1, MAY)
    assert drawer.take("beet", 3, NOW) == [("Z", 1), ("M", 1), ("A", 1)]
    assert drawer.lots == []


def test_old_lots_are_passed_over_and_stay(drawer):
    assert drawer.take("beet", 4, date(2024, 6, 1)) == [("L4", 3), ("L1", 1)]
    assert drawer.lots == [("L1", 4), ("L2", 4), ("L3", 2)]


def test_too_few_takes_nothing(drawer):
    with pytest.raises(solution.TooFewSeeds) as caught:
        drawer.take("beet", 11, date(2024, 6, 1))
    assert (caught.value.variety, caught.value.missing) == ("beet", 3)
    assert str(caught.value) == "beet: 3 packets short"
    assert drawer.lots == [("L1", 5), ("L2", 4), ("L3", 2), ("L4", 3)]
    assert drawer.take("beet", 8, date(2024, 6, 1)) == [("L4", 3), ("L1", 5)]


def test_unknown_variety(drawer):
    with pytest.raises(solution.TooFewSeeds) as caught:
        drawer.take("leek", 2, NOW)
    assert caught.value.missing == 2


def test_label_in_use(drawer):
    with pytest.raises(ValueError) as caught:
        drawer.add("L3", "leek", 9, JULY)
    assert str(caught.value) == "lot exists: L3"
    assert drawer.count("leek", NOW) == 0


def test_label_of_an_empty_lot_can_be_used_again(drawer):
    drawer.take("kale", 4, NOW)
    drawer.add("L2", "beet", 1, MAY)
    assert drawer.lots == [("L1", 5), ("L3", 2), ("L4", 3), ("L2", 1)]
    assert drawer.take("beet", 3, NOW) == [("L3", 2), ("L2", 1)]


def test_clear_out(drawer):
    assert drawer.clear_out(MAY) == []
    assert drawer.clear_out(date(2024, 7, 1)) == ["L2", "L3", "L4"]
    assert drawer.lots == [("L1", 5)]
    drawer.add("L3", "kale", 1, JULY)
    assert drawer.lots == [("L1", 5), ("L3", 1)]


def test_bad_number_of_packets(drawer):
    for number in (0, -2):
        with pytest.raises(ValueError) as caught:
            drawer.add("L9", "beet", number, JULY)
        assert str(caught.value) == f"bad number of packets: {number}"
        with pytest.raises(ValueError) as caught:
            drawer.take("beet", number, NOW)
        assert str(caught.value) == f"bad number of packets: {number}"
    assert drawer.lots == [("L1", 5), ("L2", 4), ("L3", 2), ("L4", 3)]


def test_drawers_are_separate(drawer):
    other = solution.SeedDrawer()
    assert other.lots == []
    other.add("L1", "beet", 1, JULY)
    assert drawer.count("beet", NOW) == 10
