"""The tutorial is run from its first block to its last, as its reader would; what it shows is what comes out."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tdgen.cli.app import run
from tests.forked import Forker

DOCS = Path(__file__).parents[1] / "docs"
PORT = "8137"
KEY = re.compile(r"\b[0-9a-f]{12}\b")
CHANGING = {
    r"\b[\d,]+(\.\d+)? (ms|s)\b": r"# \2",
    r"\b[\d,]+ tokens\b": "# tokens",
    r"\b20\d\d-\d\d-\d\dT\d\d:\d\d": "a moment",
    r"\b[0-9a-f]{12}\b": "a key",
}
EXIT = re.compile(r"  # exit code (\d+)$")


class Reader:
    """Somebody who types the commands into one shell, in the working folder.

    What `tdgen` is asked for runs in this process, but for its first command, and for what needs a terminal or stays:
    that has processes of its own.
    """

    def __init__(self, forker: Forker, monkeypatch: pytest.MonkeyPatch) -> None:
        self._forker, self._monkeypatch = forker, monkeypatch
        self.port = _free_port()
        self.keys: dict[str, str] = {}
        self.left: list[subprocess.Popen[str]] = []

    def types(self, command: str, shown: list[str]) -> list[str]:
        """What a command says, both streams as a terminal shows them."""
        for told, real in {**self.keys, PORT: str(self.port)}.items():
            command = command.replace(told, real)
        if command.startswith("export "):
            name, _, value = command.removeprefix("export ").partition("=")
            self._monkeypatch.setenv(name, value)
            return []
        if command.endswith(" &"):
            return self._leaves(command.removesuffix(" &"))
        if "--ask" in command:
            answers = [line.removeprefix("> ") for line in shown if line.startswith("> ")]
            return self._answers(command, answers)
        expected = int(found[1]) if (found := EXIT.search(command)) else 0
        name, *words = shlex.split(command, comments=True)
        code, said = _called(words) if name == "tdgen" and words != ["--version"] else _shell(command)
        assert code == expected, said
        return said.splitlines()

    def python(self, program: str) -> list[str]:
        """What a program prints."""
        done = self._forker.run([sys.executable, "-c", program])
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    def _start(self, command: str, **streams: Any) -> subprocess.Popen[Any]:
        name, *words = command.split()
        assert name == "tdgen"
        return self._forker.start([sys.executable, "-m", name, *words], **streams)

    def _leaves(self, command: str) -> list[str]:
        """The first line of a command that runs on."""
        pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
        process = self._start(command, **pipes)
        self.left.append(process)
        return [process.stderr.readline().strip().replace(str(self.port), PORT)]

    def _answers(self, command: str, answers: list[str]) -> list[str]:
        """What is seen on a terminal on which questions are answered, without what draws and clears it."""
        ours, theirs = pty.openpty()
        process = self._start(command, stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        seen = b""
        try:
            while piece := os.read(ours, 65536):
                seen += piece
                if seen.endswith(b"> ") and answers:
                    os.write(ours, f"{answers.pop(0)}\n".encode())
        except OSError:  # nobody is at the other end any more
            pass
        os.close(ours)
        assert process.wait(60) == 0, seen.decode()
        plain_text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.decode())
        return plain_text.replace("\r\n", "\n").replace("\r", "\n").splitlines()

    def close(self) -> None:
        for process in self.left:
            process.terminate()
            process.communicate(timeout=30)


@pytest.fixture
def reader(tmp_path, monkeypatch, forker, warm) -> Iterator[Reader]:
    """A reader in a folder with the tutorial's files."""
    shutil.copytree(DOCS / "tutorial", tmp_path / "docs" / "tutorial")
    monkeypatch.chdir(tmp_path)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for name, value in {"PATH": path, "XDG_CACHE_HOME": str(tmp_path / "cache"), "TERM": "xterm"}.items():
        monkeypatch.setenv(name, value)
    reader = Reader(forker, monkeypatch)
    yield reader
    reader.close()


def _called(words: list[str]) -> tuple[int, str]:
    """The exit code of a command of tdgen, and what it says, both streams as a terminal shows them."""
    with io.StringIO() as said, contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        return run(words), said.getvalue()


def _shell(command: str) -> tuple[int, str]:
    """The same of a shell."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "check": False}
    done = subprocess.run(["bash", "-c", command], timeout=100, **pipes)
    return done.returncode, done.stdout


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def blocks() -> list[tuple[str, list[str]]]:
    """The page's blocks in order: language and lines."""
    found = re.findall(r"^```(\w+)\n(.*?)^```$", (DOCS / "tutorial.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [(language, text.splitlines()) for language, text in found]


def commands(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Each command of a console block, and what it shows."""
    starts = [place for place, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[start].removeprefix("$ "), lines[start + 1 : end]


def plain(line: str) -> str:
    """A line without what is another each time."""
    for pattern, told in CHANGING.items():
        line = re.sub(pattern, told, line)
    return line.rstrip()


def hold(shown: list[str], said: list[str]) -> None:
    """What is shown was said, line after line; `…` is any number of lines, or the rest of one."""
    place, gap = 0, False
    for line in shown:
        if line == "…":
            gap = True
            continue
        found = next((n for n in range(place, len(said)) if _same(line, said[n])), None)
        assert found is not None, f"{line!r} is not said in {said[place:]}"
        assert gap or found == place, f"{line!r} is said, but before it {said[place:found]}"
        place, gap = found + 1, False
    assert gap or place == len(said), f"said but not shown: {said[place:]}"


def _same(shown: str, said: str) -> bool:
    return plain(said).startswith(plain(shown[:-1])) if shown.endswith("…") else plain(shown) == plain(said)


def test_each_block_does_what_it_shows(reader):
    """Commands, a program and a service, one after the other."""
    printed: list[str] = []
    for language, lines in blocks():
        if language == "python":
            printed = reader.python("\n".join(lines))
            continue
        if language == "text":
            hold(lines, printed)
            continue
        assert language == "console"
        for command, shown in commands(lines):
            said = reader.types(command, shown)
            hold(shown, said)
            reader.keys |= dict(zip(_keys(shown), _keys(said), strict=False))
    assert Path("story.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert Path("from_python/slugs.py").exists()


def _keys(lines: list[str]) -> list[str]:
    """The keys in lines, of the solution that the page goes on with."""
    return [key for line in lines if "quick" in line and "slugs.json" in line for key in KEY.findall(line)]


def test_an_hour_is_no_exaggeration():
    """The page can be read in a few minutes."""
    assert len((DOCS / "tutorial.md").read_text("utf-8").split()) < 1200
