"""The tutorial is run from its first block to its last, as its reader would; what it shows is what comes out."""

from __future__ import annotations

import os
import pty
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

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
    """Somebody who types the commands into one shell."""

    def __init__(self, folder: Path) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("TDGEN_", "OPENAI_"))}
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self.folder = folder
        self.environment = kept | {
            "PATH": path,
            "XDG_CACHE_HOME": str(folder / "cache"),
            "PYTHONUNBUFFERED": "1",
            "TERM": "xterm",
        }
        self.port = _free_port()
        self.keys: dict[str, str] = {}
        self.left: list[subprocess.Popen[str]] = []

    def types(self, command: str, shown: list[str]) -> list[str]:
        """What a command says, both streams as a terminal shows them."""
        for told, real in {**self.keys, PORT: str(self.port)}.items():
            command = command.replace(told, real)
        if command.startswith("export "):
            name, _, value = command.removeprefix("export ").partition("=")
            self.environment[name] = value
            return []
        if command.endswith(" &"):
            return self._leaves(command.removesuffix(" &"))
        if "--ask" in command:
            answers = [line.removeprefix("> ") for line in shown if line.startswith("> ")]
            return self._answers(command, answers)
        expected = int(found[1]) if (found := EXIT.search(command)) else 0
        done = self._run(["bash", "-c", command])
        assert done.returncode == expected, done.stdout
        return done.stdout.splitlines()

    def _run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "check": False}
        return subprocess.run(command, env=self.environment, cwd=self.folder, timeout=100, **pipes)

    def python(self, program: str) -> list[str]:
        """What a program prints."""
        done = self._run([sys.executable, "-W", "ignore::ResourceWarning", "-c", program])
        assert done.returncode == 0, done.stdout
        return done.stdout.splitlines()

    def _leaves(self, command: str) -> list[str]:
        """The first line of a command that runs on."""
        pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
        process = subprocess.Popen(command.split(), env=self.environment, cwd=self.folder, **pipes)
        self.left.append(process)
        return [process.stderr.readline().strip().replace(str(self.port), PORT)]

    def _answers(self, command: str, answers: list[str]) -> list[str]:
        """What is seen on a terminal on which questions are answered, without what draws and clears it."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            command.split(), env=self.environment, cwd=self.folder, stdin=theirs, stdout=theirs, stderr=theirs
        )
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
def reader(tmp_path) -> Iterator[Reader]:
    """A reader in a folder with the tutorial's files."""
    shutil.copytree(DOCS / "tutorial", tmp_path / "docs" / "tutorial")
    reader = Reader(tmp_path)
    yield reader
    reader.close()


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
    assert (reader.folder / "story.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert (reader.folder / "from_python" / "slugs.py").exists()


def _keys(lines: list[str]) -> list[str]:
    """The keys in lines, of the solution that the page goes on with."""
    return [key for line in lines if "quick" in line and "slugs.json" in line for key in KEY.findall(line)]


def test_an_hour_is_no_exaggeration():
    """The page can be read in a few minutes."""
    assert len((DOCS / "tutorial.md").read_text("utf-8").split()) < 1200
