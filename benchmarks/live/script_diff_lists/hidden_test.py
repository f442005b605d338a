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


@pytest.fixture
def lists(tmp_path):
    def write(*texts):
        paths = [tmp_path / f"list{n}.txt" for n, _ in enumerate(texts)]
        for path, text in zip(paths, texts):
            path.write_text(text, encoding="utf-8")
        return paths

    return write


def test_same_items_in_another_order(run, lists):
    assert run(*lists("tent\nrope\n", "rope\n\n  tent")) == (0, "", "")


def test_removed_then_added(run, lists):
    assert run(*lists("tent\nrope\nmap\n", "stove\nrope\napples\n")) == (1, "-tent\n-map\n+stove\n+apples\n", "")


def test_occurrences_count(run, lists):
    assert run(*lists("socks\nsocks\nsocks\n", "socks\n")) == (1, "-socks\n-socks\n", "")
    assert run(*lists("socks\n", "hat\nsocks\nsocks")) == (1, "+hat\n+socks\n", "")


def test_the_later_ones_remain(run, lists):
    assert run(*lists("socks\nhat\nsocks\nmug\n", "socks\n")) == (1, "-hat\n-socks\n-mug\n", "")


def test_case_matters(run, lists):
    assert run(*lists("Rope\n", "rope\n")) == (1, "-Rope\n+rope\n", "")


def test_ignoring_case(run, lists):
    assert run("-i", *lists("Rope\nROPE\nHat\n", "rope\nMug\n")) == (1, "-ROPE\n-Hat\n+Mug\n", "")
    assert run("-i", *lists("Rope\n", "rOPE")) == (0, "", "")


def test_count(run, lists):
    assert run("--count", *lists("a\nb\nb\n", "b\nc")) == (1, "-2 +1\n", "")
    assert run("--count", *lists("a\n", "a\n")) == (0, "-0 +0\n", "")
    assert run("--count", "-i", *lists("a\n", "A\nB")) == (1, "-0 +1\n", "")


@pytest.mark.parametrize(("stdin", "code", "out"), [("a\n  b ", 0, ""), ("", 1, "-a\n-b\n"), ("b\n\nb\na\n", 1, "+b\n")])
def test_new_from_stdin(run, lists, stdin, code, out):
    assert run(*lists("a\nb\n"), "-", stdin=stdin) == (code, out, "")


def test_old_from_stdin(run, lists):
    assert run("-", *lists("a\n"), stdin="c\n") == (1, "-c\n+a\n", "")


def test_empty_lists(run, lists):
    assert run(*lists("", "\n \n")) == (0, "", "")


def test_items_that_look_like_marks(run, lists):
    assert run(*lists("-x\n", "+x\n")) == (1, "--x\n++x\n", "")


@pytest.mark.parametrize("more", [(), ("b", "c"), ("-x", "a")])
def test_wrong_arguments(run, lists, more):
    code, out, err = run(*lists("a\n"), *more, stdin="a\n")
    assert (code, out) == (2, "")
    assert err.strip()


def test_stdin_twice(run):
    code, out, err = run("-", "-", stdin="a\n")
    assert (code, out) == (2, "")
    assert err.strip()


def test_no_such_file(run, lists, tmp_path):
    code, out, err = run(*lists("a\n"), tmp_path / "none.txt")
    assert (code, out) == (2, "")
    assert err.strip()
