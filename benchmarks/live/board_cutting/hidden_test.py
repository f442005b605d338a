import pytest

import solution


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("5' 3 1/2\"", 1016),
        ('15"', 240),
        ("7'", 1344),
        ('3/8"', 6),
        ('2/4"', 8),
        ('3 1/2"', 56),
        ("1' 11 15/16\"", 383),
        ('0"', 0),
        ("1' 0\"", 192),
        ("2' 1/16\"", 385),
        ('12"', 192),
    ],
)
def test_parse(text, length):
    assert solution.parse_length(text) == length


@pytest.mark.parametrize(
    "text",
    ["", "5", "5' 12\"", "5'3\"", "5'  3\"", '1/3"', '4/4"', '1 3/2"', "5' ", ' 3"', "3\" 5'", '3.5"', "-3'", "1/2'", '1/32"'],
)
def test_parse_error(text):
    with pytest.raises(solution.LengthError):
        solution.parse_length(text)


def test_error_kind():
    assert issubclass(solution.LengthError, ValueError)


@pytest.mark.parametrize(
    ("length", "text"),
    [(1016, "5' 3 1/2\""), (1344, "7'"), (6, '3/8"'), (0, '0"'), (191, '11 15/16"'), (192, "1'"), (193, "1' 1/16\""), (208, "1' 1\""), (12, '3/4"')],
)
def test_format(length, text):
    assert solution.format_length(length) == text


def test_round_trip():
    assert all(solution.parse_length(solution.format_length(length)) == length for length in range(1000))


def test_fits_exactly():
    assert solution.fits([], 100, 100, 2) is True
    assert solution.fits([], 101, 100, 2) is False


def test_fits_with_the_kerf_between():
    assert solution.fits([40], 58, 100, 2) is True
    assert solution.fits([40], 59, 100, 2) is False
    assert solution.fits([40, 20], 36, 100, 2) is True
    assert solution.fits([40, 20], 37, 100, 2) is False


def test_leftover():
    assert solution.leftover([40, 20], 100, 2) == 36
    assert solution.leftover([40], 100, 2) == 58


def test_leftover_empty_board():
    assert solution.leftover([], 100, 2) == 100


def test_leftover_near_the_end():
    assert solution.leftover([100], 100, 2) == 0
    assert solution.leftover([99], 100, 2) == 0
    assert solution.leftover([98], 100, 2) == 0
    assert solution.leftover([97], 100, 2) == 1


def test_plan_exact_end():
    assert solution.cut_plan(["4'", "3' 11 7/8\""], "8'", '1/8"') == [["4'", "3' 11 7/8\""]]


def test_plan_kerf_makes_two_boards():
    assert solution.cut_plan(["4'", "4'"], "8'", '1/8"') == [["4'"], ["4'"]]


def test_plan_longest_first_on_the_first_board():
    pieces = ['10"', "5'", "3'", '20"', '30"']
    assert solution.cut_plan(pieces, "8'", '0"') == [["5'", "3'"], ["2' 6\"", "1' 8\"", '10"']]


def test_plan_first_board_not_best():
    # 60 + 50 + 41 + 35 inches onto 100: boards [60, 35] and [50, 41]; the last fits onto both
    pieces = ['60"', '50"', '41"', '35"', '4"']
    found = solution.cut_plan(pieces, '100"', '0"')
    assert found == [["5'", "2' 11\"", '4"'], ["4' 2\"", "3' 5\""]]


def test_plan_of_nothing():
    assert solution.cut_plan([], "8'", '1/8"') == []


def test_plan_too_long():
    with pytest.raises(solution.LengthError):
        solution.cut_plan(['97"'], "8'", '1/8"')
    assert solution.cut_plan(['96"'], "8'", '1/8"') == [["8'"]]


def test_plan_bad_text():
    with pytest.raises(solution.LengthError):
        solution.cut_plan(["long"], "8'", '1/8"')
