import pytest

import solution


def printed(capsys, *args):
    result = solution.print_invoice(*args)
    return result, capsys.readouterr().out


def test_example(capsys):
    total, out = printed(capsys, "Ada", [("Paper A4", 3, 499), ("Stapler", 1, 850)], 19)
    assert total == 2793
    assert out.splitlines() == [
        "Invoice for Ada",
        "-" * 32,
        "Paper A4".ljust(18) + "   3" + "     14.97",
        "Stapler".ljust(18) + "   1" + "      8.50",
        "-" * 32,
        "Net".ljust(22) + "     23.47",
        "VAT 19%".ljust(22) + "      4.46",
        "Total".ljust(22) + "     27.93",
    ]


def test_ends_with_one_newline(capsys):
    _, out = printed(capsys, "Bo", [("Pen", 1, 100)], 7)
    assert out.endswith("      1.07\n")
    assert out.count("\n") == 7


def test_vat_half_a_cent_goes_up(capsys):
    total, out = printed(capsys, "Bo", [("Pen", 1, 50)], 5)
    assert total == 53
    assert out.splitlines()[5] == "VAT 5%".ljust(22) + "      0.03"


def test_vat_below_half_goes_down(capsys):
    total, _ = printed(capsys, "Bo", [("Pen", 1, 49)], 5)
    assert total == 51


def test_vat_half_up_with_odd_neighbour(capsys):
    total, _ = printed(capsys, "Bo", [("Pen", 1, 150)], 5)
    assert total == 158


def test_vat_once_on_the_sum(capsys):
    total, out = printed(capsys, "Bo", [("a", 1, 3), ("b", 1, 3), ("c", 1, 3)], 10)
    assert total == 10
    assert out.splitlines()[7] == "VAT 10%".ljust(22) + "      0.01"


def test_long_description_is_cut(capsys):
    _, out = printed(capsys, "Bo", [("A very long description indeed", 2, 100)], 0)
    assert out.splitlines()[2] == "A very long descri" + "   2" + "      2.00"


def test_eighteen_characters_stay(capsys):
    _, out = printed(capsys, "Bo", [("abcdefghijklmnopqr", 12, 1)], 0)
    assert out.splitlines()[2] == "abcdefghijklmnopqr" + "  12" + "      0.12"


def test_zero_vat_is_still_shown(capsys):
    total, out = printed(capsys, "Bo", [("Pen", 1, 100)], 0)
    assert total == 100
    assert "VAT 0%".ljust(22) + "      0.00" in out.splitlines()


def test_no_thousands_separator(capsys):
    total, out = printed(capsys, "Bo", [("Server", 2, 123456)], 0)
    assert total == 246912
    assert out.splitlines()[-1] == "Total".ljust(22) + "   2469.12"


def test_no_lines(capsys):
    with pytest.raises(ValueError) as caught:
        solution.print_invoice("Bo", [], 19)
    assert str(caught.value) == "no lines"
    assert capsys.readouterr().out == ""


def test_lines_stay_as_they_are(capsys):
    lines = [("A very long description indeed", 2, 100), ("b", 1, 5)]
    printed(capsys, "Bo", lines, 19)
    assert lines == [("A very long description indeed", 2, 100), ("b", 1, 5)]
