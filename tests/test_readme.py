"""The README's first screen can't lie: its blocks are run, and what they show is what comes out."""

import contextlib
import io
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tdgen.cli.app import app
from tdgen.cli.app import run as run_command
from tdgen.demo import demo_instruction, demo_settings

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


@pytest.fixture(autouse=True)
def no_second_reading():
    """The policy is a user's."""


@pytest.fixture
def place(tmp_path, monkeypatch, warm):
    """A user's folder, with no settings but a cache of its own, and sandboxes that are warm."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@contextlib.contextmanager
def told():
    """What is said meanwhile, both streams as a terminal shows them."""
    with io.StringIO() as said, contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        yield said


def timeless(line: str) -> str:
    """A line without the times it took."""
    return re.sub(r"\d+\.\d+ (ms|s)\b", r"# \1", line)


def test_the_prose_before_the_first_block_is_short():
    """At most sixty words, and code by line fifteen."""
    before = README.partition("```")[0]
    assert len(before.split("\n", 1)[1].split()) <= 60
    assert before.count("\n") < 15


@pytest.mark.slow
def test_the_demo_prints_what_the_first_screen_shows(place):
    """Each line of the block comes out, in this order; `…` stands for what is left out."""
    (block,) = blocks("console")
    command, *shown = block.splitlines()
    assert command == "$ tdgen demo"
    with told() as terminal:
        code = run_command(["demo"])
        said = [timeless(line) for line in terminal.getvalue().splitlines()]
    assert code == 0, said
    places = [said.index(timeless(line)) for line in shown if line.strip() != "…"]
    assert places == sorted(places)


@pytest.mark.slow
def test_the_library_example_runs(place, monkeypatch):
    """With the demo's instruction and its recorded answers in place of an endpoint."""
    (block,) = blocks("python")
    monkeypatch.setenv("TDGEN_SCRIPT", demo_settings(place).script)
    with told() as terminal:
        exec(block, {"instruction": demo_instruction()})
        said = terminal.getvalue()
    assert said.startswith("parse_clock green 9 cases\nparse_shift green 11 cases\n")
    assert (place / "work_hours" / "work_hours.py").exists()


def test_each_command_of_the_shell_block_is_one():
    """The commands and their options exist: each line's `--help` takes them."""
    (block,) = blocks("sh")
    commands = [line.partition("#")[0].split() for line in block.splitlines() if line.startswith("tdgen")]
    project = {"add", "change", "fill", "fix", "guard", "sync"}
    there = {"solve", "chat", "batch", "eval", "tests", "verify", "serve", "mcp", "watch", "doctor", *project}
    assert {words[1] for words in commands} == there
    for name in {words[1] for words in commands}:
        help_text = CliRunner().invoke(app, [name, "--help"]).stdout
        options = {word for words in commands if words[1] == name for word in words if word.startswith("-")}
        assert all(re.search(rf"{re.escape(option)}\b", help_text) for option in options)


def test_each_file_that_is_linked_is_there():
    """A map that leads nowhere is no map."""
    linked = re.findall(r"\]\(([^)]+)\)", README)
    assert len(linked) > 8
    assert [path for path in linked if not (Path(__file__).parents[1] / path).exists()] == []
