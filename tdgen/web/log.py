"""A run's events on disk.

Each is one JSON line, numbered from 1, appended by many threads, read by whoever looks on. Readers pull: what a slow
client has not read yet lies in the file, not in memory. A line that was cut off when a process was killed is cut away
when the log is opened again.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

from tdgen.errors import StoreError
from tdgen.web.run_store import Line

FILE: Final = "events.jsonl"
CHUNK: Final = 64_000
"""About how many bytes are read at a time."""


class EventLog:
    """The events of one run. `append` is safe to call from several threads."""

    def __init__(self, path: Path) -> None:
        """Open the log, with what an earlier process left in it; StoreError where it can't be written."""
        self._path = path
        self._guard = threading.Lock()
        try:
            self._file: BinaryIO | None = path.open("ab")
            self._count = _mend(path)
        except OSError as error:
            raise StoreError(f"the run's events can't be kept in {path.parent}: {error.strerror}") from None

    def append(self, event: Mapping[str, Any]) -> int:
        """Keep an event, with the moment it happened at; its number. What comes after the end is dropped.

        StoreError where the disk is full.
        """
        line = event_text(event)
        with self._guard:
            if self._file is None:
                return self._count
            try:
                self._file.write(line.encode("ascii") + b"\n")
                self._file.flush()
            except OSError as error:
                raise StoreError(f"the run's events can't be kept in {self._path.parent}: {error.strerror}") from None
            self._count += 1
            return self._count

    def close(self) -> None:
        """No event comes any more. Closing twice is allowed."""
        with self._guard:
            if self._file is not None:
                with suppress(OSError):  # what a full disk did not take was told when it was written
                    self._file.close()
                self._file = None


class Reader:
    """Reads a log from behind the event `after` on, a piece at a time. Holds no more than that piece."""

    def __init__(self, path: Path, after: int = 0) -> None:
        self._path = path
        self._after = max(0, after)
        self._number = 0
        self._offset = 0

    def read(self) -> list[Line]:
        """The next events, as many as fit into a piece (one at the least); none where there are no more yet."""
        lines: list[Line] = []
        size = 0
        try:
            with self._path.open("rb") as file:
                file.seek(self._offset)
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    self._offset += len(line)
                    self._number += 1
                    if self._number <= self._after:
                        continue
                    lines.append(Line(self._number, line.decode("ascii").rstrip("\n")))
                    size += len(line)
                    if size >= CHUNK:
                        break
        except FileNotFoundError:
            return []
        return lines


def event_text(event: Mapping[str, Any]) -> str:
    """An event's JSON in one line, with the moment it happened at."""
    return json.dumps({"at": round(time.time(), 3), **event}, ensure_ascii=True, separators=(",", ":"))


def _mend(path: Path) -> int:
    """Cut off what is no whole line; how many lines there are."""
    count, whole = 0, 0
    with path.open("rb+") as file:
        for line in file:
            if line.endswith(b"\n"):
                count += 1
                whole += len(line)
        file.truncate(whole)
    return count
