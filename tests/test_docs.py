"""The pages of documentation: each block of code is run or read, or says why it can't be; the site builds.

README and tutorial are run by tests of their own.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from typer.main import get_command

from tdgen.cli.app import app

TOP = Path(__file__).parents[1]
PAGES = [TOP / "README.md", *sorted((TOP / "docs").rglob("*.md"))]
WITH_OWN_TESTS = ("README.md", "docs/tutorial.md")
SHELL = ("sh", "console")
COMMAND = get_command(app)
BLOCK = re.compile(
    r"(?:^<!-- (?P<how>not run|ends with): (?P<why>.+?) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
"""A block; said in the line before it: why it is not run, or by which words a program ends."""


class Block(NamedTuple):
    """A block of code on a page."""

    page: str
    line: int
    language: str
    text: str
    how: str
    why: str

    @property
    def id(self) -> str:
        return f"{self.page}:{self.line}"


def blocks() -> Iterator[Block]:
    """Those of all pages."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for found in BLOCK.finditer(text):
            line = text.count("\n", 0, found.start("language")) + 1
            name = page.relative_to(TOP).as_posix()
            yield Block(name, line, found["language"], found["text"], found["how"] or "", found["why"] or "")


ALL = list(blocks())


def those(*languages: str, own: bool = False) -> list[Any]:
    """The blocks of some languages as parameters of a test; of pages with tests of their own where `own`."""
    chosen = [one for one in ALL if one.language in languages and (own or one.page not in WITH_OWN_TESTS)]
    return [pytest.param(one, id=one.id) for one in chosen]


def commands(block: Block) -> Iterator[list[str]]:
    """The words of each command of tdgen's own, or of pip's, in a block for a shell."""
    text = block.text.replace("\\\n", " ")
    for line in text.splitlines():
        if block.language == "console" and not line.startswith("$ "):
            continue
        words = shlex.split(line.removeprefix("$ "), comments=True)
        words = words[: next((n for n, word in enumerate(words) if word in ("|", ">", "&", "&&")), len(words))]
        if words[:1] in (["tdgen"], ["pip"]):
            yield words


def test_each_block_is_of_a_kind_that_a_test_knows():
    """So none is passed over."""
    assert len(ALL) > 40
    known = {*SHELL, "python", "json", "yaml", "toml", "text", "markdown"}
    assert [one.id for one in ALL if one.language not in known] == []


@pytest.mark.slow
@pytest.mark.parametrize("block", those("python"))
def test_a_program_runs(block: Block, tmp_path: Path):
    """In a process of its own in a project, with a cache of its own and no endpoint; some end as the page says.

    One that is not run is Python at least.
    """
    if block.how == "not run":
        compile(block.text, block.id, "exec")
        return
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TDGEN_", "OPENAI_"))}
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "program.py").write_text(block.text)
    done = subprocess.run(
        [sys.executable, "program.py"],
        env=kept | {"XDG_CACHE_HOME": str(tmp_path / "cache")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    if block.how == "ends with":
        assert done.returncode != 0
        assert block.why in done.stderr.splitlines()[-1]
    else:
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("block", those("json", "yaml", "toml"))
def test_a_document_can_be_read(block: Block):
    """By the parser of its language."""
    read = {"json": json.loads, "yaml": yaml.safe_load, "toml": tomllib.loads}[block.language]
    assert read(block.text)


@pytest.mark.parametrize("block", those(*SHELL, own=True))
def test_commands_and_their_options_are_there(block: Block):
    """Also of a block that is not run; an extra that is to be installed is one."""
    extras = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for words in commands(block):
        if words[0] == "pip":
            assert {name for found in re.findall(r"\[([\w,]+)\]", " ".join(words)) for name in found.split(",")} <= {
                *extras
            }
            continue
        command, rest = COMMAND, words[1:]
        while rest and rest[0] in getattr(command, "commands", {}):
            command, rest = command.commands[rest[0]], rest[1:]
        known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        given = {word.partition("=")[0] for word in rest if re.match(r"--?[a-z]", word)}
        assert given <= known | {"--help", "-h", "--version"}, (words, given - known)
        assert words == ["tdgen"] or command is not COMMAND or given, words


@pytest.mark.parametrize("block", those(*SHELL))
def test_what_is_not_run_says_why(block: Block):
    """In a comment before the block."""
    assert block.how == "not run"
    assert len(block.why.split()) > 3


def test_the_matcher_for_an_editor_reads_what_is_told():
    """A finding, a drift and a red unit; and no line that is none of these."""
    text = (TOP / "docs" / "ci.md").read_text(encoding="utf-8")
    (block,) = [one for one in ALL if one.page == "docs/ci.md" and '"problemMatcher"' in one.text]
    for task in json.loads(block.text)["tasks"]:
        pattern = re.compile(task["problemMatcher"]["pattern"]["regexp"])
        found = pattern.match("src/shop/pages.py:10: page_count: page_count(1, 3): expected: returns `1`")
        assert found is not None
        assert found.groups() == ("src/shop/pages.py", "10", "page_count: page_count(1, 3): expected: returns `1`")
        for line in ("    shown also by: x:3: y", "1 finding: the code does not do what its docs say", "key: 3 calls"):
            assert not pattern.match(line)
    assert "path:line: unit: message" in text


class TestSite:
    """The site, as `make docs` builds it."""

    def test_every_page_is_in_its_navigation(self):
        """And nothing that is not there; what is made when it is built, too."""
        text = re.sub(r"!!python\S*", "", (TOP / "mkdocs.yml").read_text(encoding="utf-8"))
        told = set(re.findall(r"[\w/-]+\.md", str(yaml.safe_load(text)["nav"])))
        there = {page.relative_to(TOP / "docs").as_posix() for page in PAGES[1:]}
        made = {"index.md", "changelog.md", "contributing.md", "security-policy.md"}
        assert told == there | made | {"reference/commands.md", "reference/schemas.md"}
        assert all((TOP / name).exists() for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"))
