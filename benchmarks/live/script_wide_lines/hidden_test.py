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


def test_nothing_too_wide(run):
    assert run(stdin="short line\nanother\n") == (0, "", "")


def test_empty_input(run):
    assert run(stdin="") == (0, "", "")


def test_the_limit_itself_is_fine(run):
    fits, wide = "a " + "b" * 77, "a " + "b" * 78
    assert run(stdin=f"{fits}\n{wide}\n") == (1, "2: 80\n", "1 too wide\n")


def test_max(run):
    code, out, err = run("--max", "5", stdin="a bcd\na bcde\n\nab cdef\n")
    assert (code, out) == (1, "2: 6\n4: 7\n")
    assert err.strip() == "2 too wide"


def test_last_line_without_newline(run):
    code, out, _ = run("--max", "3", stdin="a b\na bc")
    assert (code, out) == (1, "2: 4\n")


def test_spaces_at_the_end_count(run):
    code, out, _ = run("--max", "4", stdin="a b  \na b \n")
    assert (code, out) == (1, "1: 5\n")


def test_tabs_go_to_the_next_multiple_of_eight(run):
    code, out, _ = run("--max", "8", stdin="ab\tc\na b\t\n12345678\tc\n")
    assert (code, out) == (1, "1: 9\n3: 17\n")


def test_unbreakable_lines_are_let_off(run):
    text = "https://example.org/long\n    https://example.org/long  \nsee https://example.org/long\n"
    code, out, err = run("--max", "10", stdin=text)
    assert (code, out) == (1, "3: 28\n")
    assert err.strip() == "1 too wide"


def test_only_unbreakable_lines(run):
    assert run("--max", "3", stdin="abcdef\n  abcdef") == (0, "", "")


@pytest.mark.parametrize("arguments", [("--max",), ("--max", "0"), ("--max", "ten"), ("--max", "-3"), ("file.txt",), ("--wide", "3")])
def test_bad_arguments(run, arguments):
    code, out, err = run(*arguments, stdin="a b c\n")
    assert (code, out) == (2, "")
    assert err.strip()


def test_main_takes_its_arguments_from_argv(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [SCRIPT, "nonsense"])
    monkeypatch.setattr(sys, "stdin", io.StringIO("a bc\n"))
    assert solution.main(["--max", "3"]) == 1
    assert capsys.readouterr().out == "1: 4\n"
