"""The ruff binary: formatting what tdgen writes, and reading generated code without running it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tdgen.errors import UnreachableError
from tdgen.ruff import format_source, lint, ruff

GOLDEN = Path(__file__).parent / "testgen" / "golden"


def test_formatting_twice_changes_nothing():
    """What is formatted stays as it is."""
    once = format_source("x = {  'a':1 }\n")
    assert once == 'x = {"a": 1}\n'
    assert format_source(once) == once


def test_formatting_refuses_what_is_no_python():
    """ValueError, with ruff's own words."""
    with pytest.raises(ValueError, match="ruff can't format this"):
        format_source("def f(:\n")


def test_without_ruff_there_is_one_clear_line(monkeypatch, tmp_path):
    """Neither beside the interpreter nor on PATH: the message says what to do."""
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnreachableError, match="pip install ruff"):
        format_source("x = 1\n")


def test_golden_files_are_formatted():
    """Ruff would change nothing in any of them."""
    command = [ruff(), "format", "--isolated", "--line-length", "100", "--check", str(GOLDEN)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_carriage_return_in_a_literal_stays():
    """Line ends inside strings are the author's."""
    assert format_source("x = '\\r\\n'\n") == 'x = "\\r\\n"\n'


def test_lint_tells_rule_line_and_words():
    """What is selected is found, also where a comment would silence it."""
    (remark,) = lint("import os\nx = eval('1')  # noqa\n", ["S307"])
    assert (remark.code, remark.line) == ("S307", 2)
    assert "eval" in remark.message or "insecure" in remark.message
