import pytest

import solution

ROW = "K2, (P, YO) x3, K2"


def test_expand():
    assert solution.expand(ROW) == ["K", "K", "P", "YO", "P", "YO", "P", "YO", "K", "K"]


def test_expand_spaces():
    assert solution.expand("  K2,(P ,YO)x 2 ") == ["K", "K", "P", "YO", "P", "YO"]


def test_expand_nested():
    assert solution.expand("((K, P2) x2, YO) x2") == ["K", "P", "P", "K", "P", "P", "YO"] * 2


def test_expand_large_counts():
    assert solution.expand("K12, (P) x10") == ["K"] * 12 + ["P"] * 10


@pytest.mark.parametrize(
    "text",
    ["", "  ", "K2,", ",K", "K,,P", "K P", "K0", "(K) x0", "(K)", "K x3", "(K x3", "K) x3", "() x3", "k2", "Q", "K 2", "Y O", "(K) x", "2K", "(K, ) x2", "KK"],
)
def test_expand_error(text):
    with pytest.raises(solution.PatternError):
        solution.expand(text)


def test_error_kind():
    assert issubclass(solution.PatternError, ValueError)


@pytest.mark.parametrize(
    ("stitches", "text"),
    [(["K", "K", "P", "YO"], "K2, P, YO"), ([], ""), (["INC"] * 3, "INC3"), (["K", "P", "K"], "K, P, K")],
)
def test_compress(stitches, text):
    assert solution.compress(stitches) == text


def test_compress_example():
    assert solution.compress(solution.expand(ROW)) == "K2, P, YO, P, YO, P, YO, K2"


def test_compress_joins_over_items():
    assert solution.compress(solution.expand("K, K2, (K) x3")) == "K6"


def test_round_trip():
    stitches = ["P", "DEC", "DEC", "K", "K", "K", "YO"]
    assert solution.expand(solution.compress(stitches)) == stitches


def test_wrong_side():
    assert solution.wrong_side("K3, P, YO, DEC") == "DEC, YO, K, P3"


def test_wrong_side_twice():
    assert solution.wrong_side(solution.wrong_side("K3, (P, YO) x2")) == "K3, P, YO, P, YO"


def test_count():
    assert solution.count_stitches(ROW) == (7, 10)
    assert solution.count_stitches("INC2, DEC3") == (8, 7)
    assert solution.count_stitches("YO") == (0, 1)


def test_check():
    assert solution.check_pattern([ROW, "P10", "DEC5"], 7) == 5


def test_check_no_rows():
    assert solution.check_pattern([], 8) == 8


def test_check_too_few():
    with pytest.raises(solution.PatternError) as caught:
        solution.check_pattern(["K8", "P7", "K1"], 8)
    assert str(caught.value) == "row 2 takes 7 of 8 stitches"


def test_check_first_row():
    with pytest.raises(solution.PatternError) as caught:
        solution.check_pattern(["INC4"], 3)
    assert str(caught.value) == "row 1 takes 4 of 3 stitches"


def test_check_takes_from_what_was_put():
    with pytest.raises(solution.PatternError) as caught:
        solution.check_pattern(["INC4", "K4"], 4)
    assert str(caught.value) == "row 2 takes 4 of 8 stitches"
