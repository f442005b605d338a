"""Where the host's own pytest lies, so that a server of any interpreter can load it: pure Python, all of it."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from typing import NamedTuple

_NEEDED = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments")
_BESIDES = "py.py"


class Home(NamedTuple):
    """What to read from while tests run, what to import from while the server loads, and all there is to copy."""

    visible: tuple[str, ...]
    loading: tuple[str, ...]
    whole: tuple[str, ...]


NONE = Home((), (), ())


@cache
def find() -> Home:
    """The folders of pytest's packages and of what they import; a single file besides, for those who copy."""
    specs = [importlib.util.find_spec(name) for name in _NEEDED]
    folders = [Path(spec.origin).parent for spec in specs if spec is not None and spec.origin]
    parents = dict.fromkeys(folder.parent for folder in folders)
    visible = tuple(str(folder) for folder in folders)
    files = tuple(str(parent / _BESIDES) for parent in parents if (parent / _BESIDES).is_file())
    return Home(visible, tuple(str(parent) for parent in parents), visible + files)
