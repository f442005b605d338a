import pytest

from solution import group_alerts


def incident(source, first, last, count, level):
    return {"source": source, "first": first, "last": last, "count": count, "level": level}


def test_example_one_incident():
    got = group_alerts([(9, "db", 3), (0, "db", 2), (4, "db", 1)], 5)
    assert got == [incident("db", 0, 9, 3, 3)]


def test_example_three_incidents():
    got = group_alerts([(9, "db", 3), (0, "db", 2), (4, "db", 1)], 3)
    assert got == [
        incident("db", 0, 0, 1, 2),
        incident("db", 4, 4, 1, 1),
        incident("db", 9, 9, 1, 3),
    ]


def test_no_alerts():
    assert group_alerts([], 5) == []


def test_single_alert():
    assert group_alerts([(7, "web", 2)], 5) == [incident("web", 7, 7, 1, 2)]


def test_negative_gap():
    with pytest.raises(ValueError):
        group_alerts([(1, "web", 1)], -1)
    with pytest.raises(ValueError):
        group_alerts([], -1)


def test_exactly_gap_is_together():
    assert group_alerts([(10, "a", 1), (15, "a", 1)], 5) == [incident("a", 10, 15, 2, 1)]


def test_one_more_than_gap_is_apart():
    assert group_alerts([(10, "a", 1), (16, "a", 1)], 5) == [
        incident("a", 10, 10, 1, 1),
        incident("a", 16, 16, 1, 1),
    ]


def test_long_chain_is_one_incident():
    alerts = [(n, "a", 1) for n in (0, 5, 10, 15, 20)]
    assert group_alerts(alerts, 5) == [incident("a", 0, 20, 5, 1)]


def test_gap_zero():
    got = group_alerts([(1, "a", 1), (1, "a", 4), (2, "a", 2)], 0)
    assert got == [incident("a", 1, 1, 1, 4), incident("a", 2, 2, 1, 2)]


def test_same_minute_counts_once():
    got = group_alerts([(3, "a", 2), (3, "a", 5), (3, "a", 1), (4, "a", 1)], 2)
    assert got == [incident("a", 3, 4, 2, 5)]


def test_same_minute_different_sources():
    got = group_alerts([(3, "b", 2), (3, "a", 2)], 2)
    assert got == [incident("a", 3, 3, 1, 2), incident("b", 3, 3, 1, 2)]


def test_other_source_in_between_has_no_influence():
    got = group_alerts([(0, "a", 1), (2, "b", 1), (4, "a", 1)], 4)
    assert got == [incident("a", 0, 4, 2, 1), incident("b", 2, 2, 1, 1)]


def test_other_source_does_not_bridge():
    got = group_alerts([(0, "a", 1), (4, "b", 1), (8, "a", 1)], 4)
    assert got == [
        incident("a", 0, 0, 1, 1),
        incident("b", 4, 4, 1, 1),
        incident("a", 8, 8, 1, 1),
    ]


def test_noise_does_not_bridge():
    got = group_alerts([(0, "a", 1), (4, "a", 0), (8, "a", 1)], 4)
    assert got == [incident("a", 0, 0, 1, 1), incident("a", 8, 8, 1, 1)]


def test_noise_does_not_count_or_extend():
    got = group_alerts([(0, "a", -2), (1, "a", 1), (1, "a", 0), (2, "a", 0)], 4)
    assert got == [incident("a", 1, 1, 1, 1)]


def test_only_noise():
    assert group_alerts([(0, "a", 0), (1, "b", -1)], 4) == []


def test_sources_exactly_as_written():
    got = group_alerts([(0, "DB", 1), (1, "db", 1), (2, "db ", 1)], 5)
    assert got == [
        incident("DB", 0, 0, 1, 1),
        incident("db", 1, 1, 1, 1),
        incident("db ", 2, 2, 1, 1),
    ]


def test_equal_first_higher_level_first():
    got = group_alerts([(5, "a", 1), (5, "b", 3), (5, "c", 3)], 2)
    assert got == [
        incident("b", 5, 5, 1, 3),
        incident("c", 5, 5, 1, 3),
        incident("a", 5, 5, 1, 1),
    ]


def test_level_for_sorting_is_that_of_the_incident():
    got = group_alerts([(5, "a", 2), (5, "b", 1), (6, "b", 4)], 2)
    assert got == [incident("b", 5, 6, 2, 4), incident("a", 5, 5, 1, 2)]


def test_input_is_not_changed():
    alerts = [(9, "b", 0), (0, "a", 2), (4, "a", 1)]
    before = list(alerts)
    group_alerts(alerts, 5)
    assert alerts == before
