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


def test_levels():
    lines = ["# A", "text", "## B", "## C", "### D", "# E", "## F"]
    numbered = ["# 1. A", "text", "## 1.1. B", "## 1.2. C", "### 1.2.1. D", "# 2. E", "## 2.1. F"]
    assert solution.number_headings(lines) == numbered
    assert lines[0] == "# A"


def test_skipped_levels():
    assert solution.number_headings(["## X", "# A", "### B", "## C"]) == ["## 0.1. X", "# 1. A", "### 1.0.1. B", "## 1.1. C"]


def test_numbers_are_replaced():
    lines = ["# 7. A", "## 3.2.1. B", "## 1.1. 5 eggs", "# 2024 in review", "# 10.2 mm"]
    numbered = ["# 1. A", "## 1.1. B", "## 1.2. 5 eggs", "# 2. 2024 in review", "# 3. 10.2 mm"]
    assert solution.number_headings(lines) == numbered
    assert solution.number_headings(numbered) == numbered


def test_what_is_no_heading():
    lines = ["#hash", " # indented", "####### seven", "a # b", "", "###### six"]
    assert solution.number_headings(lines) == [*lines[:-1], "###### 0.0.0.0.0.1. six"]


def test_fences():
    lines = ["# A", "```python", "# comment", "```", "# B", "```", "# in", "## in"]
    assert solution.number_headings(lines) == ["# 1. A", "```python", "# comment", "```", "# 2. B", "```", "# in", "## in"]


def test_no_lines():
    assert solution.number_headings([]) == []


@pytest.mark.parametrize(("text", "out"), [("# A\n\nx\n", "# 1. A\n\nx\n"), ("# A\n## B", "# 1. A\n## 1.1. B"), ("", ""), ("x\n\n\n", "x\n\n\n")])
def test_stdin_to_stdout(run, text, out):
    assert run(stdin=text) == (0, out, "")


@pytest.mark.parametrize(("text", "result"), [("# Ä\n## B\n", "# 1. Ä\n## 1.1. B\n"), ("x\n# A", "x\n# 1. A"), ("", "")])
def test_a_file(run, tmp_path, text, result):
    path = tmp_path / "text.md"
    path.write_bytes(text.encode())
    assert run(path) == (0, "", "")
    assert path.read_bytes() == result.encode()


def test_check_a_file(run, tmp_path):
    path = tmp_path / "text.md"
    path.write_bytes(b"# A\n")
    assert run(path, "--check") == (1, "", "")
    assert path.read_bytes() == b"# A\n"
    path.write_bytes(b"# 1. A\n")
    assert run("--check", path) == (0, "", "")


@pytest.mark.parametrize(("text", "code"), [("# A\n", 1), ("# 1. A", 0), ("plain\n", 0), ("", 0), ("# 2. A\n", 1)])
def test_check_stdin(run, text, code):
    assert run("--check", stdin=text) == (code, "", "")


@pytest.mark.parametrize("arguments", [("--force",), ("a.md", "b.md")])
def test_wrong_arguments(run, arguments):
    code, out, err = run(*arguments, stdin="# A\n")
    assert (code, out) == (2, "")
    assert err.strip()


def test_no_such_file(run, tmp_path):
    for arguments in ((tmp_path / "none.md",), ("--check", tmp_path / "none.md")):
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert err.strip()
