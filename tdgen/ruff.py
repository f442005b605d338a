"""The ruff binary: formatting what tdgen writes, and reading generated code without running it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tdgen.errors import InputError

TIMEOUT_S = 30


class Remark(NamedTuple):
    """One thing ruff found: its rule's code, the line (from 1), and what it says."""

    code: str
    line: int
    message: str


def format_source(source: str, *, line_length: int = 100) -> str:
    """`source` as `ruff format` writes it; ValueError where it is not Python."""
    done = _run(
        ["format", "--isolated", "--line-length", str(line_length), "--stdin-filename", "source.py", "-"], source
    )
    if done.returncode != 0:
        raise ValueError(f"ruff can't format this source: {done.stderr.strip()[:300]}")
    return done.stdout


def lint(source: str, select: Sequence[str], *, python: str = "") -> tuple[Remark, ...]:
    """What ruff's rules `select` find in `source`; comments that would silence them are not obeyed."""
    target = ["--target-version", "py" + python.replace(".", "")] if python else []
    chosen = ["--select", ",".join(select), "--ignore-noqa", "--output-format", "json", "--stdin-filename", "source.py"]
    done = _run(["check", "--isolated", "--no-cache", "--exit-zero", *target, *chosen, "-"], source)
    try:
        found = json.loads(done.stdout)
    except ValueError:
        raise InputError(f"ruff does not work here: {done.stderr.strip()[:300]}") from None
    return tuple(
        Remark(item["code"] or "syntax", item["location"]["row"], " ".join(item["message"].split())) for item in found
    )


def _run(arguments: list[str], source: str) -> subprocess.CompletedProcess[str]:
    command = [_binary(), *arguments]
    return subprocess.run(  # noqa: S603 - our own binary, the source only on its stdin
        command, input=source, capture_output=True, text=True, encoding="utf-8", timeout=TIMEOUT_S, check=False
    )


def _binary() -> str:
    beside = Path(sys.executable).with_name("ruff")
    found = str(beside) if beside.exists() else shutil.which("ruff")
    if found is None:
        raise InputError("ruff is not installed beside this Python: install it with `pip install ruff`")
    return found
