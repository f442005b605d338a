import logging

import pytest

import solution

INFO, WARNING, ERROR, CRITICAL = logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL


@pytest.fixture
def watch(caplog, capsys):
    def run(readings, high, low):
        caplog.set_level(logging.DEBUG)
        caplog.clear()
        before = list(readings)
        alarms = solution.watch(readings, high, low)
        assert readings == before
        assert capsys.readouterr().out == ""
        assert all(record.name == "coldstore" for record in caplog.records)
        return alarms, [(record.levelno, record.getMessage()) for record in caplog.records]

    return run


def test_quiet(watch):
    assert watch([10, 20, 79], 80, 50) == ([], [])
    assert watch([], 80, 50) == ([], [])


def test_begin_and_end(watch):
    alarms, records = watch([10, 85, 100, 60, 40], 80, 50)
    assert alarms == [(1, 4, 100)]
    assert records == [(WARNING, "minute 1: alarm at 8.5"), (INFO, "minute 4: over after 3 minutes, peak 10.0")]


def test_bounds_are_included(watch):
    alarms, _ = watch([79, 80, 51, 50], 80, 50)
    assert alarms == [(1, 3, 80)]


def test_no_flapping(watch):
    alarms, records = watch([90, 60, 95, 51, 85, 50], 80, 50)
    assert alarms == [(0, 5, 95)]
    assert len(records) == 2


def test_between_the_limits_nothing_begins(watch):
    assert watch([60, 79, 51, 70], 80, 50) == ([], [])


def test_two_alarms_with_peaks_of_their_own(watch):
    alarms, records = watch([99, 10, 81, 10], 80, 50)
    assert alarms == [(0, 1, 99), (2, 3, 81)]
    assert records[1] == (INFO, "minute 1: over after 1 minutes, peak 9.9")
    assert records[3] == (INFO, "minute 3: over after 1 minutes, peak 8.1")


def test_still_on(watch):
    alarms, records = watch([10, 81, 91, 60, 70], 80, 50)
    assert alarms == [(1, None, 91)]
    assert records[-1] == (CRITICAL, "still on after 3 minutes, peak 9.1")


def test_still_on_after_none(watch):
    alarms, records = watch([81, None, None], 80, 50)
    assert alarms == [(0, None, 81)]
    assert records[-1] == (CRITICAL, "still on after 2 minutes, peak 8.1")


def test_on_with_the_last_reading(watch):
    alarms, records = watch([81], 80, 50)
    assert alarms == [(0, None, 81)]
    assert records == [(WARNING, "minute 0: alarm at 8.1"), (CRITICAL, "still on after 0 minutes, peak 8.1")]


def test_two_nones_are_no_event(watch):
    assert watch([10, None, None, 10, None, None], 80, 50) == ([], [])


def test_third_none_once(watch):
    _, records = watch([10] + [None] * 7 + [10], 80, 50)
    assert records == [(ERROR, "minute 3: sensor silent")]


def test_two_rows_of_nones(watch):
    _, records = watch([None] * 3 + [10] + [None] * 6, 80, 50)
    assert records == [(ERROR, "minute 2: sensor silent"), (ERROR, "minute 6: sensor silent")]


def test_none_counts_as_a_minute_in_an_alarm(watch):
    alarms, records = watch([90, None, None, None, 40], 80, 50)
    assert alarms == [(0, 4, 90)]
    assert records == [
        (WARNING, "minute 0: alarm at 9.0"),
        (ERROR, "minute 3: sensor silent"),
        (INFO, "minute 4: over after 4 minutes, peak 9.0"),
    ]


def test_negative_temperatures(watch):
    alarms, records = watch([-200, -15, -3, -180], -150, -180)
    assert alarms == [(1, 3, -3)]
    assert records == [(WARNING, "minute 1: alarm at -1.5"), (INFO, "minute 3: over after 2 minutes, peak -0.3")]


def test_zero_is_a_reading(watch):
    alarms, records = watch([None, None, 0, None, -50], 0, -50)
    assert alarms == [(2, 4, 0)]
    assert records[0] == (WARNING, "minute 2: alarm at 0.0")
