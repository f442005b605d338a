"""Changes of a project's files made all or none, also where the process is killed between two files.

A record is laid down first, with the digests of each file before and after. What is to be written is then put beside
each file's place, and moved there at the end. Who finds a record whose writer is gone takes back what it began, or
finishes it where a file was replaced already; where somebody edited one of the files since, all is left as it is.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import shlex
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from tdgen.errors import InputError
from tdgen.files.saving import Record, is_inside, read_record
from tdgen.project.edit import Change

RECORD: Final = ".tdgen-changes.json"
"""The record's name at the project's root; it is there only while files are written."""
_ANOTHER: Final = "another command of tdgen writes to this project right now: give this one again"


def check_writable(file: Path, path: str) -> None:
    """InputError where a file of a project, called so there, is a link or read-only; none that is not there."""
    if file.is_symlink():
        raise InputError(f"{path} is a link: nothing is written")
    if file.exists() and not (file.stat().st_mode & 0o222 and os.access(file, os.W_OK)):
        raise InputError(f"{path} is read-only: `chmod u+w {path}` lets it be written")


def apply_changes(changes: Sequence[Change], patch: Path | None = None) -> None:
    """Make the changes, all of them or none; InputError, with nothing changed, where one can't be made.

    Mode bits stay. What can be seen beforehand is seen before the first file is replaced. `patch` is the file that
    holds the changes, which is told where the process is killed.
    """
    if not changes:
        return
    root = project_of(changes[0].file, changes[0].path)
    finish_changes(root)
    for change in changes:
        _check(change)
    token = secrets.token_hex(4)
    files = {one.path: (_digest(one.before), _digest(one.after)) for one in changes}
    with _recorded(root, Record(files, {"token": token, "patch": str(patch or "")})):
        _make(changes, token)


def _make(changes: Sequence[Change], token: str) -> None:
    done: list[Change] = []
    try:
        for change in changes:
            _stage(change, token)
        for change in changes:
            _check(change)
            _put(change.file, token, is_new=change.before is None)
            done.append(change)
        for folder in {change.file.parent for change in changes}:
            _sync_folder(folder)
    except BaseException as error:
        for change in reversed(done):
            with suppress(OSError):
                if change.before is None:
                    change.file.unlink()
                else:
                    _stage(change, token, change.before)
                    _put(change.file, token, is_new=False)
        if not isinstance(error, OSError):
            raise
        raise InputError(f"can't write {error.filename or change.path}: {error.strerror}") from None
    finally:
        for change in changes:
            with suppress(OSError):
                _draft(change.file, token).unlink(missing_ok=True)


@contextmanager
def _recorded(root: Path, record: Record) -> Iterator[None]:
    """The record, complete and on the disk, while something is done; who finds it meanwhile waits."""
    path = root / RECORD
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    except FileExistsError:
        raise InputError(_ANOTHER) from None
    except OSError as error:
        raise InputError(f"can't write {path}: {error.strerror}") from None
    with os.fdopen(handle, "wb") as file:
        if not _is_locked(path, handle):
            raise InputError(_ANOTHER)
        try:
            file.write(record.text.encode())
            file.flush()
            os.fsync(file.fileno())
            _sync_folder(root)
            yield
        finally:
            path.unlink(missing_ok=True)


def finish_changes(root: Path) -> str:
    """Take back, or finish, what a process was killed in while it wrote to the project; what that was, in a line.

    Empty where nothing was left. Who writes there now is waited for. InputError where it can't be finished.
    """
    path = root / RECORD
    try:
        while True:
            with path.open("rb") as held:
                if _is_locked(path, held.fileno()):
                    sentence = _finished(root, path)
                    path.unlink()
                    return sentence
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise InputError(f"{path}: what a command was cut off in can't be finished: {error.strerror}") from None


def _is_locked(path: Path, handle: int) -> bool:
    """Wait for an open file's lock; whether it is still the one of that path: its writer may have ended meanwhile."""
    with suppress(OSError):  # of a disk that knows no locks
        fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def _finished(root: Path, path: Path) -> str:
    try:
        record = read_record(path)
    except InputError:  # whoever wrote it was killed before it was whole: nothing else was begun
        record = None
    if record is None or any(len(digests) != 2 for digests in record.files.values()):
        return ""
    token, patch = str(record.content.get("token")), str(record.content.get("patch"))
    files = {root / name: digests for name, digests in record.files.items() if _is_own(root, name)}
    now = {file: _digest_of(file) for file in files}
    written = [file for file, (_, after) in files.items() if now[file] == after]
    left = [file for file, (before, _) in files.items() if file not in written and now[file] == before]
    is_ready = all(_digest_of(_draft(file, token)) == files[file][1] for file in left)
    is_known = len(written) + len(left) == len(files)
    try:
        if written and is_known and is_ready:
            for file in left:
                _put(file, token, is_new=not now[file])
    finally:
        for file in files:
            _draft(file, token).unlink(missing_ok=True)
    if len(left) == len(files):
        return "a command was cut off before it wrote a file: nothing of it is written; give it again"
    if is_known and is_ready:
        back = f"; to take it back: patch -R -p1 -d {shlex.quote(str(root))} -i {shlex.quote(patch)}" * bool(patch)
        return f"finished what a command was cut off in: wrote {', '.join(record.files)}{back}"
    edited = ", ".join(str(file.relative_to(root)) for file in files if file not in (*written, *left))
    rest = f"; all that was to be written is in {patch}" * bool(patch)
    return f"a command was cut off while it wrote, and {edited or 'a draft'} was edited since: it is left so{rest}"


def _is_own(root: Path, name: str) -> bool:
    """Whether a path of a record, which may be somebody else's, leads to a file in the project."""
    file = root / name
    return is_inside(name) and not file.is_symlink() and file.parent.resolve().is_relative_to(root.resolve())


def project_of(file: Path, path: str) -> Path:
    """The root of the project in which a file is called `path`."""
    return file.parents[len(Path(path).parts) - 1]


def _check(change: Change) -> None:
    file = change.file
    check_writable(file, change.path)
    if not file.parent.resolve().is_relative_to(project_of(file, change.path).resolve()):
        raise InputError(f"{change.path} lies behind a link out of the project: nothing is written")
    if change.before is None:
        if os.path.lexists(file):
            raise InputError(f"{change.path} is there by now: nothing is written")
        return
    try:
        now = file.read_bytes()
    except OSError as error:
        raise InputError(f"{change.path} can't be read any more ({error.strerror}): nothing is written") from None
    if now != change.before:
        raise InputError(f"{change.path} was changed since it was read: nothing is written")


def _draft(file: Path, token: str) -> Path:
    """Where a file's new text is until it is moved into its place."""
    return file.with_name(f".{file.name}.{token}")


def _stage(change: Change, token: str, data: bytes | None = None) -> None:
    """Put what is to be written (or `data`) beside its place, with the mode bits of the file that it replaces."""
    change.file.parent.mkdir(parents=True, exist_ok=True)
    mode = stat.S_IMODE(change.file.stat().st_mode) if change.before is not None else 0o666
    handle = os.open(_draft(change.file, token), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    with os.fdopen(handle, "wb") as file:
        if change.before is not None:
            os.fchmod(handle, mode)  # the umask is for what is new
        file.write(change.after if data is None else data)
        file.flush()
        os.fsync(handle)


def _put(file: Path, token: str, *, is_new: bool) -> None:
    if is_new:
        os.link(_draft(file, token), file)  # fails where somebody was quicker
    else:
        _draft(file, token).replace(file)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _digest(data: bytes | None) -> str:
    """A digest; empty for a file that is not there."""
    return "" if data is None else sha256(data).hexdigest()


def _digest_of(file: Path) -> str:
    try:
        return _digest(file.read_bytes())
    except FileNotFoundError:
        return ""
