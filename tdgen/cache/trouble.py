"""What the operating system and SQLite say of a cache folder, turned into the one line that a user can act on."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tdgen.errors import StoreError

_NO_SPACE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NO_RIGHT: Final = (errno.EROFS, errno.EACCES, errno.EPERM)


class CorruptStore(StoreError):
    """The cache's files are damaged; clearing it helps."""

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(f"the cache in {folder} is damaged ({why}): `tdgen cache clear --all` makes a new one")


@contextmanager
def explained(folder: Path) -> Iterator[None]:
    """Let what goes wrong with the files in `folder` surface as a StoreError of one line."""
    import sqlite3

    from diskcache import Timeout

    try:
        yield
    except (OSError, sqlite3.Error, Timeout) as error:
        raise _explain(folder, error) from error


def _explain(folder: Path, error: Exception) -> StoreError:
    # A failed rollback hides the failure that called for it, and diskcache's Timeout the refusal to begin.
    causes = list(_chain(error))
    said = " ".join(str(cause) for cause in causes)
    codes = [cause.errno for cause in causes if isinstance(cause, OSError)]
    if "is full" in said or any(code in _NO_SPACE for code in codes):
        return StoreError(f"the disk of the cache in {folder} is full: free some space or set --cache-dir")
    if "readonly" in said or "unable to open" in said or any(code in _NO_RIGHT for code in codes):
        return StoreError(f"the cache in {folder} can't be written: set --cache-dir to a folder that can")
    if "is locked" in said:
        return StoreError(f"the cache in {folder} is busy: another process has been writing to it for too long")
    if codes or "disk I/O error" in said:
        return StoreError(f"the cache in {folder} can't be used ({_first_line(error)}): set --cache-dir")
    return CorruptStore(folder, _first_line(error))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _first_line(error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return (reason or type(error).__name__).splitlines()[0]
