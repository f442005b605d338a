"""Each place of a value changed, in the ways in which code slips there."""

from __future__ import annotations

import ast
import datetime as dt
from decimal import Decimal
from itertools import islice

import pytest

from tdgen.inputs import searched
from tdgen.inputs.literals import dates, decimals, durations, floats
from tdgen.inputs.places import changes
from tdgen.inputs.relations import near, places, put

DAY = dt.date(2023, 5, 31)


def test_places_are_what_a_value_holds_and_the_value():
    """By their paths, the outer first."""
    value = [(1, "a"), (2, "b")]
    assert [place.path for place in places(value)] == [(), (0,), (0, 0), (0, 1), (1,), (1, 0), (1, 1)]
    assert put(value, (1, 0), 7) == [(1, "a"), (7, "b")]


@pytest.mark.parametrize(
    "day", [dt.date(2024, 2, 29), dt.date(2020, 2, 29), dt.date(2023, 12, 31), dt.date(2100, 3, 1)]
)
def test_a_day_goes_to_the_limits_of_the_calendar(day):
    """As a date, as a datetime at the same time of day, and as a text, written as it was."""
    assert day in changes(DAY)
    assert dt.datetime(day.year, day.month, day.day, 8, 30) in changes(dt.datetime(2023, 5, 31, 8, 30))
    assert f"on {day:%Y/%m/%d} at 8" in changes("on 2023/05/31 at 8")
    assert f"{day:%Y%m%d}" in changes("20230531")


@pytest.mark.parametrize("text", ["0001-05-31", "1-05-31", "2023-01-31", "2023-06-31", "2023-6-31"])
def test_a_number_in_a_text_is_as_long_as_it_was_or_as_it_is(text):
    """A field of fixed width has its least number, and code that reads a shorter one is found out."""
    assert text in changes("2023-05-31")


LAST = (dt.date.max, dt.date.min, dt.datetime.max, dt.datetime.min, dt.timedelta.max, 1e308, Decimal("9.9E+999999"))


@pytest.mark.parametrize("value", LAST, ids=repr)
def test_what_is_beyond_the_last_value_of_a_type_is_left_out(value):
    """The day after the last one, twice the largest number: whatever else can stand there is tried."""
    found = [*islice(changes(value, [10**400, -3]), 200), *near(value), *islice(one_step(value), 200)]
    assert len(found) > 3


def one_step(value):
    """What is one step away from a value, by its type."""
    steps = {dt.date: dates, dt.datetime: dates, dt.timedelta: durations, float: floats, Decimal: decimals}
    return steps[type(value)](value)


def test_a_number_goes_to_its_bounds_and_to_those_of_the_code():
    """Nothing, one, the neighbours, the other sign, a constant, far off."""
    found = list(changes(30, [50, "x"]))
    assert {0, 1, 31, 29, -30, -1, 50} <= set(found)
    assert max(found) > 10**6


@pytest.mark.parametrize(
    "text", ["x -30", "x +30", "x  30", "x 030", "x --30", "x30", "x 3_0", "x \u0663\u0660", "x 0", "x 31"]
)
def test_a_number_in_a_text_is_signed_and_changed(text):
    """What readers of numbers let through, and other numbers."""
    assert text in changes("x 30")


@pytest.mark.parametrize(
    "text", [" a, Bc", "a, Bc\n", "a,, Bc", "a,  Bc", "A, Bc", "a, bc", "a, BC", ", Bc", "a,Bc", ""]
)
def test_words_and_what_is_between_them_are_changed(text):
    """Cases, blanks, separators, words left out."""
    assert text in changes("a, Bc")


@pytest.mark.parametrize("text", ["b\na\n", "a\na\nb\n", "a\nb\na\n", "a\n\nb\n", "a\nb", "a\r\nb\r\n", "b\n"])
def test_lines_are_a_row(text):
    """Exchanged, doubled there and at the end, with empty ones between, with other ends."""
    assert text in changes("a\nb\n")


def test_rows_and_mappings_lose_double_and_exchange_their_items():
    """A mapping's keys come in another order too."""
    found = list(changes([3, 1, 2]))
    for items in ([1, 2], [3, 3, 1, 2], [3, 1, 2, 3], [1, 3, 2], [1, 2, 3], [3, 2, 1], [3, 3, 2], []):
        assert items in found
    assert ["b", "a"] in [list(mapping) for mapping in changes({"a": 1, "b": 2})]


def test_several_places_are_changed_at_once(spec, case):
    """Two limits that have to meet are seldom met one by one."""
    made = spec("spans: list[tuple[str, int]]", "limit: int")
    calls = [call for call, _ in islice(searched(made, [case("[('x', 20), ('y', 30)]", "60")]), 1500)]
    found = [(ast.literal_eval(one.arguments[0]), ast.literal_eval(one.arguments[1])) for one in calls]
    assert any(limit == 0 and ("x", 0) in spans for spans, limit in found)


def test_no_place_takes_what_its_annotation_does_not_admit(spec, case):
    """A number stays a number."""
    made = spec("n: int", "text: str")
    calls = [call for call, _ in islice(searched(made, [case("3", "'4'")]), 500)]
    assert {tuple(type(ast.literal_eval(a)) for a in call.arguments) for call in calls} == {(int, str)}
