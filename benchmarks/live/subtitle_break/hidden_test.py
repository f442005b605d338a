import pytest

import solution


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("", 0),
        ("abc", 3),
        ("a b", 3),
        ("\u00e9", 1),
        ("e\u0301", 1),
        ("日本", 4),
        ("ＡＢ", 4),
        ("か\u3099", 2),
        ("ｶ", 1),
        ("한", 2),
        ("a\u20dd", 1),
    ],
)
def test_width(text, width):
    assert solution.shown_width(text) == width


def test_one_line_at_the_limit():
    assert solution.subtitle_break("to be or", 8) == ["to be or"]


def test_two_lines_just_beyond_the_limit():
    assert solution.subtitle_break("to be or", 7) == ["to", "be or"]
    assert solution.subtitle_break("tom be or", 8) == ["tom", "be or"]


def test_whitespace():
    assert solution.subtitle_break("  to \n be\tor  ", 20) == ["to be or"]
    assert solution.subtitle_break("  aaa \n bbb\tccc  ddd ", 10) == ["aaa bbb", "ccc ddd"]


@pytest.mark.parametrize("text", ["", "  \n "])
def test_no_words(text):
    assert solution.subtitle_break(text, 5) == []


def test_balanced_not_filled():
    # filling the upper line would give "one two three" and "four"
    assert solution.subtitle_break("one two three four", 14) == ["one two", "three four"]


def test_lower_line_longer_is_fine():
    assert solution.subtitle_break("a bb cccccc", 9) == ["a bb", "cccccc"]


def test_equal_shorter_upper():
    # "aaa" and "bb ccc" differ by 3, as do "aaa bb" and "ccc"
    assert solution.subtitle_break("aaa bb ccc", 9) == ["aaa", "bb ccc"]


def test_mark_wins_among_equals():
    assert solution.subtitle_break("aaa b, ccc", 9) == ["aaa b,", "ccc"]
    assert solution.subtitle_break("aaa b? ccc", 9) == ["aaa b?", "ccc"]
    assert solution.subtitle_break("aaa b! ccc", 9) == ["aaa b!", "ccc"]
    assert solution.subtitle_break("aaa b. ccc", 9) == ["aaa b.", "ccc"]


def test_both_after_a_mark():
    assert solution.subtitle_break("aa, b. ccc", 9) == ["aa,", "b. ccc"]


def test_other_marks_do_not_win():
    assert solution.subtitle_break("aaa b; ccc", 9) == ["aaa", "b; ccc"]


def test_mark_does_not_win_over_balance():
    assert solution.subtitle_break("Yes, we can see it", 14) == ["Yes, we", "can see it"]


def test_a_break_has_to_fit():
    assert solution.subtitle_break("aaaa bbbb", 4) == ["aaaa", "bbbb"]


def test_wide_characters():
    # 4 + 1 + 2 columns against 2 + 1 + 2
    assert solution.subtitle_break("日本 日 ab cd", 8) == ["日本 日", "ab cd"]
    assert solution.subtitle_break("日本語", 6) == ["日本語"]


def test_combining_marks_take_no_room():
    assert solution.subtitle_break("e\u0301e\u0301 e\u0301", 4) == ["e\u0301e\u0301 e\u0301"]


@pytest.mark.parametrize(("text", "limit"), [("abcdef", 5), ("aaaa bbbbb", 4), ("aaa bbb ccc", 6), ("日本語", 5), ("a", 0)])
def test_does_not_fit(text, limit):
    with pytest.raises(ValueError):
        solution.subtitle_break(text, limit)
