"""Where the host's own pytest lies, so that a server of any interpreter can load it: pure Python, all of it."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from typing import NamedTuple

_NEEDED = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments")


class Home(NamedTuple):
    """The folders to read from while tests run, and those to import from while the server loads."""

    visible: tuple[str, ...]
    loading: tuple[str, ...]


NONE = Home((), ())


@cache
def find() -> Home:
    """The folders of pytest's packages and of what they import."""
    specs = [importlib.util.find_spec(name) for name in _NEEDED]
    folders = [Path(spec.origin).parent for spec in specs if spec is not None and spec.origin]
    parents = dict.fromkeys(str(folder.parent) for folder in folders)
    return Home(tuple(str(folder) for folder in folders), tuple(parents))
