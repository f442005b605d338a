"""A case's world: its files, its standard streams, its environment, its clock and its random seed.

Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import decimal
import io
import os
import random
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tdgen.sandbox.inside import arrays, clock, commands, recorders, scratch

_PLAIN_ENVIRONMENT = {"LANG": "C.UTF-8", "PATH": commands.PATH, "PYTHONHASHSEED": "0", "TZ": "UTC", **arrays.ONE_THREAD}


class Bounded(io.BytesIO):
    """Bytes written, the first `room` of them kept."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self._room = room

    def write(self, data: Any) -> int:
        """Take all of `data`, keep what there is room for."""
        taken = len(data)
        kept = bytes(data[: self._room])
        self._room -= len(kept)
        super().write(kept)
        return taken

    def forget(self) -> None:
        """Begin anew."""
        self._room += len(self.getvalue())
        self.seek(0)
        self.truncate()


def make_folder(scratch: Path, index: int) -> Path:
    """The folder of the probe of that number, made and entered, and one for temporary files. OSError where none is."""
    folder = scratch / str(index)
    folder.mkdir()
    folder.with_suffix(".tmp").mkdir()
    os.chdir(folder)
    return folder


class ProbeEnvironment:
    """The folder, streams and process state that one probe finds, put up before it and taken down after."""

    def __init__(self, folder: Path, output_kb: int) -> None:
        """Put up all that a world doesn't change: it is not known yet."""
        self.room = output_kb * 1024
        self._out, self._err = Bounded(self.room), Bounded(self.room)
        self._unfreeze: Callable[[], None] | None = None
        self._recursion = sys.getrecursionlimit()
        self._saved = (sys.stdin, sys.stdout, sys.stderr, sys.argv, list(sys.path))
        # Held here: a stream that a setup puts another in the place of would close what was printed when it goes.
        self._streams = _text(self._out, "strict"), _text(self._err, "backslashreplace")
        self.move_to(folder)

    def move_to(self, folder: Path) -> None:
        """Have `folder` be the probe's: what it finds its files and its home in."""
        self.folder = folder
        # Have the environment be `wanted`. Mostly little is to be changed, and each change takes its time
        wanted = {**_PLAIN_ENVIRONMENT, "HOME": str(folder), "TMPDIR": str(folder.with_suffix(".tmp"))}
        there = dict(os.environ)
        for name in there.keys() - wanted.keys():
            del os.environ[name]
        for name, value in wanted.items() - there.items():
            os.environ[name] = value

    def before_module(self, world: dict[str, Any]) -> None:
        """What the module already sees while it is executed: the streams and the clock."""
        if world["clock"]:
            arrays.import_arrays()  # pandas can't be imported among stand-ins for `datetime`
        sys.argv = [""]
        sys.stdout, sys.stderr = self._streams
        sys.stdin = io.TextIOWrapper(io.BytesIO(scratch.data_of(world["stdin"] or "")), "utf-8")
        if world["clock"]:
            self._unfreeze = clock.freeze(world["clock"])

    def before_call(self, world: dict[str, Any]) -> None:
        """The files, the environment and the seed of the case's world."""
        for name, text in world["files"].items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(scratch.data_of(text))
        os.environ.update(world["environment"])
        if world["seed"] is not None:
            random.seed(world["seed"])

    def printed(self) -> tuple[str, str]:
        """What went to the standard output and error streams so far, as much of it as there is room for."""
        for stream in (sys.stdout, sys.stderr, *self._streams):
            with contextlib.suppress(Exception):
                stream.flush()
        out, err = (kept.getvalue().decode("utf-8", "backslashreplace")[: self.room] for kept in (self._out, self._err))
        return out, err

    def drop_output(self) -> None:
        """What was printed so far is nobody's."""
        self.printed()
        self._out.forget()
        self._err.forget()

    def after(self) -> bool:
        """Put everything back; whether the process is fit for another probe (no thread of this one is left)."""
        if self._unfreeze:
            self._unfreeze()
        sys.stdin, sys.stdout, sys.stderr, sys.argv, path = self._saved
        sys.path[:] = path
        sys.settrace(None)
        sys.setprofile(None)
        sys.setrecursionlimit(self._recursion)
        decimal.setcontext(decimal.Context())
        recorders.restore()
        signal.setitimer(signal.ITIMER_REAL, 0)
        os.umask(0o022)
        return threading.active_count() == 1


def _text(kept: io.BytesIO, errors: str) -> io.TextIOWrapper:
    """A text stream that writes through to `kept`."""
    return io.TextIOWrapper(kept, encoding="utf-8", errors=errors, newline="", write_through=True)
