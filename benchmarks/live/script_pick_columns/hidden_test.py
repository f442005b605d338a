"""Hidden tests: the module is run as a script."""

import io
import runpy
import sys
from pathlib import Path

import pytest

import solution

SCRIPT = str(Path(solution.__file__).resolve())


@pytest.fixture
def run(monkeypatch, capsys):
    """Run the module as a script: its exit code, stdout and stderr."""

    def go(*arguments, stdin=""):
        monkeypatch.setattr(sys, "argv", [SCRIPT, *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        capsys.readouterr()
        code = 0
        try:
            runpy.run_path(SCRIPT, run_name="__main__")
        except SystemExit as stop:
            code = stop.code
        out, err = capsys.readouterr()
        if isinstance(code, str):
            code, err = 1, err + code
        return int(code or 0), out, err

    return go


def test_importing_does_nothing(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [SCRIPT, "--no-such-option"])
    monkeypatch.setattr(sys, "stdin", io.StringIO("a\n"))
    capsys.readouterr()
    runpy.run_path(SCRIPT, run_name="imported")
    assert tuple(capsys.readouterr()) == ("", "")
    assert sys.stdin.read() == "a\n"


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("4", [(4, 4)]),
        ("2-4", [(2, 4)]),
        ("4-2", [(4, 2)]),
        ("3-", [(3, None)]),
        ("-2", [(1, 2)]),
        ("3,1-2", [(3, 3), (1, 2)]),
        ("2,2,-1,10-", [(2, 2), (2, 2), (1, 1), (10, None)]),
        ("007", [(7, 7)]),
    ],
)
def test_parse(text, columns):
    assert solution.parse_columns(text) == columns


@pytest.mark.parametrize("text", ["", "0", "0-2", "2-0", "-0", "0-", "1,,2", ",1", "1,", "-", "1,-", "1-2-3", "--2", "1 ,2", " 1", "1\n", "a", "1.5", "+1", "\u0663"])
def test_parse_invalid(text):
    with pytest.raises(ValueError):
        solution.parse_columns(text)


@pytest.mark.parametrize(
    ("columns", "result"),
    [
        ([(3, 3), (1, 2)], "c;a;b"),
        ([(4, 2)], "d;c;b"),
        ([(3, None)], "c;d"),
        ([(4, None)], "d"),
        ([(2, 2), (2, 2)], "b;b"),
        ([(1, None), (1, 1)], "a;b;c;d;a"),
        ([(5, 5)], ""),
        ([(3, 6)], "c;d;;"),
        ([(6, 4)], ";;d"),
        ([(5, None), (1, 1)], "a"),
        ([(5, 5), (1, 1)], ";a"),
    ],
)
def test_pick(columns, result):
    assert solution.pick("a;b;c;d", columns, ";") == result


def test_pick_keeps_fields():
    assert solution.pick(' a ;"x;y";', [(1, 1), (3, 3), (4, 4)], ";") == ' a ;y";'
    assert solution.pick("a\tb", [(2, 2), (1, 1)], "\t") == "b\ta"


def test_pick_empty_line():
    assert solution.pick("", [(2, 4), (1, 1)], ";") == ""


def test_pick_leaves_the_columns():
    columns = [(4, 2), (3, None)]
    solution.pick("a;b;c;d", columns, ";")
    assert columns == [(4, 2), (3, None)]


def test_script(run):
    assert run("3,1-2", stdin="a\tb\tc\n1\t2\t3\t4\n") == (0, "c\ta\tb\n3\t1\t2\n", "")


def test_script_spec_with_a_minus(run):
    assert run("-2", stdin="a\tb\tc\n") == (0, "a\tb\n", "")


def test_script_separator(run):
    assert run("-d", ";", "2-", stdin="a;b;c\n1;2") == (0, "b;c\n2\n", "")


def test_script_separator_and_a_minus(run):
    assert run("-d", "-", "-1,3", stdin="a-b-c\n") == (0, "a-c\n", "")


def test_script_final_line_end_and_empty_lines(run):
    assert run("1", stdin="a\tb\n\nc") == (0, "a\n\nc\n", "")


def test_script_no_input(run):
    assert run("1", stdin="") == (0, "", "")


def test_script_short_lines(run):
    code, out, err = run("1,3", stdin="a\tb\tc\nd\te\n\nf\n")
    assert (code, out, err.strip()) == (1, "a\tc\nd\t\n\nf\t\n", "2 short lines")


def test_script_one_short_line(run):
    code, out, err = run("4-2", stdin="a\tb\tc\nd\te\tf\tg\n")
    assert (code, out, err.strip()) == (1, "\tc\tb\ng\tf\te\n", "1 short line")


def test_script_open_parts_miss_nothing(run):
    assert run("3-", stdin="a\tb\n1\t2\t3\n") == (0, "\n3\n", "")


def test_script_spaces_stay(run):
    assert run("2,1", stdin=" a \t b\n") == (0, " b\t a \n", "")


def test_script_a_line_of_spaces_is_not_empty(run):
    code, out, err = run("2", stdin="  \n")
    assert (code, out, err.strip()) == (1, "\n", "1 short line")


@pytest.mark.parametrize(
    "arguments",
    [(), ("0",), ("",), ("1", "2"), ("-d", ";"), ("-d",), ("-d", "", "1"), ("-d", ";;", "1"), ("-d", ";", "x"), ("-d", ";", "1", "2"), ("--",), ("1", "-d", ";")],
)
def test_script_wrong_arguments(run, arguments):
    code, out, err = run(*arguments, stdin="a\tb\n")
    assert (code, out) == (2, "")
    assert err.strip()
