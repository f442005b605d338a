"""A batch's output folder: whose run it is, what is finished in it, and where solutions are written.

```
batch.json        of which file and which settings the run is
results.jsonl     a row for each line that has ended
summary.json      what all of it came to
solutions/ID/     a solution's package, where they were asked for
earlier-1/        what an earlier run had written when another one began anew
```

A run whose file and settings are the same goes on from what is finished. Another one is refused the folder, unless it
is told to begin anew (`force`) or to go on all the same (`resume`): then only lines that are word for word in both are
finished, and those that a budget ended are tried again. Nothing of an earlier run is removed.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from tdgen.batch.lines import folder_name
from tdgen.batch.results import Results
from tdgen.errors import InputError
from tdgen.files.saving import Place, write_file
from tdgen.protocols import Closing
from tdgen.settings import Settings
from tdgen.solution import Solution
from tdgen.solution.writing import write_package
from tdgen.types import Frozen

STAMP: Final = "batch.json"
OURS: Final = ("results.jsonl", "results.draft", "summary.json", STAMP, "solutions")


class Stamp(Frozen):
    """Whose run a folder is of: its file by name and digest, and the settings that change what comes of it.

    `begun` names the run, from when it was begun until it has come to its end.
    """

    format: int = 1
    file: str
    digest: str
    settings: dict[str, Any]
    begun: str = ""

    @classmethod
    def of(cls, file: Path, content: str, settings: Settings) -> Stamp:
        """The stamp of a run on a file whose content has that digest."""
        identity = settings.identity() | {"budget": settings.budget.model_dump(mode="json")}
        return cls(file=file.name, digest=content, settings=identity)

    def difference(self, other: Stamp) -> str:
        """In words, what of another run's is not the same; nothing where all is."""
        if self.digest != other.digest:
            return f"that one's file ({self.file}) said something else"
        for name, value in other.settings.items():
            if self.settings.get(name) != value:
                texts = [json.dumps(one) for one in (self.settings.get(name), value)]
                was, now = (text if len(text) <= 60 else text[:57] + "..." for text in texts)
                return f"{name} was {was} there and is {now} now"
        return ""


class Output(Closing):
    """The folder, held by one run at a time; a context manager."""

    def __init__(
        self, folder: Path, stamp: Stamp, *, force: bool = False, resume: bool = False, ours: Sequence[str] = OURS
    ) -> None:
        """Take the folder; InputError where it is another run's, in use, or can't be written.

        `ours` are the names of all that a run writes there.
        """
        self.folder = folder
        self.tries_stopped = resume
        earlier = _earlier(folder, force=force)
        if earlier is not None and not force and not resume and (text := earlier.difference(stamp)):
            advice = "name another folder, --resume goes on all the same, or --force begins anew"
            raise InputError(f"{folder} holds the results of another run, {text}: {advice}")
        self.begun = (earlier.begun if earlier and not force else "") or secrets.token_hex(8)
        self._guard = _guarded(folder)
        try:
            if force:
                _set_aside(folder, ours, is_ours=earlier is not None)
            stamped = stamp.model_copy(update={"begun": self.begun})
            write_file(folder / STAMP, json.dumps(stamped.model_dump(), indent=1) + "\n")
            self.results = Results(folder / "results.jsonl")
        except BaseException:
            self._guard.release()
            raise

    def save(self, name: str, solution: Solution) -> str:
        """Write a solution's package, and give its folder's path within this one; InputError where that can't be."""
        names = (f"solutions/{folder_name(name)}{end}" for end in chain([""], (f".{n}" for n in count(2))))
        # A package that somebody changed since stays, and the new one stands beside it.
        path, place = next((p, at) for p in names if not (at := Place(self.folder / p, force=True)).changed())
        write_package(solution, place)
        return path

    def close(self) -> None:
        """Let go of the folder. Closing twice is allowed."""
        self.results.close()
        self._guard.release()


def _earlier(folder: Path, *, force: bool) -> Stamp | None:
    """The stamp of the run that the folder holds; None where it is new, empty, or may be begun anew."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: name a folder for the results")
    try:
        return Stamp.model_validate_json((folder / STAMP).read_bytes())
    except FileNotFoundError:
        others = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    except OSError as error:
        raise InputError(f"{folder} can't be read: {error.strerror}") from None
    except ValidationError:
        others = [STAMP]
    if others and not force and others != [".lock"]:
        raise InputError(f"{folder} holds other files ({min(others)}): name another folder, or add --force")
    return None


def _guarded(folder: Path) -> Any:
    """Hold the folder; whoever dies lets go."""
    from filelock import FileLock, Timeout

    try:
        folder.mkdir(parents=True, exist_ok=True)
        guard = FileLock(folder / ".lock", thread_local=False)
        guard.acquire(blocking=False)
    except Timeout:
        raise InputError(f"another run is writing to {folder}: wait for it, or name another folder") from None
    except OSError as error:
        raise InputError(f"{folder} can't be written: {error.strerror}") from None
    return guard


def _set_aside(folder: Path, names: Sequence[str], *, is_ours: bool) -> None:
    """Move an earlier run's files out of the way; InputError where files of those names are somebody else's."""
    there = [name for name in names if os.path.lexists(folder / name)]
    if not there:
        return
    if not is_ours:
        raise InputError(f"{folder / there[0]} is there, and of no run: move it away, or name another folder")
    number = next(n for n in count(1) if not os.path.lexists(folder / f"earlier-{n}"))
    try:
        (folder / f"earlier-{number}").mkdir()
        for name in there:
            (folder / name).rename(folder / f"earlier-{number}" / name)
    except OSError as error:
        raise InputError(f"{folder} can't be written: {error.strerror}") from None
