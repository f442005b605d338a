import pytest

from solution import definition_list


def lines(*args, **kwargs):
    return definition_list(*args, **kwargs).split("\n")


def test_example():
    got = definition_list([("-q", "print nothing"), ("--verbose", "print all that is done")], 24)
    assert got == (
        "-q        print nothing\n"
        "--verbose\n"
        "          print all that\n"
        "          is done"
    )


def test_left_column_as_wide_as_longest_term():
    assert lines([("a", "x"), ("bbb", "y")], 30) == ["a    x", "bbb  y"]


def test_term_of_exactly_a_third():
    assert lines([("abcd", "one two")], 12) == ["abcd  one", "      two"]


def test_term_one_longer_than_a_third():
    assert lines([("abcde", "one two")], 12) == ["abcde", "      one", "      two"]


def test_third_is_rounded_down():
    assert lines([("abcde", "x")], 14) == ["abcde", "      x"]
    assert lines([("abcde", "x")], 15) == ["abcde  x"]


def test_line_filled_exactly():
    assert lines([("abcd", "ab cde f")], 12) == ["abcd  ab cde", "      f"]


def test_long_word_is_cut():
    assert lines([("abcd", "abcdefghijklm no")], 12) == [
        "abcd  abcdef",
        "      ghijkl",
        "      m no",
    ]


def test_long_word_starts_on_a_new_line():
    assert lines([("abcd", "x abcdefgh ijkl y")], 12) == [
        "abcd  x",
        "      abcdef",
        "      gh",
        "      ijkl y",
    ]


def test_word_of_exactly_the_width_is_not_cut():
    assert lines([("abcd", "x abcdef y")], 12) == ["abcd  x", "      abcdef", "      y"]


def test_words_after_a_last_piece_that_fills_the_line():
    assert lines([("abcd", "abcdefghijkl m")], 12) == [
        "abcd  abcdef",
        "      ghijkl",
        "      m",
    ]


def test_white_space_of_text():
    assert lines([("a", "  x \n y\t\tz ")], 30) == ["a  x y z"]


def test_white_space_of_term():
    assert lines([("  a \n  b ", "x"), ("c", "y")], 30) == ["a b  x", "c    y"]


def test_blank_text():
    assert lines([("a", " \n "), ("b", "x"), ("c", "")], 30) == ["a", "b  x", "c"]


def test_blank_term():
    assert lines([("abc", "x"), (" ", "y")], 30) == ["abc  x", "     y"]


def test_both_blank():
    assert lines([("a", "x"), (" ", "\n"), ("b", "y")], 30) == ["a  x", "", "b  y"]


def test_only_blank_terms():
    assert lines([("", "x y")], 12) == ["  x y"]


def test_no_entries():
    assert definition_list([], 40) == ""


def test_other_gap():
    assert lines([("a", "x"), ("bb", "y")], 30, gap=1) == ["a  x", "bb y"]
    assert lines([("a", "x")], 30, 4) == ["a    x"]


def test_long_term_with_blank_text_is_not_cut():
    assert lines([("abcdefghijklmnopq", "")], 12) == ["abcdefghijklmnopq"]


def test_long_term_widens_the_column_for_others():
    assert lines([("abcdefgh", "x"), ("a", "y")], 12) == ["abcdefgh", "      x", "a     y"]


def test_bad_width_and_gap():
    entries = [("abcd", "xy")]
    for width, gap in ((11, 1), (0, 1), (12, 0), (12, -1), (12, 8), (12, 20)):
        with pytest.raises(ValueError):
            definition_list(entries, width, gap)


def test_right_column_of_one():
    assert lines([("abcd", "xy")], 12, 7) == ["abcd       x", "           y"]
