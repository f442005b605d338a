"""The cache folder itself: where it is, that it is ours and private, and of which format.

```
FORMAT         the layout's version, one number
cache.db       diskcache's database, with large texts in files beside it (xx/yy/….val)
locks/         one empty file for each key that was ever locked
runs/          the run journal, no part of the cache (see `tdgen.cache.journal`)
packages/      third-party packages that were allowed, a folder each set (see `tdgen.sandbox.packages`)
written/       the records of files that were written where no record is beside them (see `tdgen.saving`)
```

A folder that holds anything else is somebody's: it is neither used nor cleared.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tdgen.cache.trouble import CorruptStore, explained
from tdgen.errors import StoreError
from tdgen.types import digest

FORMAT: Final = 1
_OURS: Final = re.compile(
    r"FORMAT|\.FORMAT\.[0-9a-f]+|cache\.db(-wal|-shm|-journal)?|locks|runs|packages|written|[0-9a-f]{2}"
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
        _make_private(folder)
        if not (folder / "FORMAT").exists():
            _write_format(folder)
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


def _make_private(folder: Path) -> None:
    """Shut everybody else out: who may write here may plant solutions."""
    status = folder.stat()
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        raise StoreError(f"the cache folder {folder} belongs to another user: set --cache-dir to one of your own")
    if stat.S_IMODE(status.st_mode) & 0o077:
        folder.chmod(0o700)


def _write_format(folder: Path) -> None:
    """Write FORMAT at once or not at all, also where several processes open a new folder together."""
    draft = folder / f".FORMAT.{secrets.token_hex(8)}"
    draft.write_text(f"{FORMAT}\n", encoding="ascii")
    draft.replace(folder / "FORMAT")
