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


LOG = """\
# Monday
09:15-11:00 Garden plans
11:00-11:05 Tax   # finally

13:00-14:30 garden Plans
"""


def test_from_stdin(run):
    assert run(stdin=LOG) == (0, "3:15 Garden plans\n0:05 Tax\n3:20 total\n", "")


def test_dash_is_stdin(run):
    assert run("-", stdin="08:00-08:01 A") == (0, "0:01 A\n0:01 total\n", "")


def test_from_a_file(run, tmp_path):
    path = tmp_path / "week.txt"
    path.write_text(LOG, encoding="utf-8")
    assert run(path, stdin="nonsense")[:2] == (0, "3:15 Garden plans\n0:05 Tax\n3:20 total\n")


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing today\n   # really"])
def test_empty_log(run, text):
    assert run(stdin=text) == (0, "0:00 total\n", "")


def test_past_midnight_and_more_than_a_day(run):
    text = "22:30-01:00 Night\n00:00-23:59 Watch\n10:00-09:59 Watch\n"
    assert run(stdin=text) == (0, "47:58 Watch\n2:30 Night\n50:28 total\n", "")


def test_equal_times(run):
    assert run(stdin="10:00-10:00 Call\n") == (0, "0:00 Call\n0:00 total\n", "")


def test_ties_in_the_order_of_the_log(run):
    text = "08:00-09:00 zeta\n09:00-09:30 mid\n10:00-11:00 Alpha\n11:00-11:30 Mid\n"
    assert run(stdin=text) == (0, "1:00 zeta\n1:00 mid\n1:00 Alpha\n3:00 total\n", "")


def test_min(run):
    text = "08:00-08:10 a\n08:00-08:30 b\n08:00-08:29 c\n08:00-10:00 d\n"
    assert run("--min", "30", stdin=text) == (0, "2:00 d\n0:30 b\n0:39 other\n3:09 total\n", "")


def test_min_counts_the_whole_project(run):
    text = "08:00-08:20 a\n09:00-09:20 A\n"
    assert run("--min", "30", stdin=text) == (0, "0:40 a\n0:40 total\n", "")


def test_min_with_other_above_the_rest(run, tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("08:00-08:50 a\n08:00-08:50 b\n08:00-09:00 c\n09:00-09:00 d", encoding="utf-8")
    assert run(path, "--min", "60")[1] == "1:00 c\n1:40 other\n2:40 total\n"


def test_other_of_nothing(run):
    assert run("--min", "1", stdin="09:00-09:00 d") == (0, "0:00 other\n0:00 total\n", "")


def test_all_bad_lines_are_reported(run):
    text = "# x\n\n8:00-09:00 a\n09:00-10:00 b\n09:00-24:00 c\n09:00-10:00\n09:60-10:00 d\n09:00-10:00 # e"
    code, out, err = run(stdin=text)
    assert (code, out) == (1, "")
    assert [line.split(": ")[0] for line in err.splitlines() if line.startswith("line ")] == ["line 3", "line 5", "line 6", "line 7", "line 8"]


@pytest.mark.parametrize("arguments", [("--min",), ("--min", "few"), ("--min", "-1"), ("--sum",), ("-", "-")])
def test_wrong_arguments(run, arguments):
    code, out, err = run(*arguments, stdin=LOG)
    assert (code, out) == (2, "")
    assert err.strip()


def test_no_such_file(run, tmp_path):
    code, out, err = run(tmp_path / "none.txt", stdin=LOG)
    assert (code, out) == (2, "")
    assert err.strip()
