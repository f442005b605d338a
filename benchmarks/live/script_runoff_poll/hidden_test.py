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


def test_parse():
    assert solution.parse_ballot("Ann > Bob Ott > Cem") == ["Ann", "Bob Ott", "Cem"]
    assert solution.parse_ballot("  Ann>Bob Ott  >Cem\n") == ["Ann", "Bob Ott", "Cem"]
    assert solution.parse_ballot("Ann") == ["Ann"]
    assert solution.parse_ballot("ann > Ann") == ["ann", "Ann"]


@pytest.mark.parametrize("line", ["", "   ", "Ann > > Bob", "> Ann", "Ann >", "Ann > Bob > Ann", "Ann >Ann "])
def test_parse_invalid(line):
    with pytest.raises(ValueError):
        solution.parse_ballot(line)


def ballots(*texts):
    return [list(text) for text in texts]


def test_count_round():
    given = ballots("ABC", "BA", "B", "CBA")
    assert solution.count_round(given, set()) == {"A": 1, "B": 2, "C": 1}
    assert solution.count_round(given, {"B"}) == {"A": 2, "C": 1}
    assert solution.count_round(given, {"B", "C"}) == {"A": 3}


def test_count_round_zeros():
    assert solution.count_round(ballots("AB", "AC"), set()) == {"A": 2, "B": 0, "C": 0}


def test_count_round_changes_nothing():
    given, out = ballots("ABC", "BA"), {"A"}
    solution.count_round(given, out)
    assert (given, out) == (ballots("ABC", "BA"), {"A"})


def test_runoff_at_once():
    assert solution.runoff(ballots("AB", "AC", "B")) == ["Round 1: A 2, B 1, C 0", "Winner: A"]


def test_runoff_half_is_not_enough():
    assert solution.runoff(ballots("A", "A", "B", "CB")) == [
        "Round 1: A 2, B 1, C 1",
        "Out: C",
        "Round 2: A 2, B 2",
        "Out: B",
        "Round 3: A 2",
        "Winner: A",
    ]


def test_runoff_half_of_the_ballots_that_count():
    # in round 2 only five of seven count, so 3 are enough
    assert solution.runoff(ballots("A", "A", "A", "B", "B", "C", "D")) == [
        "Round 1: A 3, B 2, C 1, D 1",
        "Out: D",
        "Round 2: A 3, B 2, C 1",
        "Out: C",
        "Round 3: A 3, B 2",
        "Winner: A",
    ]


def test_runoff_tie_round_one_decides():
    # B and C have 2 each in round 2; in round 1 B had 1, C had 2
    given = ballots("A", "A", "A", "B", "C", "C", "DB")
    assert solution.runoff(given) == [
        "Round 1: A 3, C 2, B 1, D 1",
        "Out: D",
        "Round 2: A 3, B 2, C 2",
        "Out: B",
        "Round 3: A 3, C 2",
        "Winner: A",
    ]


def test_runoff_tie_round_one_not_the_round_before():
    # in round 3 B and C have 3 each; in round 1 C had 2, B had 3; in round 2 both had 3
    given = ballots("AB", "AB", "AC", "AC", "AC", "B", "B", "B", "C", "C", "D", "D", "DA", "EC")
    lines = solution.runoff(given)
    assert lines[0] == "Round 1: A 5, B 3, D 3, C 2, E 1"
    assert lines[1:4] == ["Out: E", "Round 2: A 5, B 3, C 3, D 3", "Out: C"]


def test_runoff_tie_plain_string_order():
    assert solution.runoff([["b"], ["B"], ["a"]])[1] == "Out: b"
    assert solution.runoff([["Z"], ["a"]]) == ["Round 1: Z 1, a 1", "Out: a", "Round 2: Z 1", "Winner: Z"]


def test_runoff_zeros_go_one_by_one():
    lines = solution.runoff(ballots("AD", "BC"))
    assert lines == [
        "Round 1: A 1, B 1, C 0, D 0",
        "Out: D",
        "Round 2: A 1, B 1, C 0",
        "Out: C",
        "Round 3: A 1, B 1",
        "Out: B",
        "Round 4: A 1",
        "Winner: A",
    ]


def test_runoff_changes_nothing():
    given = ballots("A", "A", "B", "CB")
    solution.runoff(given)
    assert given == ballots("A", "A", "B", "CB")


def test_runoff_without_ballots():
    with pytest.raises(ValueError):
        solution.runoff([])


TEXT = "Ann > Bob Ott\nAnn\n\n  Ann>Cem\nBob Ott > Ann\nBob Ott\nCem > Ann"
RESULT = "Round 1: Ann 3, Bob Ott 2, Cem 1\nOut: Cem\nRound 2: Ann 4, Bob Ott 2\nWinner: Ann\n"


@pytest.mark.parametrize("arguments", [(), ("--strict",)])
def test_script(run, arguments):
    assert run(*arguments, stdin=TEXT) == (0, RESULT, "")


def test_script_invalid_ballots(run):
    code, out, err = run(stdin="Ann > Ann\n" + TEXT + "\n> Bob\n")
    assert (code, out) == (0, RESULT)
    reports = err.splitlines()
    assert [line.split(": ")[0] for line in reports] == ["line 1", "line 9"]


def test_script_strict(run):
    code, out, err = run("--strict", stdin=TEXT + "\nAnn > Ann\n\nCem >\n")
    assert (code, out) == (1, "")
    assert "line 8: " in err
    assert "line 10: " in err


@pytest.mark.parametrize("arguments", [(), ("--strict",)])
@pytest.mark.parametrize("text", ["", "\n  \n", "Ann > Ann\n"])
def test_script_no_valid_ballot(run, arguments, text):
    code, out, err = run(*arguments, stdin=text)
    assert (code, out) == (1, "")
    assert err.strip()


@pytest.mark.parametrize("arguments", [("-s",), ("--strict", "x"), ("",), ("poll.txt",)])
def test_script_wrong_arguments(run, arguments):
    code, out, err = run(*arguments, stdin=TEXT)
    assert (code, out) == (2, "")
    assert err.strip()
