"""The Tab key: what a shell is offered, asked for as bash does it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tdgen.cli.options import COMPLETE

pytestmark = pytest.mark.usefixtures("warm")


@pytest.fixture
def offered(tdgen, monkeypatch):
    """The words that bash is offered for a line, whose last word is being typed."""

    def ask(line: str) -> list[str]:
        monkeypatch.setenv(COMPLETE, "complete_bash")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(line.count(" ")))
        ran = tdgen()
        monkeypatch.delenv(COMPLETE)
        assert (ran.code, ran.err) == (0, "")
        return ran.out.split()

    return ask


@pytest.fixture
def kept(tdgen, said, instruction) -> str:
    """The key of a kept solution, which lies in a folder too."""
    said.green()
    assert tdgen("solve", instruction, "--script", said.path, "--trust", "quick", "-o", "doubling").code == 0
    return tdgen("cache", "list", "--json").document["solutions"][0]["key"].removeprefix("sha256:")[:12]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("tdgen so", ["solve"]),
        ("tdgen cache ", ["list", "show", "clear", "path"]),
        ("tdgen solve x --tru", ["--trust"]),
        ("tdgen solve x --trust ", ["quick", "standard", "strict"]),
        ("tdgen serve --trust s", ["standard", "strict"]),
        ("tdgen eval f --sandbox d", ["docker"]),
        ("tdgen show ", []),
        ("tdgen solve -m ", []),
    ],
)
def test_words(offered, line: str, words: list[str]):
    """Commands, options, levels and kinds; where nothing is kept, nothing but what the shell itself knows."""
    assert offered(line) == words


@pytest.mark.parametrize("command", ["cache show", "cache clear"])
def test_keys(offered, kept: str, command: str):
    """Of kept solutions, whole and from their first digits."""
    assert offered(f"tdgen {command} ") == [kept]
    assert offered(f"tdgen {command} {kept[:3]}") == [kept]
    assert offered(f"tdgen {command} x") == []


@pytest.mark.parametrize("command", ["show", "verify", "solve --follow"])
def test_keys_and_folders(offered, kept: str, command: str):
    """Where either is taken, the folders here that hold a package are offered too."""
    assert offered(f"tdgen {command} ") == [kept, "doubling"]
    assert offered(f"tdgen {command} dou") == ["doubling"]


def test_keys_of_another_cache(offered, kept: str, tmp_path):
    """The one that is named on the line is looked into."""
    assert offered(f"tdgen show --cache-dir {tmp_path / 'other'} {kept[:3]}") == []


def test_models(offered, kept: str):
    """Those that something was solved with; a script is one here."""
    assert offered("tdgen solve -m scr") == ["script.json"]


def test_settings_that_cannot_be_read_offer_nothing(offered, kept: str, monkeypatch):
    """And say nothing: the line that is being typed is no place for it."""
    monkeypatch.setenv("TDGEN_TRUST", "somewhat")
    assert offered("tdgen cache show ") == []


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_bash_itself(kept: str):
    """The script that is printed for it offers what is to be had."""
    folder = os.path.dirname(sys.executable)  # noqa: PTH120 - a PATH is text
    asked = (
        'eval "$(_TDGEN_COMPLETE=source_bash tdgen)"; COMP_WORDS=(tdgen show ""); COMP_CWORD=2; '
        '_tdgen_completion tdgen; echo "${COMPREPLY[@]}"'
    )
    environment = os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", asked], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [kept, "doubling"]
