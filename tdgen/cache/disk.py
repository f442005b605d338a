"""A diskcache Disk that never unpickles and never leaves its folder.

diskcache believes its own database (CVE-2025-69872): a row with mode 4 is unpickled, which runs code; so is a key with
raw 0; a row's file name may be absolute or climb out by `..`; and every row of its Settings table becomes an attribute
of the cache object. Whoever can write the database could so run code or have files read and deleted. Here a row is
bytes in the database (RAW) or bytes in a file of diskcache's own naming inside the folder (BINARY), a key is text,
settings are diskcache's own, and everything else is refused.
"""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from diskcache import DEFAULT_SETTINGS, Cache, Disk
from diskcache.core import METADATA, MODE_BINARY, MODE_RAW

from tdgen.cache.trouble import CorruptStore
from tdgen.errors import StoreError

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
    """A diskcache Cache in `folder` that keeps all it is given; StoreError where its settings were tampered with."""
    name = str(folder)
    if os.path.expandvars(name) != name:
        raise StoreError(f"{folder} can't be a cache folder: diskcache would read its $ as a variable: set --cache-dir")
    _check_settings(folder)
    return Cache(name, timeout=_BUSY_SECONDS, disk=ConfinedDisk, **_SETTINGS)


def _check_settings(folder: Path) -> None:
    """Refuse rows of the Settings table that diskcache doesn't write: it would set them as attributes and pragmas."""
    database = folder / "cache.db"
    if not database.exists():
        return
    with closing(sqlite3.connect(database, timeout=_BUSY_SECONDS)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'Settings'").fetchone():
            return
        for key, value in connection.execute("SELECT key, value FROM Settings"):
            known = key in DEFAULT_SETTINGS or key in METADATA
            if not known or not re.fullmatch(r"[\w-]*", str(value)):
                raise CorruptStore(folder, f"its database has a strange setting {str(key)[:40]!r}")
