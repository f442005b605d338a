"""The ruff binary: formatting what tdgen writes, and reading generated code without running it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tdgen.errors import UnreachableError

LINE_LENGTH = 100
TIMEOUT_S = 30


class Remark(NamedTuple):
    """One thing ruff found: its rule's code, the line (from 1), and what it says."""

    code: str
    line: int
    message: str


def format_source(source: str) -> str:
    """`source` formatted for lines of 100 characters; formatting twice changes nothing.

    ValueError where it isn't Python. A call costs one short process, and may be made from many threads at once.
    """
    done = _run(["format", "--isolated", "--quiet", "--line-length", str(LINE_LENGTH), "-"], source)
    if done.returncode != 0:
        raise ValueError(f"ruff can't format this: {_said(done)}")
    return done.stdout.decode()


def lint(source: str, select: Sequence[str], *, python: str = "") -> tuple[Remark, ...]:
    """What ruff's rules `select` find in `source`; comments that would silence them are not obeyed."""
    target = ["--target-version", "py" + python.replace(".", "")] if python else []
    chosen = ["--select", ",".join(select), "--ignore-noqa", "--output-format", "json", "--stdin-filename", "source.py"]
    done = _run(["check", "--isolated", "--no-cache", "--exit-zero", *target, *chosen, "-"], source)
    try:
        found = json.loads(done.stdout)
    except ValueError:
        raise UnreachableError(f"ruff does not work here: {_said(done)}") from None
    return tuple(
        Remark(item["code"] or "syntax", item["location"]["row"], " ".join(item["message"].split())) for item in found
    )


def ruff() -> str:
    """The path of the ruff that came with this Python, else the one on PATH; UnreachableError where there is none."""
    beside = Path(sys.executable).with_name("ruff")
    found = str(beside) if beside.is_file() else shutil.which("ruff")
    if not found:
        raise UnreachableError("ruff was not found; install it beside tdgen: pip install ruff")
    return found


def _run(arguments: list[str], source: str) -> subprocess.CompletedProcess[bytes]:
    """One short process. Bytes, so that a carriage return inside a literal stays what it is."""
    command = [ruff(), *arguments]
    return subprocess.run(  # noqa: S603 - our own ruff, the source only on its stdin
        command, input=source.encode(), capture_output=True, timeout=TIMEOUT_S, check=False
    )


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    return done.stderr.decode(errors="replace").strip()[:300]
