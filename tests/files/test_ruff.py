"""The ruff binary: formatting what tdgen writes, and reading generated code without running it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import tdgen.files.ruff as ruff_module
from tdgen.errors import UnreachableError
from tdgen.files.ruff import DEFAULTS, format_files, format_source, lint, ruff, style_at

GOLDEN = Path(__file__).parents[1] / "pytest_files" / "golden"


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
        format_source("nobody = 'has formatted this'\n")


def test_the_same_text_is_formatted_once(monkeypatch):
    """A solve asks for most of its texts several times, and each process takes more than a small case."""
    given = []
    run = ruff_module._run
    monkeypatch.setattr(ruff_module, "_run", lambda arguments, source: given.append(source) or run(arguments, source))
    text = "asked = 'for twice'\n"
    assert format_source(text) == format_source(text)
    assert given == [text]


def test_golden_files_are_formatted():
    """Ruff would change nothing in any of them."""
    command = [ruff(), "format", "--isolated", "--check", str(GOLDEN)]
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


LONG = "values = [one_of_the_names, another_of_the_names]  # 1\nname = 'one'\n"


def styled(folder: Path) -> str:
    return format_files({"kit/long.py": LONG}, style_at(folder))["kit/long.py"]


@pytest.mark.parametrize(
    ("name", "settings", "lines", "quote"),
    [
        ("other.toml", "[tool.ruff]\nline-length = 40", 2, '"'),
        ("pyproject.toml", "[tool.ruff]\nline-length = 40\nformat.quote-style = 'single'", 5, "'"),
        ("pyproject.toml", "[tool.black]\nline-length = 40", 5, '"'),
        ("pyproject.toml", "[tool.black]\nskip-string-normalization = true", 2, "'"),
        ("pyproject.toml", "[tool.black]\nline-length = 40\n[tool.ruff]\nline-length = 99", 2, '"'),
        ("pyproject.toml", "[project]\nname = 'kit'", 2, '"'),
        ("ruff.toml", "line-length = 40\nexclude = ['*']\nforce-exclude = true", 5, '"'),
        (".ruff.toml", "line-length = 40", 5, '"'),
        ("ruff.toml", "required-version = '0.0.1'\nline-length = 40", 2, '"'),
        ("pyproject.toml", "no TOML", 2, '"'),
        ("pyproject.toml", "tool = 1", 2, '"'),
    ],
)
def test_the_users_own_settings_say_how_to_format(tmp_path, name, settings, lines, quote):
    """Those of the nearest folder that has some, ruff's before black's; what can't be used counts as none."""
    (tmp_path / name).write_text(settings)
    folder = tmp_path / "not" / "yet" / "there"
    assert len(styled(folder).splitlines()) == lines
    assert f"name = {quote}one{quote}" in styled(folder)


def test_without_settings_ruffs_defaults_do(tmp_path):
    """88 columns and double quotes."""
    assert style_at(tmp_path) == DEFAULTS
    assert styled(tmp_path) == format_source(LONG)


def test_what_is_no_python_stays_as_it_is(tmp_path):
    """The files beside it are formatted all the same."""
    files = {"a.py": "x = {  }\n", "b.py": "def f(:\n"}
    assert format_files(files, style_at(tmp_path)) == {"a.py": "x = {}\n", "b.py": "def f(:\n"}
