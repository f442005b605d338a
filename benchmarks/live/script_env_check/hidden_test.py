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


@pytest.fixture
def put(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(name, text):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return write


def test_no_findings(run, put):
    put("t", "A=1\nB=2\n")
    put("f", "B=x\nA=y\n")
    code, out, err = run("t", "f")
    assert code == 0
    assert out == ""


def test_missing_sorted(run, put):
    put("t", "C=1\nA=1\nB=1\n")
    put("f", "B=1\n")
    code, out, err = run("t", "f")
    assert code == 1
    assert out.splitlines() == ["f: missing A", "f: missing C"]


def test_missing_before_extra(run, put):
    put("t", "Z=1\n")
    put("f", "B=1\nA=1\n")
    code, out, err = run("t", "f")
    assert code == 1
    assert out.splitlines() == ["f: missing Z", "f: extra A", "f: extra B"]


def test_no_extra(run, put):
    put("t", "Z=1\nA=1\n")
    put("f", "B=1\nA=1\n")
    code, out, err = run("--no-extra", "t", "f")
    assert code == 1
    assert out.splitlines() == ["f: missing Z"]


def test_only_extra_with_no_extra_is_fine(run, put):
    put("t", "A=1\n")
    put("f", "B=1\nA=1\n")
    code, out, err = run("--no-extra", "t", "f")
    assert code == 0
    assert out == ""


def test_empty_only_with_option(run, put):
    put("t", "A=1\n")
    put("f", "A=\n")
    code, out, err = run("t", "f")
    assert (code, out) == (0, "")
    code, out, err = run("--empty", "t", "f")
    assert code == 1
    assert out.splitlines() == ["f: empty A"]


def test_empty_in_template_too_is_fine(run, put):
    put("t", "A=\nB=  \n")
    put("f", "A=\nB=\n")
    code, out, err = run("--empty", "t", "f")
    assert (code, out) == (0, "")


def test_blank_value_is_empty(run, put):
    put("t", "A=1\n")
    put("f", "A=   \n")
    code, out, err = run("--empty", "t", "f")
    assert code == 1
    assert out.splitlines() == ["f: empty A"]


def test_order_missing_empty_extra(run, put):
    put("t", "M=1\nE=1\nD=1\n")
    put("f", "X=\nE=\nD=\n")
    code, out, err = run("--empty", "t", "f")
    assert code == 1
    assert out.splitlines() == ["f: missing M", "f: empty D", "f: empty E", "f: extra X"]


def test_both_options(run, put):
    put("t", "E=1\n")
    put("f", "X=1\nE=\n")
    code, out, err = run("--empty", "--no-extra", "t", "f")
    assert code == 1
    assert out.splitlines() == ["f: empty E"]


def test_comments_blank_lines_and_spaces(run, put):
    put("t", "# A=1\n\n   # X=2\n  B = 1 \n")
    put("f", "B=1\n   \n#nothing here\n")
    code, out, err = run("t", "f")
    assert (code, out) == (0, "")


def test_export_is_dropped(run, put):
    put("t", "export A=1\nB=1\nexporter=1\n")
    put("f", "A=1\nexport \t B=1\nexporter=1\n")
    code, out, err = run("t", "f")
    assert (code, out) == (0, "")


def test_split_at_first_equals_sign(run, put):
    put("t", "URL=x\n")
    put("f", "URL==a=b\n")
    code, out, err = run("--empty", "t", "f")
    assert (code, out) == (0, "")


def test_keys_are_case_sensitive(run, put):
    put("t", "a=1\n")
    put("f", "A=1\n")
    code, out, err = run("t", "f")
    assert code == 1
    assert out.splitlines() == ["f: missing a", "f: extra A"]


def test_last_of_a_key_counts(run, put):
    put("t", "A=1\nB=1\n")
    put("f", "A=1\nB=\nA=\nB=2\n")
    code, out, err = run("--empty", "t", "f")
    assert code == 1
    assert out.splitlines() == ["f: empty A"]


def test_several_files_in_given_order_each_once(run, put):
    put("t", "A=1\n")
    put("z", "\n")
    put("b", "A=1\n")
    put("c", "")
    code, out, err = run("t", "z", "b", "c", "z")
    assert code == 1
    assert out.splitlines() == ["z: missing A", "c: missing A"]


def test_path_as_given(run, put, tmp_path):
    put("t", "A=1\n")
    put("f", "")
    full = str(tmp_path / "f")
    code, out, err = run("t", full)
    assert code == 1
    assert out.splitlines() == [f"{full}: missing A"]


def test_unreadable_files(run, put):
    put("t", "A=1\n")
    put("f", "B=1\n")
    code, out, err = run("t", "f", "gone1", "gone2")
    assert code == 2
    assert out == ""
    assert "gone1" in err and "gone2" in err
    code, out, err = run("gone3", "f")
    assert code == 2
    assert out == ""
    assert "gone3" in err


def test_bad_lines(run, put):
    put("t", "A=1\n")
    put("good", "B=1\n")
    put("wrong1", "A=1\njust words\n")
    put("wrong2", " =5\nA=1\n")
    code, out, err = run("t", "good", "wrong1", "wrong2")
    assert code == 2
    assert out == ""
    assert "wrong1" in err and "wrong2" in err


def test_no_file_or_unknown_option(run, put):
    put("t", "A=1\n")
    put("f", "")
    for arguments in ([], ["t"], ["--all", "t", "f"]):
        code, out, err = run(*arguments)
        assert code == 2
        assert out == ""
