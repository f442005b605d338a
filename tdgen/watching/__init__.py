"""Files that are watched: what is saved is solved by the command that a user would type, in a process of its own.

One is solved at a time. Where a file is saved again meanwhile, its run is interrupted as Ctrl-C does it and the newer
text wins; what was answered is kept, so that nothing is paid twice. Other files wait for their turn.
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from threading import Event
from typing import Final, NamedTuple, Protocol

from watchfiles import Change, watch

from tdgen.errors import InputError
from tdgen.project.module import read_module
from tdgen.project.root import find_project, is_own

PATIENCE: Final = 5.0
"""Seconds that an interrupted run has for its end. It needs milliseconds; a run in the sandbox may take longer."""


class Run(Protocol):
    """A process, as far as it is needed here."""

    def poll(self) -> int | None:
        """Its exit code; None while it runs."""

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, waited for."""

    def send_signal(self, signal: int, /) -> None:
        """Send a signal to it."""


class Saves(NamedTuple):
    """What is watched: files, by the paths under which they may be told of, and folders with modules."""

    files: dict[Path, Path]
    folders: tuple[Path, ...]

    @classmethod
    def of(cls, paths: Sequence[str]) -> Saves:
        """Those that paths name; InputError for one that is not there, and for a folder in no project."""
        files: dict[Path, Path] = {}
        folders: list[Path] = []
        for path in map(Path, paths):
            if path.is_dir():
                find_project(path)
                folders.append(path.absolute())
            elif path.exists():
                files |= {path.absolute(): path, path.resolve(): path}
            else:
                raise InputError(f"{path}: there is no such file or folder to watch")
        return cls(files, tuple(folders))

    @property
    def places(self) -> tuple[Path, ...]:
        """The folders to listen to: editors that save by renaming make a file anew, so its folder is listened to."""
        return tuple(dict.fromkeys([*self.folders, *(file.parent for file in self.files)]))

    def named(self, path: Path) -> Path | None:
        """A path that was saved, as it is called; None where it is not watched."""
        if path in self.files:
            return self.files[path]
        for folder in self.folders:
            if path.suffix == ".py" and path.is_relative_to(folder) and path.is_file():
                above = [one for one in path.parents if one != folder and one.is_relative_to(folder)]
                return path if all(is_own(one.parent, one.name) for one in above) else None
        return None


def saved(saves: Saves, stop: Event) -> Iterator[frozenset[Path]]:
    """The files that are saved, as they are called, several where they are saved together; nothing, again and again.

    It ends when `stop` is set. InputError where the system can't watch.
    """
    batches = watch(
        *saves.places,
        debounce=1_000,  # ms: a file that is written piece by piece counts once
        step=100,
        rust_timeout=200,
        yield_on_timeout=True,
        recursive=bool(saves.folders),
        stop_event=stop,
    )
    try:
        for changes in batches:
            paths = {Path(path) for change, path in changes if change != Change.deleted}
            yield frozenset(named for path in paths if (named := saves.named(path)) is not None)
    except OSError as error:
        raise InputError(f"the files can't be watched: {error.strerror or error}") from None


def command_for(path: Path, solving: Sequence[str], filling: Sequence[str]) -> list[str] | None:
    """The command for a file that was saved; None for a module without a stub. InputError where it can't be read.

    `solving` and `filling` are the further arguments of the two commands.
    """
    if path.suffix == ".json":
        return ["solve", "--plan", str(path), *solving]
    if path.suffix != ".py":
        return ["solve", str(path), *solving]
    module = read_module(find_project(path), path)
    return ["fill", str(path), *filling] if any(unit.is_stub for unit in module.units.values()) else None


class Watcher:
    """Runs a command for each file that is saved, the newest text of it, one at a time."""

    def __init__(
        self,
        command: Callable[[Path], list[str] | None],
        start: Callable[[Sequence[str]], Run],
        tell: Callable[[str], None],
    ) -> None:
        """`command` gives a file's command as `command_for` does, `start` begins it, `tell` is told a line."""
        self._command, self._start, self._tell = command, start, tell
        self._waiting: dict[Path, None] = {}
        self._running: tuple[Path, str, Run] | None = None

    def watch(self, saves: Iterable[frozenset[Path]]) -> None:
        """Do so until there are no more saves; what runs then is interrupted."""
        try:
            for files in saves:
                for file in sorted(files):
                    self._note(file)
                self._go_on()
        finally:
            self._interrupt()

    def _note(self, file: Path) -> None:
        """Let a file have its turn, and end the run of an older text of it."""
        if self._running is not None and self._running[0] == file:
            if self._running[1] == _digest(file):
                return
            self._tell(f"{file} was saved again: the newer text is taken")
            self._interrupt()
        self._waiting[file] = None

    def _go_on(self) -> None:
        """Begin with the next file, where nothing runs."""
        if self._running is not None and self._running[2].poll() is not None:
            self._running = None
        while self._waiting and self._running is None:
            file = next(iter(self._waiting))
            del self._waiting[file]
            digest = _digest(file)
            try:
                arguments = self._command(file)
            except InputError as error:
                self._tell(str(error))
                continue
            if arguments is not None:
                self._running = file, digest, self._start(arguments)

    def _interrupt(self) -> None:
        """End what runs, as a user would: once kindly, then at once."""
        if self._running is None:
            return
        run, self._running = self._running[2], None
        for number in (signal.SIGINT, signal.SIGINT, signal.SIGKILL):
            if run.poll() is not None:
                return
            run.send_signal(number)
            try:
                run.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                continue


def _digest(file: Path) -> str:
    """A digest of what a file holds; "" where it can't be read just now."""
    try:
        return sha256(file.read_bytes()).hexdigest()
    except OSError:
        return ""
