import io
import runpy
import sys
from pathlib import Path

import pytest

import solution

SCRIPT = str(Path(solution.__file__).resolve())


@pytest.fixture
def run(monkeypatch, capsys):
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


def test_example(run):
    code, out, err = run(stdin="web 1h30m\ndocs 45m\nweb 30m\n")
    assert code == 0
    assert out.splitlines() == ["web 2:00", "docs 0:45", "total 2:45"]


def test_example_with_min(run):
    code, out, err = run("--min", 60, stdin="web 1h30m\ndocs 45m\nweb 30m\n")
    assert code == 0
    assert out.splitlines() == ["web 2:00", "total 2:00"]


def test_reads_file(run, tmp_path):
    path = tmp_path / "log.txt"
    path.write_text("api 2h\n")
    code, out, err = run(path, stdin="other 5h\n")
    assert code == 0
    assert out.splitlines() == ["api 2:00", "total 2:00"]


def test_file_and_min(run, tmp_path):
    path = tmp_path / "log.txt"
    path.write_text("api 10m\nweb 20m\n")
    code, out, err = run("--min", "15", path)
    assert code == 0
    assert out.splitlines() == ["web 0:20", "total 0:20"]


def test_missing_file(run, tmp_path):
    code, out, err = run(tmp_path / "nope.txt")
    assert code == 2
    assert out == ""


def test_blank_and_comment_lines_are_skipped(run):
    code, out, err = run(stdin="\n   \n# web 5h\n   #x 1h\nweb 5m\n")
    assert code == 0
    assert out.splitlines() == ["web 0:05", "total 0:05"]


def test_any_whitespace_between_and_around(run):
    code, out, err = run(stdin="  web \t 1h5m  \n")
    assert code == 0
    assert out.splitlines() == ["web 1:05", "total 1:05"]


def test_order_longest_first_ties_by_name(run):
    code, out, err = run(stdin="b 30m\na 30m\nc 1h\nd 10m\n")
    assert code == 0
    assert out.splitlines() == ["c 1:00", "a 0:30", "b 0:30", "d 0:10", "total 2:10"]


def test_minutes_alone_may_be_sixty_or_more(run):
    code, out, err = run(stdin="a 75m\nb 60m\n")
    assert code == 0
    assert out.splitlines() == ["a 1:15", "b 1:00", "total 2:15"]


def test_minutes_with_hours_below_sixty(run):
    code, out, err = run(stdin="a 1h59m\nb 1h60m\n")
    assert code == 1
    assert out.splitlines() == ["a 1:59", "total 1:59"]
    assert "2" in err


def test_bad_line_number_counts_all_lines(run):
    code, out, err = run(stdin="# head\n\na 10m\nb soon\nc 5m\n")
    assert code == 1
    assert out.splitlines() == ["a 0:10", "c 0:05", "total 0:15"]
    assert "4" in err


def test_wrong_number_of_words_is_bad(run):
    code, out, err = run(stdin="web\nweb 1h 30m\nweb 2h\n")
    assert code == 1
    assert out.splitlines() == ["web 2:00", "total 2:00"]


def test_bad_durations(run):
    text = "a 1H\na 1.5h\na -5m\na 30\na h\na 30m1h\na hm\nb 1m\n"
    code, out, err = run(stdin=text)
    assert code == 1
    assert out.splitlines() == ["b 0:01", "total 0:01"]


def test_exactly_min_is_printed(run):
    code, out, err = run("--min", 30, stdin="a 30m\nb 29m\n")
    assert code == 0
    assert out.splitlines() == ["a 0:30", "total 0:30"]


def test_min_is_for_the_total_of_a_project(run):
    code, out, err = run("--min", 30, stdin="a 15m\nb 20m\na 15m\n")
    assert code == 0
    assert out.splitlines() == ["a 0:30", "total 0:30"]


def test_zero_needs_min_zero(run):
    code, out, err = run(stdin="a 0m\nb 3m\n")
    assert code == 0
    assert out.splitlines() == ["b 0:03", "total 0:03"]
    code, out, err = run("--min", 0, stdin="a 0m\nb 3m\n")
    assert code == 0
    assert out.splitlines() == ["b 0:03", "a 0:00", "total 0:03"]


def test_empty_input(run):
    code, out, err = run(stdin="")
    assert code == 3
    assert out == ""


def test_nothing_left_after_min(run):
    code, out, err = run("--min", 100, stdin="a 30m\n")
    assert code == 3
    assert out == ""


def test_bad_line_goes_before_nothing_left(run):
    code, out, err = run(stdin="a never\n")
    assert code == 1
    assert out == ""
    assert "1" in err


def test_wrong_arguments(run):
    for arguments in (["--min", "x"], ["--min", "-1"], ["--min=-1"], ["--min", "1.5"]):
        code, out, err = run(*arguments, stdin="a 30m\n")
        assert code == 2
        assert out == ""
