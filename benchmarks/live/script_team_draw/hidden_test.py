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


def test_deal_goes_in_a_zigzag():
    assert solution.deal(list("abcdefg"), 3) == [["a", "f", "g"], ["b", "e"], ["c", "d"]]
    assert solution.deal(list("abcdefghij"), 2) == [["a", "d", "e", "h", "i"], ["b", "c", "f", "g", "j"]]


def test_deal_one_team_and_one_each():
    assert solution.deal(["a", "b", "c"], 1) == [["a", "b", "c"]]
    assert solution.deal(["a", "b", "c"], 3) == [["a"], ["b"], ["c"]]


def test_deal_leaves_the_names():
    names = ["a", "b", "c", "d"]
    solution.deal(names, 2)
    assert names == ["a", "b", "c", "d"]


@pytest.mark.parametrize(("names", "teams"), [(["a"], 0), (["a"], -1), (["a", "b"], 3), ([], 1), (["Mia", "Ali", "Mia"], 2), (["Mia", "Ali", "MIA"], 2)])
def test_deal_objects(names, teams):
    with pytest.raises(ValueError):
        solution.deal(names, teams)


def test_team_lines():
    assert solution.team_lines([["Ali", "Bea", "Cem"], ["Dan"]]) == ["Team 1 (3): Ali, Bea, Cem", "Team 2 (1): Dan"]


def test_script(run):
    assert run("2", stdin="Ali\nBea\nCem\nDan\nEva\n") == (0, "Team 1 (3): Ali, Dan, Eva\nTeam 2 (2): Bea, Cem\n", "")


def test_script_spaces_blank_lines_and_no_final_newline(run):
    assert run("2", stdin="\n  Ali \n\nBea Ott\n   \nCem") == (0, "Team 1 (1): Ali\nTeam 2 (2): Bea Ott, Cem\n", "")


@pytest.mark.parametrize("text", ["", "\n\n", "Ali\n"])
def test_script_too_few_names(run, text):
    code, out, err = run("2", stdin=text)
    assert (code, out) == (1, "")
    assert err.strip()


def test_script_a_name_twice(run):
    code, out, err = run("2", stdin="Ali\nBea\n ali \n")
    assert (code, out) == (1, "")
    assert err.strip()


def test_script_no_teams(run):
    code, out, err = run("0", stdin="Ali\n")
    assert (code, out) == (1, "")
    assert err.strip()


@pytest.mark.parametrize("arguments", [(), ("two",), ("2.5",), ("2", "3"), ("",)])
def test_script_wrong_arguments(run, arguments):
    code, out, err = run(*arguments, stdin="Ali\nBea\nCem\n")
    assert (code, out) == (2, "")
    assert err.strip()


def test_script_reads_nothing_with_wrong_arguments(run):
    assert run("two", stdin="Ali\n")[0] == 2
    assert sys.stdin.read() == "Ali\n"
