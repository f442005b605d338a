"""The scratch folder: what a run wrote there, read back within bounds, and all of it removed after.

Links are never followed. Removing flattens the tree instead of descending into it, so that a folder a hundred
thousand levels deep, or one without any permission, goes as well as any other.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import base64
import codecs
import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

MAX_FILES = 200
_MODE = 0o700
_MOST_COUNTED = 10_000


def empty(folder: Path) -> None:
    """Remove all that `folder` holds, as far as it can be. Nothing may be running that still writes there."""
    serial, prefix = 0, os.urandom(8).hex()
    pending = _remove_files(folder)
    while pending:
        path = pending.pop()
        with suppress(OSError):
            path.chmod(_MODE)
            for inner in _remove_files(path):
                serial += 1
                inner.chmod(_MODE)
                pending.append(inner.rename(folder / f".{prefix}.{serial}"))
            path.rmdir()


def _remove_files(folder: Path) -> list[Path]:
    """Remove all that is no folder from `folder`; the folders in it."""
    inner = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in list(entries):
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    inner.append(Path(entry.path))
                else:
                    os.unlink(entry.path)  # noqa: PTH108 - there may be thousands, and the next run waits
    return inner


def put_in_order(folder: Path) -> None:
    """Make `folder` as a run must find it: this user's own, with the mode it had, and empty. OSError where it can't be.

    A run may have changed its permissions, and moved files to where nobody looks for them.
    """
    if stat.S_IMODE(folder.lstat().st_mode) != _MODE:
        folder.chmod(_MODE)
    empty(folder)
    facts = folder.lstat()
    if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.geteuid() or stat.S_IMODE(facts.st_mode) != _MODE:
        raise PermissionError(errno.EACCES, "the scratch folder is not the server's own", str(folder))
    with os.scandir(folder) as entries:
        if any(entries):
            raise OSError(errno.ENOTEMPTY, os.strerror(errno.ENOTEMPTY), str(folder))


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


def data_of(content: Any) -> bytes:
    """The bytes of a text, or of what is told in base64: `{"base64": …}`."""
    if isinstance(content, dict):
        return base64.b64decode(content["base64"])
    return bytes(content.encode("utf-8", "surrogatepass"))


def collect(folder: Path, limit: int) -> dict[str, Any]:
    """The regular files in `folder` by relative path, those that were there before included.

    At most MAX_FILES of them and `limit` characters together; what isn't UTF-8 is told in base64: `{"base64": …}`.
    """
    contents: dict[str, Any] = {}
    for parent, _, names in os.walk(folder, followlinks=False):
        for name in sorted(names):
            if len(contents) >= MAX_FILES or limit <= 0:
                return contents
            path = Path(parent, name)
            data = _read(path, limit)
            relative = str(path.relative_to(folder))
            if data is not None:
                printable = relative.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
                contents[printable], size = _encoded(data, limit)
                limit -= size
    return contents


def _encoded(data: bytes, limit: int) -> tuple[Any, int]:
    """A file's content as JSON data, and its length in characters; text cut within a character ends before that."""
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(data, len(data) < limit)
    except UnicodeDecodeError:
        encoded = base64.b64encode(data[: limit // 4 * 3]).decode("ascii")
        return {"base64": encoded}, len(encoded)
    return text, len(text)


def _read(path: Path, limit: int) -> bytes | None:
    """What a regular file holds, at most `limit` bytes of it; None for all else."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return None
        return os.read(fd, limit)
    except OSError:
        return None
    finally:
        os.close(fd)
