"""Changes of a project's files: shown as a patch, and made all or none, only where the files are as they were read."""

from __future__ import annotations

import difflib
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
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
    return b"".join(line for change in changes for line in _patch(change))


def diff_of(changes: Iterable[Change]) -> str:
    """The changes as text to look at."""
    return patch_of(changes).decode("utf-8", "replace")


def _patch(change: Change) -> Iterator[bytes]:
    path = change.path.encode()
    old = b"/dev/null" if change.before is None else b"a/" + path
    before, after = (_lines(data or b"") for data in (change.before, change.after))
    for line in difflib.diff_bytes(difflib.unified_diff, before, after, old, b"b/" + path):
        yield line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"


def _lines(data: bytes) -> list[bytes]:
    """The lines as diff counts them: only line feeds end one."""
    lines = data.split(b"\n")
    return [line + b"\n" for line in lines[:-1]] + [line for line in lines[-1:] if line]


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


def check_changes(changes: Iterable[Change]) -> None:
    """InputError where a change can't be made: the file is a link, read-only, or no longer as it was read."""
    for change in changes:
        _check(change)


def apply_changes(changes: Sequence[Change]) -> None:
    """Make the changes, all of them or none; InputError, with nothing changed, where one can't be made.

    Mode bits stay. What can be seen beforehand is seen before the first file is replaced.
    """
    check_changes(changes)
    staged: list[tuple[Change, Path]] = []
    done: list[Change] = []
    try:
        staged.extend((change, _staged(change, change.after)) for change in changes)
        for change, draft in staged:
            _check(change)
            _put(change, draft)
            done.append(change)
    except (OSError, InputError) as error:
        for change in reversed(done):
            _undo(change)
        if isinstance(error, InputError):
            raise
        raise InputError(f"can't write {error.filename or change.path}: {error.strerror}") from None
    finally:
        for _, draft in staged:
            with suppress(OSError):
                draft.unlink(missing_ok=True)


def _check(change: Change) -> None:
    file = change.file
    if file.is_symlink():
        raise InputError(f"{change.path} is a link: nothing is written")
    root = file.parents[len(Path(change.path).parts) - 1]
    if not file.parent.resolve().is_relative_to(root.resolve()):
        raise InputError(f"{change.path} lies behind a link out of the project: nothing is written")
    if change.before is None:
        if os.path.lexists(file):
            raise InputError(f"{change.path} is there by now: nothing is written")
        return
    try:
        mode, now = file.stat().st_mode, file.read_bytes()
    except OSError as error:
        raise InputError(f"{change.path} can't be read any more ({error.strerror}): nothing is written") from None
    if now != change.before:
        raise InputError(f"{change.path} was changed since it was read: nothing is written")
    if not (mode & 0o222 and os.access(file, os.W_OK)):
        raise InputError(f"{change.path} is read-only: `chmod u+w {change.path}` lets it be written")


def _staged(change: Change, data: bytes) -> Path:
    """The data in a file beside the one that it is to replace, with its mode bits."""
    change.file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{change.file.name}.", dir=change.file.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft = Path(name)
    draft.chmod(stat.S_IMODE(change.file.stat().st_mode) if change.before is not None else 0o666 & ~_umask())
    return draft


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _put(change: Change, draft: Path) -> None:
    if change.before is None:
        os.link(draft, change.file)  # fails where somebody was quicker
    else:
        draft.replace(change.file)


def _undo(change: Change) -> None:
    with suppress(OSError):
        if change.before is None:
            change.file.unlink()
        else:
            _staged(change, change.before).replace(change.file)
