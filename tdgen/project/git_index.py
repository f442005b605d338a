"""Whether a file is as it was last added to git, by what git's index says: git itself is not run.

A repository's settings may name programs that git would start.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha1
from pathlib import Path
from typing import Final

_ENTRY: Final = 62
_EXTENDED: Final = 0x4000
_VERSIONS: Final = (2, 3)


def is_changed(file: Path, data: bytes) -> bool:
    """Whether `data` is another text than the one added last; not where that can't be told.

    Line ends are not compared, which git may have changed on the way.
    """
    folder = next((above for above in file.parents if (above / ".git").exists()), None)
    if folder is None:
        return False
    try:
        there = folder / ".git"
        if there.is_file():  # of a further work tree: it names git's own folder
            there = folder / there.read_text().removeprefix("gitdir:").strip()
        index = (there / "index").read_bytes()
        added = dict(_entries(index)).get(file.relative_to(folder).as_posix())
    except (OSError, ValueError, IndexError):
        return False
    if added is None:
        return int.from_bytes(index[4:8], "big") in _VERSIONS
    return added not in {blob_hash(data), blob_hash(data.replace(b"\r\n", b"\n"))}


def _entries(index: bytes) -> Iterator[tuple[str, str]]:
    """The paths in an index with their texts' hashes; nothing for a version of it that is not known."""
    if index[:4] != b"DIRC" or int.from_bytes(index[4:8], "big") not in _VERSIONS:
        return
    at = 12
    for _ in range(int.from_bytes(index[8:12], "big")):
        flags = int.from_bytes(index[at + 60 : at + _ENTRY], "big")
        begin = at + _ENTRY + 2 * bool(flags & _EXTENDED)
        end = index.index(b"\0", begin)
        yield index[begin:end].decode("utf-8", "replace"), index[at + 40 : at + 60].hex()
        at += (end - at + 8) // 8 * 8


def blob_hash(data: bytes) -> str:
    """The name that git gives a file's bytes."""
    return sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
