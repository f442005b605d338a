"""Changes of a project's files, and the patch that shows them; `applying` makes them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from tdgen.errors import InputError


class Change(NamedTuple):
    """A file's bytes before and after; None before for a file that is new. `path` is its path from the root."""

    file: Path
    path: str
    before: bytes | None
    after: bytes


def patch_of(changes: Iterable[Change]) -> bytes:
    """The changes as a unified diff, in the files' own encodings, as `git apply` and `patch -p1` take it."""
    patch: list[bytes] = []
    for change in changes:
        path = change.path.encode()
        old = b"/dev/null" if change.before is None else b"a/" + path
        # Lines as diff counts them: only line feeds end one.
        before, after = ((data or b"").split(b"\n") for data in (change.before, change.after))
        for lines in (before, after):
            last = lines.pop()
            lines[:] = [line + b"\n" for line in lines] + [last] * bool(last)
        shown = difflib.diff_bytes(difflib.unified_diff, before, after, old, b"b/" + path)
        patch += (line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n" for line in shown)
    return b"".join(patch)


def diff_of(changes: Iterable[Change]) -> str:
    """The changes as text to look at."""
    return patch_of(changes).decode("utf-8", "replace")


def save_patch(changes: Sequence[Change], folder: Path) -> Path:
    """The changes written as a patch file in a folder, named by what it holds."""
    patch = patch_of(changes)
    path = folder / f"{sha256(patch).hexdigest()[:12]}.patch"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(patch)
    except OSError as error:
        raise InputError(f"can't write {path}: {error.strerror}") from None
    return path
