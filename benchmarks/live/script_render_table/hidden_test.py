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


FRUIT = "Fruit\tPieces\nPear\t7\nBlackberry\t120\n"


def test_plain(run):
    out = "Fruit       Pieces\n----------  ------\nPear        7\nBlackberry  120\n"
    assert run(stdin=FRUIT) == (0, out, "")


def test_right(run):
    out = "Fruit       Pieces\n----------  ------\nPear             7\nBlackberry     120\n"
    assert run("--right", "2", stdin=FRUIT) == (0, out, "")


def test_right_several_times_with_the_header(run):
    out = "     Fruit  Pieces\n----------  ------\n      Pear       7\nBlackberry     120\n"
    assert run("--right", "2", "--right", "1", stdin=FRUIT) == (0, out, "")


def test_no_header(run):
    assert run("--no-header", stdin="a\tbb\nccc\td") == (0, "a    bb\nccc  d\n", "")


@pytest.mark.parametrize("arguments", [(), ("--right", "5"), ("--no-header", "--max", "3")])
@pytest.mark.parametrize("text", ["", "\n", " \t \n\n"])
def test_no_rows(run, arguments, text):
    assert run(*arguments, stdin=text) == (0, "", "")


def test_short_rows_and_no_spaces_at_the_end(run):
    text = "a\tb\tc\nlong\n\n\tx\n1\t2\t3"
    assert run(stdin=text) == (0, "a     b  c\n----  -  -\nlong\n      x\n1     2  3\n", "")


def test_a_longer_row_makes_a_column(run):
    assert run("--right", "2", stdin="h\nx\tyy\n") == (0, "h\n-  --\nx  yy\n", "")


def test_cells_are_stripped(run):
    assert run(stdin="  a \t b\nccc\t  d  \n") == (0, "a    b\n---  -\nccc  d\n", "")


def test_max(run):
    out = "Fruit  Piec…\n"
    assert run("--max", "5", stdin=FRUIT) == (0, out + "-----  -----\nPear   7\nBlac…  120\n", "")


def test_only_a_header(run):
    assert run(stdin="one\ttwo") == (0, "one  two\n---  ---\n", "")


def test_column_out_of_range(run):
    code, out, err = run("--right", "3", stdin=FRUIT)
    assert (code, out) == (2, "")
    assert err.strip()


@pytest.mark.parametrize("arguments", [("--right", "0"), ("--right", "two"), ("--right",), ("--max", "1"), ("--max", "x"), ("--left", "1"), ("x.tsv",)])
@pytest.mark.parametrize("text", [FRUIT, ""])
def test_wrong_arguments(run, arguments, text):
    code, out, err = run(*arguments, stdin=text)
    assert (code, out) == (2, "")
    assert err.strip()
