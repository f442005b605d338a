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


from datetime import datetime


def at(text):
    return datetime.strptime(text, "%Y-%m-%d %H:%M")


def test_parse():
    assert solution.parse_shift("2024-02-29 14:00-22:15 Bob") == (at("2024-02-29 14:00"), at("2024-02-29 22:15"), "Bob")


@pytest.mark.parametrize(
    ("line", "end"),
    [
        ("2024-02-28 22:00-06:00 Ann", "2024-02-29 06:00"),
        ("2023-12-31 22:00-06:00 Ann", "2024-01-01 06:00"),
        ("2024-02-29 06:00-06:00 Ann", "2024-03-01 06:00"),
        ("2024-02-29 23:59-00:00 Ann", "2024-03-01 00:00"),
        ("2024-02-29 00:00-23:59 Ann", "2024-02-29 23:59"),
    ],
)
def test_parse_end(line, end):
    assert solution.parse_shift(line)[1] == at(end)


def test_parse_spaces():
    assert solution.parse_shift("   2024-02-29   14:00-22:15    Ann   van  Lee  \n") == (at("2024-02-29 14:00"), at("2024-02-29 22:15"), "Ann van Lee")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "2024-02-29 14:00-22:15",
        "2024-02-29 Bob",
        "2023-02-29 14:00-22:15 Bob",
        "2024-02-29 14:00-24:00 Bob",
        "2024-02-29 14:60-22:15 Bob",
        "2024-02-29 9:00-12:00 Bob",
        "2024-02-29 14:00 - 22:15 Bob",
        "29.02.2024 14:00-22:15 Bob",
        "2024-02-29 14:00-22:15Bob",
    ],
)
def test_parse_bad(line):
    with pytest.raises(ValueError):
        solution.parse_shift(line)


def shifts(*lines):
    return [(at(f"{day} {start}"), at(f"{last} {end}"), name) for day, start, last, end, name in (line.split(" ", 4) for line in lines)]


def test_short_breaks():
    rota = shifts("2024-02-28 22:00 2024-02-29 06:00 Ann", "2024-02-29 14:00 2024-02-29 22:00 Ann")
    assert solution.short_breaks(rota, 481) == [("Ann", at("2024-02-29 06:00"), 480)]
    assert solution.short_breaks(rota, 480) == []


def test_short_breaks_sorts_and_leaves_the_list():
    rota = shifts("2024-03-02 08:00 2024-03-02 16:00 Ann", "2024-03-01 08:00 2024-03-01 23:00 Ann", "2024-03-03 02:00 2024-03-03 04:00 Ann")
    before = list(rota)
    assert solution.short_breaks(rota, 660) == [("Ann", at("2024-03-01 23:00"), 540), ("Ann", at("2024-03-02 16:00"), 600)]
    assert rota == before


def test_short_breaks_more_than_a_day():
    rota = shifts("2024-02-28 08:00 2024-02-28 16:00 Ann", "2024-03-01 16:00 2024-03-01 20:00 Ann")
    assert solution.short_breaks(rota, 2881) == [("Ann", at("2024-02-28 16:00"), 2880)]
    assert solution.short_breaks(rota, 660) == []


def test_short_breaks_overlap():
    rota = shifts("2024-03-01 08:00 2024-03-01 16:00 Ann", "2024-03-01 15:30 2024-03-01 18:00 Ann")
    assert solution.short_breaks(rota, 0) == [("Ann", at("2024-03-01 16:00"), -30)]


def test_short_breaks_zero_break():
    rota = shifts("2024-03-01 08:00 2024-03-01 16:00 Ann", "2024-03-01 16:00 2024-03-01 18:00 Ann")
    assert solution.short_breaks(rota, 0) == []
    assert solution.short_breaks(rota, 1) == [("Ann", at("2024-03-01 16:00"), 0)]


def test_short_breaks_same_start():
    rota = shifts("2024-03-01 08:00 2024-03-01 16:00 Ann", "2024-03-01 08:00 2024-03-01 12:00 Ann")
    assert solution.short_breaks(rota, 60) == [("Ann", at("2024-03-01 12:00"), -240)]


def test_short_breaks_names():
    rota = shifts(
        "2024-03-01 18:00 2024-03-01 20:00 ANN",
        "2024-03-01 08:00 2024-03-01 16:00 Ann",
        "2024-03-01 17:00 2024-03-01 18:00 Bob",
    )
    assert solution.short_breaks(rota, 660) == [("ANN", at("2024-03-01 16:00"), 120)]


def test_short_breaks_same_end():
    rota = shifts(
        "2024-03-01 08:00 2024-03-01 16:00 cem",
        "2024-03-01 09:00 2024-03-01 16:00 Dan",
        "2024-03-01 10:00 2024-03-01 16:00 Ann",
        "2024-03-01 17:00 2024-03-01 18:00 Ann",
        "2024-03-01 17:00 2024-03-01 18:00 Dan",
        "2024-03-01 17:00 2024-03-01 18:00 cem",
    )
    assert [name for name, _, _ in solution.short_breaks(rota, 660)] == ["Ann", "cem", "Dan"]


ROTA = "# week 9\n2024-02-28 22:00-06:00 Ann Lee\n\n2024-02-29 14:00-22:15 Bob\n  # x\n2024-02-29 14:00-20:00 ann  lee\n"


def test_script(run):
    assert run("660", stdin=ROTA) == (1, "Ann Lee: 480 min after 2024-02-29 06:00\n", "")


def test_script_ok(run):
    assert run("480", stdin=ROTA) == (0, "ok\n", "")


def test_script_negative(run):
    text = "2024-02-29 14:00-22:00 Bob\n2024-02-29 21:00-23:00 Bob"
    assert run("0", stdin=text) == (1, "Bob: -60 min after 2024-02-29 22:00\n", "")


@pytest.mark.parametrize("text", ["", "\n# nothing\n"])
def test_script_empty(run, text):
    assert run("660", stdin=text) == (0, "ok\n", "")


def test_script_bad_line(run):
    code, out, err = run("660", stdin="# week 9\n\n2024-02-30 22:00-06:00 Ann\nrubbish\n")
    assert (code, out) == (2, "")
    assert err.startswith("line 3: ")
    assert "line 4" not in err


def test_script_bad_line_after_short_breaks(run):
    code, out, err = run("660", stdin=ROTA + "rubbish\n")
    assert (code, out) == (2, "")
    assert err.startswith("line 7: ")


@pytest.mark.parametrize("arguments", [(), ("660", "1"), ("-5",), ("+5",), ("11h",), ("6.5",), ("",), (" 660",), ("6_60",)])
def test_script_wrong_arguments(run, arguments):
    code, out, err = run(*arguments, stdin=ROTA)
    assert (code, out) == (2, "")
    assert err.strip()
    assert sys.stdin.read() == ROTA
