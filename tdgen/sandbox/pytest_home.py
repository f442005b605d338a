"""Where the host's own pytest lies, so that a server of any interpreter can load it: pure Python, all of it.

Hypothesis is lent as well, to servers for files that import it. A part of it is compiled: where the interpreter inside
is of another version, or of another machine, it is there and can't be imported.
"""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tdgen.sandbox.server import Kind

_NEEDED = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments")
_BESIDES = "py.py"
_LENT = ("hypothesis", "sortedcontainers", "_hypothesis_globals")


class Home(NamedTuple):
    """What to read from while tests run, what to import from while the server loads, and all there is to copy."""

    visible: tuple[str, ...]
    loading: tuple[str, ...]
    whole: tuple[str, ...]


NONE = Home((), (), ())


def of(kind: Kind) -> Home:
    """What a server of that kind is lent."""
    return {"files": find, "properties": with_hypothesis}.get(kind, lambda: NONE)()


@cache
def find() -> Home:
    """The folders of pytest's packages and of what they import; a single file besides, for those who copy."""
    specs = [importlib.util.find_spec(name) for name in _NEEDED]
    folders = [Path(spec.origin).parent for spec in specs if spec is not None and spec.origin]
    parents = dict.fromkeys(folder.parent for folder in folders)
    visible = tuple(str(folder) for folder in folders)
    files = tuple(str(parent / _BESIDES) for parent in parents if (parent / _BESIDES).is_file())
    return Home(visible, tuple(str(parent) for parent in parents), visible + files)


@cache
def with_hypothesis() -> Home:
    """Pytest's home with hypothesis and what that needs, as far as they are installed."""
    pytest, lent = find(), hypothesis()
    parents = dict.fromkeys([*pytest.loading, *(str(Path(path).parent) for path in lent)])
    return Home((*pytest.visible, *lent), tuple(parents), (*pytest.whole, *lent))


def hypothesis() -> tuple[str, ...]:
    """The folders and single files of hypothesis and of what it needs."""
    specs = [importlib.util.find_spec(name) for name in _LENT]
    origins = [Path(spec.origin) for spec in specs if spec is not None and spec.origin]
    return tuple(str(origin.parent if origin.name == "__init__.py" else origin) for origin in origins)
