"""What servers run, imported and gone through before a server is needed.

Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tdgen.sandbox.inside.forker import Forker

COMMON = """
abc array ast base64 bisect calendar cmath collections.abc contextlib copy csv dataclasses datetime decimal enum
fractions functools hashlib heapq hmac html io itertools json locale logging math numbers operator os pathlib pprint
queue random re secrets shutil stat statistics string struct tempfile textwrap threading time traceback types typing
unicodedata urllib.parse uuid warnings weakref zlib encodings.idna encodings.latin_1
"""
"""Modules that functions commonly use, loaded before the first fork."""

PROGRAMS = {
    "probes": "inside.probes",
    "project": "in_project.project_tests",
    "files": "inside.pytesting",
    "properties": "inside.properties",
}
"""The module of `tdgen.sandbox` that children of each kind of server run."""

Serve = Callable[[Forker], None]
_NAMES = 40_000


def load(kinds: Sequence[str], folders: Sequence[str], room: Path) -> dict[str, Serve]:
    """Import what servers of these kinds run, with `folders` on the path meanwhile, and go its way a few times.

    `room` is an empty folder, and empty again afterwards. RuntimeError where this Python can't load it.
    """
    # Have the interpreter's table of names grow here, past what any job adds: in a child it would be copied whole
    for_now = [sys.intern(f" {number}") for number in range(_NAMES)]
    del for_now
    sys.path.extend(folders)
    for name in COMMON.split():
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    try:
        modules = {kind: importlib.import_module(f"tdgen.sandbox.{PROGRAMS[kind]}") for kind in kinds}
    except ImportError as error:
        raise RuntimeError(f"the host's pytest doesn't load in this Python ({error}): take 3.11 or later") from error
    sys.path[:] = [path for path in sys.path if path not in folders]
    for module in modules.values():
        module.warm_up(room)
    return {kind: module.serve for kind, module in modules.items()}
