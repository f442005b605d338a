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
    ("arguments", "out"),
    [
        (("2", "tbsp", "ml"), "30 ml\n"),
        (("1", "lb", "oz"), "16 oz\n"),
        (("3/4", "cup", "tbsp"), "12 tbsp\n"),
        (("0.5", "tbsp", "ml"), "7.5 ml\n"),
        (("0", "kg", "g"), "0 g\n"),
        (("0.1", "l", "ml"), "100 ml\n"),
        (("1", "lb", "kg"), "0.45 kg\n"),
        (("1.25", "cup", "cup"), "1.25 cup\n"),
    ],
)
def test_one_value(run, arguments, out):
    assert run(*arguments) == (0, out, "")


@pytest.mark.parametrize(("value", "out"), [("15", "0.02 l\n"), ("25", "0.03 l\n"), ("5", "0.01 l\n"), ("4", "0 l\n"), ("1045", "1.05 l\n")])
def test_half_goes_up(run, value, out):
    assert run(value, "ml", "l") == (0, out, "")


def test_values_from_stdin(run):
    assert run("tsp", "ml", stdin="1\n 2.5 \n1/2") == (0, "5 ml\n12.5 ml\n2.5 ml\n", "")


def test_empty_stdin(run):
    assert run("tsp", "ml", stdin="") == (0, "", "")


def test_blank_lines(run):
    assert run("kg", "g", stdin="\n\n2\n   \n") == (0, "2000 g\n", "")


def test_bad_lines_do_not_stop_the_work(run):
    code, out, err = run("kg", "g", stdin="1\n\nmuch\n2\n-3\n4")
    assert (code, out) == (1, "1000 g\n2000 g\n4000 g\n")
    assert [line[:8] for line in err.splitlines() if line.startswith("line ")] == ["line 3: ", "line 5: "]


@pytest.mark.parametrize("text", ["1/0", ".5", "5.", "1e3", "+2", "1 1/2", "1.5/2", "nan"])
def test_what_is_no_value(run, text):
    code, out, err = run("l", "ml", stdin=text + "\n")
    assert (code, out) == (1, "")
    assert err.startswith("line 1: ")


@pytest.mark.parametrize("arguments", [(), ("ml",), ("1", "ml", "l", "x"), ("1", "pint", "ml"), ("cup", "pint"), ("1", "l", "pint")])
def test_wrong_arguments(run, arguments):
    code, out, err = run(*arguments, stdin="1\n")
    assert (code, out) == (2, "")
    assert err.strip()


@pytest.mark.parametrize("arguments", [("1", "cup", "g"), ("oz", "ml")])
def test_volume_with_weight(run, arguments):
    code, out, err = run(*arguments, stdin="1\n")
    assert (code, out) == (2, "")
    assert err.strip()


@pytest.mark.parametrize("value", ["1/0", "some", "1e2", ""])
def test_bad_value_as_an_argument(run, value):
    code, out, err = run(value, "l", "ml")
    assert (code, out) == (2, "")
    assert err.strip()


def test_main_returns_the_code(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [SCRIPT])
    assert solution.main(["1", "cup", "ml"]) == 0
    assert capsys.readouterr().out == "240 ml\n"
