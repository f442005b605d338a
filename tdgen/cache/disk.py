"""The cache on disk: a diskcache Disk that never unpickles, the folder around it, and what goes wrong with either.

diskcache believes its own database (CVE-2025-69872):
a row with mode 4 is unpickled, which runs code; so is a key with raw 0; a row's file name may be absolute or climb out
by `..`; and every row of its Settings table becomes an attribute of the cache object. Whoever can write the database
could so run code or have files read and deleted. Here a row is bytes in the database (RAW) or bytes in a file of
diskcache's own naming inside the folder (BINARY), a key is text, settings are diskcache's own, and everything else is
refused.

```
FORMAT         the layout's version, one number
cache.db       diskcache's database, with large texts in files beside it (xx/yy/….val)
locks/         one empty file for each key that was ever locked
runs/          the run journal, no part of the cache (see `tdgen.cache.journal`)
packages/      third-party packages that were allowed, a folder each set (see `tdgen.sandbox.wheels`)
written/       the records of files that were written where no record is beside them (see `tdgen.files.saving`)
projects/      what was read of projects (see `tdgen.project.index`)
patches/       what `tdgen fill` wrote into projects
```

A folder that holds anything else is somebody's: it is neither used nor cleared.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import sqlite3
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from diskcache import DEFAULT_SETTINGS, Cache, Disk, Timeout
from diskcache.core import METADATA, MODE_BINARY, MODE_RAW

from tdgen.errors import StoreError
from tdgen.types import digest

_FILE_NAME: Final = re.compile(r"[0-9a-f]{2}/[0-9a-f]{2}/[0-9a-f]{28}\.val")
_SETTINGS: Final = {
    **DEFAULT_SETTINGS,
    "eviction_policy": "none",
    "cull_limit": 0,
    # Up to this size SQLite serves a text faster than a file beside it does.
    "disk_min_file_size": 1 << 20,
    # Each thread has a connection of its own, and rows are read once: large caches would only take memory.
    "sqlite_cache_size": 256,
    "sqlite_mmap_size": 1 << 23,
}
_BUSY_SECONDS: Final = 30.0


class RefusedRow(Exception):
    """A row that this version never wrote; it is not read."""


class ConfinedDisk(Disk):  # type: ignore[misc] # diskcache is untyped
    """Bytes under text keys, in the database or in files inside the folder. Nothing is ever unpickled."""

    def put(self, key: object) -> tuple[str, bool]:
        """The database's form of a key: itself, raw."""
        if not isinstance(key, str):
            raise RefusedRow(f"a key is text, not {type(key).__name__}")
        return key, True

    def get(self, key: object, raw: object) -> str | None:
        """The key of a row, or None for one that is not text.

        None rather than an error: one planted row must not hide all others from a listing.
        """
        return key if raw == 1 and isinstance(key, str) else None

    def store(self, value: object, read: bool, key: object = None) -> tuple[int, int, str | None, Any]:  # noqa: FBT001
        """Size, mode, file name and database value for `value`, which is bytes."""
        if read or type(value) is not bytes:
            raise RefusedRow(f"a value is bytes, not {type(value).__name__}")
        size, mode, filename, stored = super().store(value, read, key=key)
        if mode not in (MODE_RAW, MODE_BINARY):
            raise RefusedRow(f"mode {mode} is not written")
        return size, mode, filename, stored

    def fetch(self, mode: object, filename: object, value: object, read: bool) -> bytes:  # noqa: FBT001
        """The bytes of a row; RefusedRow for any that `store` can't have written."""
        if read:
            raise RefusedRow("no open files are handed out")
        if mode == MODE_RAW and filename is None and isinstance(value, bytes):
            return value
        if mode == MODE_BINARY and value is None:
            return self._confined(filename).read_bytes()
        raise RefusedRow(f"mode {mode!r} with a {type(value).__name__} is not read")

    def remove(self, file_path: object) -> None:
        """Remove a row's file, unless it is none of ours: a planted name must not delete elsewhere."""
        try:
            self._confined(file_path)
        except (RefusedRow, OSError):
            return
        super().remove(file_path)

    def _write(self, full_path: str, *arguments: Any) -> int:
        """Write a row's file as diskcache does, but leave no half of it where the disk is full."""
        try:
            return int(super()._write(full_path, *arguments))
        except OSError:
            Path(full_path).unlink(missing_ok=True)
            raise

    def _confined(self, filename: object) -> Path:
        """The path of a row's file; RefusedRow unless it is a plain file of diskcache's naming inside the folder."""
        if not isinstance(filename, str) or not _FILE_NAME.fullmatch(filename):
            raise RefusedRow(f"{filename!r} is no file of the cache")
        folder = Path(self._directory).resolve()
        path = (folder / filename).resolve(strict=True)
        if path != folder / filename or not path.is_file():
            raise RefusedRow(f"{filename!r} leads out of the cache")
        return path


def open_cache(folder: Path) -> Any:
    """A diskcache Cache in `folder` that keeps all it is given; StoreError where its settings were tampered with.

    Refused are rows of the Settings table that diskcache doesn't write: it would set them as attributes and pragmas.
    """
    name, database = str(folder), folder / "cache.db"
    if os.path.expandvars(name) != name:
        raise StoreError(f"{folder} can't be a cache folder: diskcache would read its $ as a variable: set --cache-dir")
    if database.exists():
        with closing(sqlite3.connect(database, timeout=_BUSY_SECONDS)) as connection:
            is_set_up = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'Settings'").fetchone()
            for key, value in connection.execute("SELECT key, value FROM Settings") if is_set_up else ():
                known = key in DEFAULT_SETTINGS or key in METADATA
                if not known or not re.fullmatch(r"[\w-]*", str(value)):
                    raise CorruptStore(folder, f"its database has a strange setting {str(key)[:40]!r}")
    return Cache(name, timeout=_BUSY_SECONDS, disk=ConfinedDisk, **_SETTINGS)


FORMAT: Final = 1
_OURS: Final = re.compile(
    r"FORMAT|\.FORMAT\.[0-9a-f]+|cache\.db(-wal|-shm|-journal)?|locks|runs|packages|headers|written|projects|patches"
    r"|[0-9a-f]{2}"
)


def default_folder(environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path:
    """The user's cache folder for tdgen, by XDG_CACHE_HOME or the platform's custom; StoreError without a home."""
    environ = os.environ if environ is None else environ
    base = environ.get("XDG_CACHE_HOME", "")
    # The XDG base directory specification has relative paths ignored.
    if base and Path(base).is_absolute():
        return Path(base) / "tdgen"
    try:
        home = Path(environ["HOME"]) if environ.get("HOME") else Path.home()
    except RuntimeError:
        raise StoreError("there is no home folder to keep the cache in: set --cache-dir") from None
    return home / ("Library/Caches" if platform == "darwin" else ".cache") / "tdgen"


def cache_folder(cache_dir: str = "") -> Path:
    """The folder that the settings name for the cache, else the user's own."""
    return Path(cache_dir).expanduser() if cache_dir else default_folder()


def file_name(key: str) -> str:
    """A file name for `key`, whatever characters it holds: 64 hex digits."""
    return digest(key).removeprefix("sha256:")


def written_record(folder: Path, path: Path) -> Path:
    """Where the cache in `folder` keeps the record of a file or folder that has none beside it."""
    return folder.expanduser() / "written" / f"{file_name(os.path.realpath(path))}.json"


def prepare(folder: Path) -> Path:
    """Make `folder` (absolute, mode 0700) ready for this version's use; StoreError where that can't be."""
    if "\0" in str(folder):
        raise StoreError(f"{str(folder)!r} can't be a cache folder: a path holds no NUL character")
    folder = Path(os.path.abspath(folder))  # noqa: PTH100 - resolve() would show another path than the user gave
    with explained(folder):
        if folder.exists() and not folder.is_dir():
            raise StoreError(f"the cache can't be in {folder}: that is a file: set --cache-dir to a folder")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        check(folder)
        # Shut everybody else out: who may write here may plant solutions
        status = folder.stat()
        if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
            raise StoreError(f"the cache folder {folder} belongs to another user: set --cache-dir to one of your own")
        if stat.S_IMODE(status.st_mode) & 0o077:
            folder.chmod(0o700)
        if not (folder / "FORMAT").exists():
            # Write FORMAT at once or not at all, also where several processes open a new folder together
            draft = folder / f".FORMAT.{secrets.token_hex(8)}"
            draft.write_text(f"{FORMAT}\n", encoding="ascii")
            draft.replace(folder / "FORMAT")
        (folder / "locks").mkdir(mode=0o700, exist_ok=True)
    return folder


def check(folder: Path) -> None:
    """StoreError unless `folder` (which is there) is empty or a cache that this version reads."""
    if not (folder / "FORMAT").exists():
        strangers = sorted(path.name for path in folder.iterdir() if not _OURS.fullmatch(path.name))
        if strangers:
            raise StoreError(f"{folder} holds other files ({strangers[0]}): set --cache-dir to a new or empty folder")
        return
    written = (folder / "FORMAT").read_text(encoding="ascii", errors="replace").strip()
    if not re.fullmatch(r"[1-9]\d{0,8}", written):
        raise CorruptStore(folder, "its FORMAT file is unreadable")
    if int(written) > FORMAT:
        raise StoreError(
            f"the cache in {folder} was written by a later tdgen (format {written}, this one reads {FORMAT}): "
            "upgrade tdgen or set --cache-dir"
        )


_NO_SPACE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NO_RIGHT: Final = (errno.EROFS, errno.EACCES, errno.EPERM)


class CorruptStore(StoreError):
    """The cache's files are damaged; clearing it helps."""

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(f"the cache in {folder} is damaged ({why}): `tdgen cache clear --all` makes a new one")


@contextmanager
def explained(folder: Path) -> Iterator[None]:
    """Let what goes wrong with the files in `folder` surface as a StoreError of one line."""
    try:
        yield
    except (OSError, sqlite3.Error, Timeout) as error:
        raise _explain(folder, error) from error


def _explain(folder: Path, error: Exception) -> StoreError:
    # A failed rollback hides the failure that called for it, and diskcache's Timeout the refusal to begin.
    causes: list[BaseException] = [error]
    while cause := causes[-1].__cause__ or causes[-1].__context__:
        causes.append(cause)
    said = " ".join(str(cause) for cause in causes)
    codes = [cause.errno for cause in causes if isinstance(cause, OSError)]
    reason = error.strerror if isinstance(error, OSError) else str(error)
    first_line = (reason or type(error).__name__).splitlines()[0]
    if "is full" in said or any(code in _NO_SPACE for code in codes):
        return StoreError(f"the disk of the cache in {folder} is full: free some space or set --cache-dir")
    if "readonly" in said or "unable to open" in said or any(code in _NO_RIGHT for code in codes):
        return StoreError(f"the cache in {folder} can't be written: set --cache-dir to a folder that can")
    if "is locked" in said:
        return StoreError(f"the cache in {folder} is busy: another process has been writing to it for too long")
    if codes or "disk I/O error" in said:
        return StoreError(f"the cache in {folder} can't be used ({first_line}): set --cache-dir")
    return CorruptStore(folder, first_line)
