import pytest

from solution import HoursError, parse_hours

DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


def week(**given):
    return {day: given.get(day, []) for day in DAYS}


def bad(text):
    with pytest.raises(HoursError):
        parse_hours(text)


def test_error_class():
    assert issubclass(HoursError, ValueError)
    assert HoursError is not ValueError


def test_example():
    got = parse_hours("Mon-Tue 14:00-18:00,09:00-12:00; Tue closed")
    assert got == week(Mon=[(540, 720), (840, 1080)])


def test_blank_text():
    assert parse_hours("") == week()
    assert parse_hours("  \n") == week()


def test_blank_rules_are_ignored():
    assert parse_hours(" ; ;Fri 08:00-09:30; ;") == week(Fri=[(480, 570)])


def test_day_range_includes_both_ends():
    span = [(60, 120)]
    assert parse_hours("Tue-Thu 01:00-02:00") == week(Tue=span, Wed=span, Thu=span)


def test_day_range_wraps():
    span = [(60, 120)]
    assert parse_hours("Sat-Mon 01:00-02:00") == week(Sat=span, Sun=span, Mon=span)


def test_range_of_one_day():
    assert parse_hours("Mon-Mon 01:00-02:00") == week(Mon=[(60, 120)])


def test_list_of_days_with_repeats():
    span = [(60, 120)]
    got = parse_hours("Mon,Fri-Sat,Mon,Sat 01:00-02:00")
    assert got == week(Mon=span, Fri=span, Sat=span)


def test_whole_day():
    assert parse_hours("Sun 00:00-24:00") == week(Sun=[(0, 1440)])


def test_whitespace_around_and_between():
    assert parse_hours("  Wed \t 10:00-11:00 \n;  Thu  closed ") == week(Wed=[(600, 660)])


def test_touching_spans_are_merged():
    got = parse_hours("Mon 12:00-13:00,08:00-10:00,10:00-12:00,15:00-16:00")
    assert got == week(Mon=[(480, 780), (900, 960)])


def test_overlap_is_malformed():
    bad("Mon 08:00-10:01,10:00-12:00")
    bad("Mon 08:00-18:00,10:00-12:00")
    bad("Mon 08:00-09:00,08:00-09:00")


def test_later_rule_replaces():
    got = parse_hours("Mon-Wed 08:00-10:00; Tue 09:00-12:00")
    assert got == week(Mon=[(480, 600)], Tue=[(540, 720)], Wed=[(480, 600)])


def test_later_rule_after_closed():
    assert parse_hours("Mon closed;Mon 08:00-10:00") == week(Mon=[(480, 600)])


def test_malformed_rule_raises_though_replaced():
    bad("Mon 10:00-09:00; Mon closed")


def test_end_must_be_later():
    bad("Mon 10:00-10:00")
    bad("Mon 22:00-02:00")
    bad("Mon 22:00-00:00")


def test_bad_clock_values():
    bad("Mon 24:00-24:00")
    bad("Mon 08:60-10:00")
    bad("Mon 08:00-24:01")
    bad("Mon 08:00-25:00")


def test_bad_clock_forms():
    bad("Mon 8:00-10:00")
    bad("Mon 08:00")
    bad("Mon 08.00-10.00")
    bad("Mon 08:00-10:00,")
    bad("Mon 08:00-10:00, 11:00-12:00")
    bad("Mon Closed")


def test_bad_days():
    bad("mon 08:00-10:00")
    bad("Monday 08:00-10:00")
    bad("Mon-Tue-Wed 08:00-10:00")
    bad("Mon, 08:00-10:00")
    bad("Mon,Tue, Wed closed")


def test_missing_parts():
    bad("Mon")
    bad("08:00-10:00")
    bad("closed")


def test_days_have_their_own_lists():
    got = parse_hours("Mon-Tue 08:00-10:00")
    got["Mon"].append((0, 1))
    got["Wed"].append((0, 1))
    assert got["Tue"] == [(480, 600)]
    assert got["Thu"] == []
