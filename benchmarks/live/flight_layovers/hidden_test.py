import pytest

import solution

OUT = "FRA 2024-03-01 22:15 +01:00 > JFK 2024-03-02 00:55 -05:00"


def onward(departure, airport="JFK"):
    return f"{airport} {departure} > SFO 2024-03-05 12:00 -08:00"


def one(*legs, minimum=45):
    found = solution.layovers(list(legs), minimum)
    assert len(found) == 1
    return found[0]


def test_ok():
    assert one(OUT, onward("2024-03-02 07:00 -05:00")) == ("JFK", 365, "ok")


def test_missed():
    assert one(OUT, onward("2024-03-02 00:30 -05:00")) == ("JFK", -25, "missed")


def test_missed_in_the_very_minute():
    assert one(OUT, onward("2024-03-02 00:55 -05:00")) == ("JFK", 0, "missed")


def test_missed_even_without_minimum():
    assert one(OUT, onward("2024-03-02 00:55 -05:00"), minimum=0) == ("JFK", 0, "missed")


def test_tight():
    assert one(OUT, onward("2024-03-02 00:56 -05:00")) == ("JFK", 1, "tight")
    assert one(OUT, onward("2024-03-02 01:39 -05:00")) == ("JFK", 44, "tight")


def test_exactly_the_minimum():
    assert one(OUT, onward("2024-03-02 01:40 -05:00")) == ("JFK", 45, "ok")


def test_overnight():
    assert one(OUT, onward("2024-03-03 00:10 -05:00")) == ("JFK", 1395, "overnight")


def test_overnight_can_be_short():
    leg = "FRA 2024-03-01 12:00 +01:00 > LHR 2024-03-01 23:00 +00:00"
    assert one(leg, onward("2024-03-02 00:00 +00:00", "LHR")) == ("LHR", 60, "overnight")


def test_tight_before_overnight():
    leg = "FRA 2024-03-01 12:00 +01:00 > LHR 2024-03-01 23:30 +00:00"
    assert one(leg, onward("2024-03-02 00:00 +00:00", "LHR")) == ("LHR", 30, "tight")


def test_overnight_is_local():
    # the date of UTC changes between the two, the local one doesn't
    leg = "FRA 2024-03-01 12:00 +01:00 > JFK 2024-03-01 18:30 -05:00"
    assert one(leg, onward("2024-03-01 20:00 -05:00")) == ("JFK", 90, "ok")
    # and the other way round
    leg = "FRA 2024-03-01 12:00 +01:00 > DEL 2024-03-01 23:30 +05:30"
    assert one(leg, onward("2024-03-02 01:00 +05:30", "DEL")) == ("DEL", 90, "overnight")


def test_offset_of_minutes_west():
    leg = "JFK 2024-03-01 12:00 -05:00 > YYT 2024-03-01 17:00 -03:30"
    assert one(leg, onward("2024-03-01 18:00 -03:30", "YYT")) == ("YYT", 60, "ok")
    assert one(leg, onward("2024-03-01 18:00 -03:00", "YYT")) == ("YYT", 30, "tight")


def test_offset_changes():
    leg = "FRA 2024-03-30 22:00 +01:00 > LHR 2024-03-31 00:30 +00:00"
    onwards = "LHR 2024-03-31 03:00 +01:00 > SFO 2024-03-31 05:00 -07:00"
    assert one(leg, onwards) == ("LHR", 90, "ok")


def test_local_time_runs_backwards():
    leg = "NRT 2024-03-02 00:30 +09:00 > HNL 2024-03-01 12:45 -10:00"
    assert one(leg, onward("2024-03-01 14:00 -10:00", "HNL")) == ("HNL", 75, "ok")


def test_several_changes():
    legs = [
        "AAA 2024-02-28 10:00 +00:00 > BBB 2024-02-28 12:00 +00:00",
        "BBB 2024-02-28 12:50 +00:00 > CCC 2024-02-28 23:00 +00:00",
        "CCC 2024-03-01 00:00 +00:00 > AAA 2024-03-01 02:00 +00:00",
    ]
    assert solution.layovers(legs, 60) == [("BBB", 50, "tight"), ("CCC", 1500, "overnight")]


def test_no_changes():
    assert solution.layovers([], 30) == []
    assert solution.layovers([OUT], 30) == []


@pytest.mark.parametrize(
    "leg",
    [
        "",
        "FRA 2024-03-01 22:15 +01:00",
        "FRA 2024-03-01 22:15 +01:00 JFK 2024-03-02 00:55 -05:00",
        "FRA  2024-03-01 22:15 +01:00 > JFK 2024-03-02 00:55 -05:00",
        "Fra 2024-03-01 22:15 +01:00 > JFK 2024-03-02 00:55 -05:00",
        "FRA 2023-02-29 22:15 +01:00 > JFK 2023-03-02 00:55 -05:00",
        "FRA 2024-03-01 24:15 +01:00 > JFK 2024-03-02 00:55 -05:00",
        "FRA 2024-03-01 22:15 01:00 > JFK 2024-03-02 00:55 -05:00",
        "FRA 2024-03-01 22:15 +14:01 > JFK 2024-03-02 00:55 -05:00",
        "FRA 2024-03-01 22:15 +01:00 > JFK 2024-03-02 00:55 -12:01",
        "FRA 2024-03-01 22:15 +01:60 > JFK 2024-03-02 00:55 -05:00",
    ],
)
def test_bad_leg(leg):
    with pytest.raises(ValueError):
        solution.layovers([leg], 30)


def test_arrives_when_it_departs():
    with pytest.raises(ValueError):
        solution.layovers(["AAA 2024-03-01 10:00 +01:00 > BBB 2024-03-01 09:00 +00:00"], 30)
    with pytest.raises(ValueError):
        solution.layovers(["AAA 2024-03-01 10:00 +00:00 > BBB 2024-03-01 10:30 +01:00"], 30)


def test_other_airport():
    with pytest.raises(ValueError):
        solution.layovers([OUT, onward("2024-03-02 07:00 -05:00", "EWR")], 30)
