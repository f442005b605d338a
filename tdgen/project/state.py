"""Whether a project is as it was, told by the paths, sizes and times of its files; and what was seen of it since then.

What is kept under a key that has not all of a project (a solution has the modules that it names, not what these import)
holds as long as the project is in the state in which it was seen to hold.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from tdgen.errors import InputError
from tdgen.files.saving import write_file
from tdgen.project.root import is_own

_FORMAT: Final = 1


def place_of(root: Path, folder: Path, what: str) -> Path:
    """The file in `folder` that keeps something of the project at `root`."""
    return folder / f"{sha256(str(root).encode()).hexdigest()[:16]}-{what}.json"


def state_of(root: Path, others: Iterable[Path | str], terms: str) -> str:
    """A digest of the paths, sizes and times of change of a project's files, of `others`, and of `terms`."""
    digest = sha256(terms.encode())
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if is_own(Path(folder), name))
        for name in sorted(names):
            _add(digest.update, os.path.join(folder, name))  # noqa: PTH118 - a Path for each costs more than the rest
    for path in others:
        _add(digest.update, str(path))
    return digest.hexdigest()


def _add(update: Callable[[bytes], object], path: str) -> None:
    with suppress(OSError):
        about = os.stat(path)  # noqa: PTH116 - as above
        # Nobody sets the time of a change to the file itself: a copy that keeps the other time is told by it.
        text = f"{path}\0{about.st_size}\0{about.st_mtime_ns}\0{about.st_ctime_ns}\n"
        update(text.encode("utf-8", "surrogateescape"))


@dataclass(frozen=True)
class Held:
    """The keys of what was seen to hold in a project, as long as it is in one state."""

    path: Path
    state: str

    def __contains__(self, key: str) -> bool:
        return key in self._keys()

    def add(self, key: str) -> None:
        """Remember that what has this key holds; where that can't be written, it is seen anew the next time."""
        keys = sorted({*self._keys(), key})
        with suppress(OSError, InputError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_file(self.path, json.dumps({"format": _FORMAT, "state": self.state, "keys": keys}))

    def _keys(self) -> list[str]:
        with suppress(OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            document = json.loads(self.path.read_bytes())
            if (document["format"], document["state"]) == (_FORMAT, self.state):
                return [str(key) for key in document["keys"]]
        return []
