import pytest

import solution

NOTES = "0:00 Welcome\n12:30 News: what's new\n1:02:05 Letters\n"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("0:00", 0), ("0:05", 5), ("12:30", 750), ("1:02:05", 3725), ("75:00", 4500), ("1:15:00", 4500), ("100:00:00", 360000), ("05:00", 300)],
)
def test_parse_time(text, seconds):
    assert solution.parse_time(text) == seconds


@pytest.mark.parametrize("text", ["", "5", "0:5", "0:60", "1:60:00", "1:2:05", "1:75:00", ":30", "1:00:00:00", "-1:00", "1.30", "0:005"])
def test_parse_time_error(text):
    with pytest.raises(solution.ChapterError):
        solution.parse_time(text)


def test_error_kind():
    assert issubclass(solution.ChapterError, ValueError)


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (5, "0:05"), (3599, "59:59"), (3600, "1:00:00"), (3725, "1:02:05"), (600, "10:00"), (36000, "10:00:00")])
def test_format_time(seconds, text):
    assert solution.format_time(seconds) == text


def test_parse_chapters():
    found = solution.parse_chapters(NOTES, "1:30:00")
    assert found == [(0, "Welcome"), (750, "News: what's new"), (3725, "Letters")]
    assert found[1].title == "News: what's new"
    assert found[1].start == 750


def test_parse_chapters_blank_lines_and_titles():
    assert solution.parse_chapters("\n0:00  Hello \n\n  \n1:00 Bye\n", "2:00") == [(0, "Hello"), (60, "Bye")]


def test_exactly_five_seconds():
    assert len(solution.parse_chapters("0:00 A\n0:05 B\n0:10 C", "0:15")) == 3


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("", "1:00"),
        ("0:01 A", "1:00"),
        ("0:00 A\n0:04 B", "1:00"),
        ("0:00 A\n0:10 B", "0:14"),
        ("0:00 A\n0:30 B\n0:20 C", "1:00"),
        ("0:00 A\n0:30 B\n0:30 C", "1:00"),
        ("0:00", "1:00"),
        ("0:00 A\n0:30  ", "1:00"),
        ("0:00 A\nlater B", "1:00"),
        ("0:00 A\n2:00 B", "1:00"),
        ("0:00 A", "0:04"),
        ("0:00 A", "soon"),
    ],
)
def test_parse_chapters_error(text, length):
    with pytest.raises(solution.ChapterError):
        solution.parse_chapters(text, length)


def test_durations():
    assert solution.durations(NOTES, "1:30:00") == ["News: what's new (49:35)", "Letters (27:55)", "Welcome (12:30)"]


def test_durations_ties_stay():
    found = solution.durations("0:00 C\n1:00 A\n2:00 D\n4:00 B", "5:00")
    assert found == ["D (2:00)", "C (1:00)", "A (1:00)", "B (1:00)"]


def test_durations_of_an_hour():
    assert solution.durations("0:00 All", "60:00") == ["All (1:00:00)"]


def test_insert_ad():
    found = solution.insert_ad(NOTES, "1:30:00", "30:00", "1:30")
    assert found == "0:00 Welcome\n12:30 News: what's new\n1:03:35 Letters"


def test_insert_ad_exactly_at_a_chapter():
    found = solution.insert_ad(NOTES, "1:30:00", "12:30", "0:30")
    assert found == "0:00 Welcome\n13:00 News: what's new\n1:02:35 Letters"


def test_insert_ad_at_the_start():
    found = solution.insert_ad("0:00 A\n59:40 B", "1:30:00", "0:00", "0:20")
    assert found == "0:00 A\n1:00:00 B"


def test_insert_ad_at_the_end():
    assert solution.insert_ad("0:00 A\n1:00 B", "2:00", "2:00", "0:20") == "0:00 A\n1:00 B"


def test_insert_ad_beyond_the_end():
    with pytest.raises(solution.ChapterError):
        solution.insert_ad("0:00 A\n1:00 B", "2:00", "2:01", "0:20")


def test_insert_ad_normalizes_times():
    assert solution.insert_ad("0:00 A\n75:00 B", "2:00:00", "1:30:00", "1:00") == "0:00 A\n1:15:00 B"


def test_insert_ad_checks_the_notes():
    with pytest.raises(solution.ChapterError):
        solution.insert_ad("0:00 A\n0:02 B", "2:00", "1:00", "0:20")
