import pytest

import solution
from solution import Span


def test_parse():
    assert solution.parse_span("08:30-12:00") == Span(510, 720)


def test_parse_until_midnight():
    assert solution.parse_span("00:00-24:00") == Span(0, 1440)


@pytest.mark.parametrize(
    "text",
    ["8:30-12:00", "08:30 - 12:00", "12:00-12:00", "13:00-12:00", "08:60-12:00", "08:00-12:60", "08:00-24:01", "24:00-24:00", "", "08:00", "08:00-25:00"],
)
def test_parse_error(text):
    with pytest.raises(solution.SpanError):
        solution.parse_span(text)


def test_error_kind():
    assert issubclass(solution.SpanError, ValueError)


@pytest.mark.parametrize("text", ["08:05-09:00", "00:00-24:00", "23:59-24:00"])
def test_round_trip(text):
    assert solution.format_span(solution.parse_span(text)) == text


def test_merge_overlap_and_order():
    spans = [Span(50, 60), Span(0, 10), Span(5, 20)]
    assert solution.merge(spans) == [Span(0, 20), Span(50, 60)]
    assert spans == [Span(50, 60), Span(0, 10), Span(5, 20)]


def test_merge_touching():
    assert solution.merge([Span(10, 20), Span(0, 10), Span(20, 30)]) == [Span(0, 30)]


def test_merge_contained():
    assert solution.merge([Span(0, 100), Span(10, 20), Span(30, 40)]) == [Span(0, 100)]


def test_merge_nothing():
    assert solution.merge([]) == []


def test_thin_nobody():
    assert solution.thin({}, Span(0, 60), 1) == [Span(0, 60)]
    assert solution.thin({"Ann": []}, Span(0, 60), 1) == [Span(0, 60)]


def test_thin_handover_is_no_gap():
    shifts = {"Ann": [Span(0, 30)], "Bo": [Span(30, 60)]}
    assert solution.thin(shifts, Span(0, 60), 1) == []


def test_thin_handover_is_one_stretch():
    shifts = {"Ann": [Span(0, 30)], "Bo": [Span(30, 60)]}
    assert solution.thin(shifts, Span(0, 60), 2) == [Span(0, 60)]


def test_thin_changing_staff_is_one_stretch():
    shifts = {"Ann": [Span(20, 60)], "Bo": [Span(40, 60)]}
    assert solution.thin(shifts, Span(0, 60), 2) == [Span(0, 40)]


def test_own_overlap_counts_once():
    shifts = {"Ann": [Span(0, 40), Span(30, 60)], "Bo": [Span(0, 20)]}
    assert solution.thin(shifts, Span(0, 60), 2) == [Span(20, 60)]


def test_exactly_enough():
    shifts = {"Ann": [Span(0, 60)], "Bo": [Span(0, 60)]}
    assert solution.thin(shifts, Span(0, 60), 2) == []
    assert solution.thin(shifts, Span(0, 60), 3) == [Span(0, 60)]


def test_shifts_beyond_the_opening():
    shifts = {"Ann": [Span(0, 130)], "Bo": [Span(150, 400)], "Cy": [Span(0, 50)]}
    assert solution.thin(shifts, Span(100, 200), 1) == [Span(130, 150)]


def test_two_stretches():
    shifts = {"Ann": [Span(10, 20), Span(30, 40)]}
    assert solution.thin(shifts, Span(0, 40), 1) == [Span(0, 10), Span(20, 30)]


def test_report():
    shifts = {"Ann": ["09:00-12:00"], "Bo": ["12:30-17:45"]}
    found = solution.cover_report(shifts, "09:00-18:00", 1)
    assert found == "understaffed 12:00-12:30 (30 min)\nunderstaffed 17:45-18:00 (15 min)"


def test_report_covered():
    assert solution.cover_report({"Ann": ["08:00-24:00"]}, "09:00-18:00", 1) == "covered"


def test_report_bad_text():
    with pytest.raises(solution.SpanError):
        solution.cover_report({"Ann": ["9-12"]}, "09:00-18:00", 1)
