"""The programs that the user lets candidates start: where they are, and all that must be there for them to start.

A program runs confined as the candidate that starts it, by the same filter, rules and limits: none of these can be
taken off, and no program brings a privilege with it. That only named ones can be started keeps code to what its user
expects; it is not what holds them in.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

PATH = "/usr/local/bin:/usr/bin:/bin"
_LOADERS = ("lib*/ld-*.so*", "lib/*/ld-*.so*", "usr/lib*/ld-*.so*", "usr/lib/*/ld-*.so*")
_HEAD = 256


def find(names: Iterable[str]) -> tuple[str, ...]:
    """The paths of these programs and of what their first lines name. FileNotFoundError where one isn't here."""
    paths: dict[str, None] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        path = shutil.which(name, path=PATH)
        if path is None:
            raise FileNotFoundError(f"--allow-run {name}: there is no such program where the code runs")
        if path in paths:
            continue
        paths.update(dict.fromkeys((path, *_others(name, path))))
        waiting += _first_line(path)
    return tuple(paths)


def _others(name: str, path: str) -> list[str]:
    """Other paths by which programs find the same one, as by /bin/sh."""
    if "/" in name:
        return []
    places = (f"{folder}/{name}" for folder in PATH.split(":"))
    return [place for place in places if Path(place).exists() and Path(place).samefile(path)]


def _first_line(path: str) -> list[str]:
    """The programs that a script's first line names, beside the one that only looks the other up."""
    with open(path, "rb") as file:  # noqa: PTH123 - no need for a Path
        head = file.read(_HEAD).split(b"\n")[0]
    if not head.startswith(b"#!"):
        return []
    words = os.fsdecode(head[2:]).split()
    return words[:2] if words[:1] == ["/usr/bin/env"] else words[:1]


def loaders() -> tuple[str, ...]:
    """What starts programs that are linked to shared libraries."""
    return tuple(str(path) for pattern in _LOADERS for path in Path("/").glob(pattern))
