"""Python source as ruff lays it out: the one place where generated source is formatted.

Formatting is all that ruff does here; it parses, and runs nothing.
"""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
from pathlib import Path

from tdgen.errors import UnreachableError

LINE_LENGTH = 100


def format_source(source: str) -> str:
    """`source` formatted for lines of 100 characters; formatting twice changes nothing.

    ValueError where it isn't Python, UnreachableError where there is no ruff. Safe to call from many threads at once;
    a call costs one short process.
    """
    command = [ruff(), "format", "--isolated", "--quiet", "--line-length", str(LINE_LENGTH), "-"]
    done = subprocess.run(command, input=source.encode(), capture_output=True, check=False)  # noqa: S603 - our own ruff
    if done.returncode != 0:
        raise ValueError(f"ruff can't format this: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode()


@functools.cache
def ruff() -> str:
    """The path of the ruff that came with this Python, else the one on PATH."""
    beside = Path(sys.executable).with_name("ruff")
    found = str(beside) if beside.is_file() else shutil.which("ruff")
    if not found:
        raise UnreachableError("ruff was not found; install it beside tdgen: pip install ruff")
    return found
