"""Help as a manual page: an example on each page, on the width of any terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command

from tdgen.cli.app import app


def commands(command: Any, *path: str) -> Iterator[tuple[str, ...]]:
    """The words of each command and group."""
    yield path
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below, *path, name)


ALL = list(commands(get_command(app)))


def test_all_are_there():
    """Those of groups too."""
    assert {(), ("solve",), ("eval",), ("cache", "list"), ("sandbox", "build")} <= set(ALL)


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_a_page(tdgen, monkeypatch, path):
    """It fits into 80 columns, says what the command is for, and has an example with the command's own name."""
    monkeypatch.setenv("COLUMNS", "80")
    ran = tdgen(*path, "--help")
    assert ran.code == 0
    assert [line for line in ran.out.splitlines() if len(line) > 80] == []
    own = " ".join(["tdgen", *path])
    assert re.search(rf"^  {own}\b", ran.out, re.MULTILINE), ran.out


def test_options_are_in_groups(tdgen):
    """In the order in which one decides them, each option where one looks for it."""
    titles = ["What to solve:", "How thoroughly, and at what cost:", "Which model:", "Where to run:", "Output:"]
    out = tdgen("solve", "--help").out
    assert [line for line in out.splitlines() if line in titles] == titles
    assert (
        out.index("Which model:")
        < out.index("\n  --base-url")
        < out.index("Where to run:")
        < out.index("\n  --sandbox")
    )
    assert "--tests" in tdgen("show", "--help").out.partition("Output:")[2]
    assert "--module NAME" in out.partition("What to solve:")[2].partition("How thoroughly")[0]
    assert "\n  TEXT|FILE|-  The instruction" in out
    assert "\n  HASH  " in tdgen("cache", "clear", "--help").out


@pytest.mark.parametrize("path", [path for path in ALL if path], ids=" ".join)
def test_a_line_in_the_list_of_commands(tdgen, monkeypatch, path):
    """No command's line is cut short."""
    monkeypatch.setenv("COLUMNS", "80")
    listed = tdgen(*path[:-1], "--help").out.partition("Commands:")[2]
    line = next(line for line in listed.splitlines() if line.split()[:1] == [path[-1]])
    assert line.endswith("."), line
    assert not line.endswith("..."), line


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_examples_take_options_that_there_are(tdgen, path):
    """Each option in an example is one of the command that it is an example of."""
    examples = re.findall(r"^  tdgen (.*)$", tdgen(*path, "--help").out, re.MULTILINE)
    for example in examples:
        words = re.split(r" {2,}| \| |'", example)[0].split()
        named = next(words[:n] for n in (2, 1, 0) if tuple(words[:n]) in ALL)
        told = tdgen(*named, "--help").out
        assert [word for word in words if word.startswith("-") and word != "-" and f"{word} " not in told] == []
