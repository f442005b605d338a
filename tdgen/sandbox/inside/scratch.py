"""The scratch folder: what a run wrote there, read back within bounds, and all of it removed after.

Links are never followed. Removing flattens the tree instead of descending into it, so that a folder a hundred
thousand levels deep, or one without any permission, goes as well as any other.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

MAX_FILES = 200
_MOST_COUNTED = 10_000


def empty(folder: Path) -> None:
    """Remove all that `folder` holds. Nothing may be running that still writes there."""
    serial, prefix = 0, os.urandom(8).hex()
    pending = _entries(folder)
    while pending:
        path = pending.pop()
        with suppress(OSError):
            if not _is_folder(path):
                path.unlink()
                continue
            path.chmod(0o700)
            for inner in _entries(path):
                if _is_folder(inner):
                    serial += 1
                    inner.chmod(0o700)
                    pending.append(inner.rename(folder / f".{prefix}.{serial}"))
                else:
                    inner.unlink()
            path.rmdir()


def remove(folder: Path) -> None:
    """Remove `folder` and all that it holds, as far as it is there."""
    empty(folder)
    with suppress(OSError):
        folder.rmdir()


def used_kb(folder: Path) -> int:
    """The KiB that the files in `folder` take, as far as it can be read; of very many, what the first ones take."""
    blocks, counted, pending = 0, 0, [str(folder)]
    while pending and counted < _MOST_COUNTED:
        with suppress(OSError), os.scandir(pending.pop()) as entries:
            for entry in entries:
                counted += 1
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                else:
                    blocks += entry.stat(follow_symlinks=False).st_blocks
    return blocks // 2


def _entries(folder: Path) -> list[Path]:
    """What `folder` holds, or nothing where it can't be read."""
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _is_folder(path: Path) -> bool:
    """Whether `path` itself is a folder, and no link to one."""
    return stat.S_ISDIR(path.lstat().st_mode)


def collect(folder: Path, limit: int) -> dict[str, str]:
    """The regular files in `folder` by relative path, those that were there before included.

    At most MAX_FILES of them and `limit` bytes together; what isn't UTF-8 is told with backslash escapes.
    """
    found: dict[str, str] = {}
    for parent, _, names in os.walk(folder, followlinks=False):
        for name in sorted(names):
            if len(found) >= MAX_FILES or limit <= 0:
                return found
            path = Path(parent, name)
            text = _read(path, limit)
            relative = str(path.relative_to(folder))
            if text is not None:
                printable = relative.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
                found[printable] = text
                limit -= len(text)
    return found


def _read(path: Path, limit: int) -> str | None:
    """The text of a regular file, at most `limit` bytes of it; None for all else."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return None
        return os.read(fd, limit).decode("utf-8", "backslashreplace")
    except OSError:
        return None
    finally:
        os.close(fd)
