"""Files written into a folder of the user's: all of them or none, and no one's work replaced.

A record says by digest what tdgen wrote. A file is replaced or removed only while it is as tdgen wrote it; `overwrite`
also lets tdgen replace a file that it wrote and somebody has changed since. What tdgen never wrote is never touched;
`force` only lets it write beside that. An empty file says nothing that would be worth replacing another: it is written
where there is none, and once somebody has filled it it is theirs.

The record is written first, with the digests of the old and of the new files, and once more when all are there. So a
run that is killed in between leaves files that the next run knows as tdgen's.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from tdgen.errors import InputError

FORMAT: Final = 2
FOLDER: Final = ".tdgen"
RECORD: Final = f"{FOLDER}/record.json"
"""Where in a folder the record of what tdgen wrote there is."""
_STAGED: Final = ".tdgen-new"
_EMPTY: Final = sha256(b"").hexdigest()


class Record(NamedTuple):
    """What tdgen wrote: by each file's path its possible digests; `content` is what else the writer keeps there."""

    files: Mapping[str, tuple[str, ...]]
    content: Mapping[str, Any]

    @classmethod
    def of(cls, texts: Mapping[str, bytes], content: Mapping[str, Any]) -> Record:
        """The record of files that are written with these texts."""
        return cls({name: (_digest(text),) for name, text in texts.items()}, content)

    @property
    def text(self) -> str:
        """The record as its file holds it: JSON, a line for each entry, the same for the same record."""
        entries = {"format": FORMAT, "files": {name: list(self.files[name]) for name in sorted(self.files)}}
        dumped = json.JSONEncoder(separators=(",", ":")).encode
        lines = [f"{dumped(name)}: {dumped(value)}" for name, value in {**entries, **self.content}.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"


def read_record(path: Path) -> Record | None:
    """The record in a file; None where there is none, InputError where it can't be read."""
    try:
        entries = json.loads(path.read_bytes())
        if entries["format"] != FORMAT:
            raise InputError(f"{path} is of another version of tdgen: move it away, or name another folder")
        files = {str(name): tuple(map(str, digests)) for name, digests in entries["files"].items()}
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}") from None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise InputError(f"{path} is no record that tdgen wrote: move it away, or name another folder") from None
    return Record(files, {name: value for name, value in entries.items() if name not in ("format", "files")})


class Place:
    """A folder that tdgen writes files to, and the record of what it wrote there."""

    def __init__(
        self,
        folder: Path,
        *,
        record: Path | None = None,
        force: bool = False,
        overwrite: bool | None = None,
        spares_empty: bool = True,
    ) -> None:
        """`record` is the record's path where it is not in the folder; for the rest see the module's docstring.

        None for `overwrite` says that the user is not offered it. Unless `spares_empty`, an empty file may be replaced.
        """
        self.folder = folder
        self.record_path = record or folder / RECORD
        self._spares_empty = spares_empty
        self._force = force
        self._overwrite = overwrite

    def record(self) -> Record | None:
        """What the record says; InputError where it can't be read."""
        return read_record(self.record_path)

    def changed(self) -> list[str]:
        """The files that are there and no longer as tdgen wrote them."""
        record = self.record()
        return [name for name, digests in self._owned(record).items() if self._differs(name, digests)]

    def _owned(self, record: Record | None) -> dict[str, tuple[str, ...]]:
        """The files that are tdgen's, with their digests: those of the record less the empty ones that were filled."""
        files = record.files if record else {}
        return {n: digests for n, digests in files.items() if set(digests) != {_EMPTY} or not self._differs(n, digests)}

    def check(self, *names: str) -> None:
        """InputError where files can't be written there, or only in place of what somebody wrote.

        `names` are files that are to be written for certain. Ask before any work is paid for.
        """
        if not self.folder.exists():
            _check_writable(self.folder)
            return
        with self._held():
            self._check(names)

    def _check(self, names: Iterable[str] = ()) -> None:
        """The same of a folder that is there and held, so that nobody writes between the two looks."""
        record = self.record()
        if record is None and not self._force and self.folder.is_dir() and others_in(self.folder):
            raise InputError(
                f"{self.folder} holds other files: name another folder, or add --force to write beside them"
            )
        if not self._overwrite and (changed := self.changed()):
            raise self._changed(self.folder / changed[0])
        for name in names:
            self._check_place(name, None, record.files.get(name, ()) if record else ())
        _check_writable(self.folder)

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Hold the folder against others that write there now."""
        if not self.folder.is_dir():
            raise InputError(f"{self.folder} is a file: name a folder, or end the name in .py for the module alone")
        try:
            lock = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise InputError(f"{self.folder} can't be read: {error.strerror}") from None
        try:
            with suppress(OSError):  # of a disk that knows no locks
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def write(
        self,
        files: Mapping[str, str],
        content: Mapping[str, Any] | None = None,
        *,
        dispensable: Collection[str] = (),
    ) -> list[str]:
        """Write `files` (texts by relative path) and the record, and give the paths; InputError where that can't be.

        What an earlier writing left and `files` has no more is removed, where it is as tdgen wrote it. A dispensable
        file gives way to one that is there.
        """
        try:
            texts = {name: text.encode() for name, text in files.items()}
        except UnicodeError:
            raise InputError(f"can't write to {self.folder}: it holds text that is no valid Unicode") from None
        try:
            if not self.folder.exists():
                self.folder.mkdir(parents=True, exist_ok=True)
            with self._held():
                self._check()
                return self._replace(texts, content or {}, dispensable)
        except OSError as error:
            raise InputError(f"can't write to {self.folder}: {error.strerror}") from None
        finally:
            with suppress(OSError):
                self.folder.rmdir()  # only where it is empty: nothing could be written

    def _replace(self, texts: dict[str, bytes], content: Mapping[str, Any], dispensable: Collection[str]) -> list[str]:
        known = self._owned(self.record())
        for name in [name for name, text in texts.items() if name in dispensable or not text]:
            if name not in known and os.path.lexists(self.folder / name):
                del texts[name]
        for name, text in texts.items():
            self._check_place(name, text, known.get(name, ()))
        stale = [name for name in known if name not in texts and not self._differs(name, known[name])]
        new = Record.of(texts, content)
        either = {name: new.files.get(name, ()) + known.get(name, ()) for name in {*new.files, *known}}
        self._move(texts, stale, [Record(either, content).text, new.text])
        return sorted(texts)

    def _move(self, texts: Mapping[str, bytes], stale: Sequence[str], records: Sequence[str]) -> None:
        """Write everything beside its place, then move it there: what the disk has no room for changes nothing."""
        staged = self.folder / _STAGED
        drafts = [self.record_path.with_name(f"{self.record_path.name}.{number}") for number in range(len(records))]
        shutil.rmtree(staged, ignore_errors=True)  # of a run that was killed
        try:
            for name, text in texts.items():
                _write(staged / name, text)
            for draft, record in zip(drafts, records, strict=True):
                _write(draft, record.encode())
            drafts[0].replace(self.record_path)
            for name in texts:
                (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
                (staged / name).replace(self.folder / name)
            for name in stale:
                # Remove a file, and the folders that are empty then
                (self.folder / name).unlink(missing_ok=True)
                with suppress(OSError):
                    for above in _above(name):
                        (self.folder / above).rmdir()
            drafts[1].replace(self.record_path)
        finally:
            shutil.rmtree(staged, ignore_errors=True)
            for draft in drafts:
                draft.unlink(missing_ok=True)
            with suppress(OSError):
                self.record_path.parent.rmdir()  # only where it is empty

    def _check_place(self, name: str, text: bytes | None, known: tuple[str, ...]) -> None:
        """InputError where what lies in the place of a file is not tdgen's to replace by `text`."""
        path = self.folder / name
        for above in _above(name):
            if (self.folder / above).is_symlink() or (self.folder / above).is_file():
                raise InputError(f"{self.folder / above} is no folder, where one is to be written to: move it away")
        if not os.path.lexists(path):
            return
        if path.is_symlink() or not path.is_file():
            what = "a link" if path.is_symlink() else "a folder" if path.is_dir() else "no plain file"
            raise InputError(f"{path} is {what}, where a file is to be written: move it away, or name another place")
        content = path.read_bytes()
        if not (content or self._spares_empty):
            return
        digest = _digest(content)
        if digest in known or (text is not None and digest == _digest(text)):
            return
        if not known:
            raise InputError(f"{path} is there, and not as tdgen wrote it: move it away, or name another place")
        if not self._overwrite:
            raise self._changed(path)

    def _changed(self, path: Path) -> InputError:
        advice = "move it away, or name another place" + ", or add --overwrite to replace it" * (
            self._overwrite is False
        )
        return InputError(f"{path} was changed since tdgen wrote it: {advice}")

    def _differs(self, name: str, digests: tuple[str, ...]) -> bool:
        """Whether there is something of that name, and not as tdgen wrote it."""
        path = self.folder / name
        if not os.path.lexists(path):
            return False
        # A record may be somebody else's: what lies elsewhere is not tdgen's.
        if not is_inside(name) or any((self.folder / place).is_symlink() for place in (*_above(name), Path(name))):
            return True
        return not path.is_file() or _digest(path.read_bytes()) not in digests


def save_file(path: Path, text: str, *, record: Path, overwrite: bool = False) -> None:
    """Write one file, whole; InputError where that can't be. An empty one that is there has nothing to lose.

    The record is one of this file alone. Where it can't be kept the file is written all the same, and never replaced.
    """
    with tempfile.TemporaryDirectory(prefix="tdgen-record-") as scratch:
        try:
            _check_writable(record.parent)
        except InputError:
            record = Path(scratch, record.name)
        _alone(path, record, overwrite=overwrite).write({path.name: text})


def check_file(path: Path, *, record: Path, overwrite: bool = False) -> None:
    """InputError where `save_file` can't write there, whatever it is to write."""
    _alone(path, record, overwrite=overwrite).check(path.name)


def _alone(path: Path, record: Path, *, overwrite: bool) -> Place:
    return Place(path.parent, record=record, force=True, overwrite=overwrite, spares_empty=False)


def write_file(path: Path, text: str) -> None:
    """Write one file of tdgen's own, whole, in place of what was there; InputError where that can't be."""
    draft = path.with_name(f".{path.name}.new")
    try:
        _write(draft, text.encode())
        draft.replace(path)
    except OSError as error:
        raise InputError(f"can't write {path}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def others_in(folder: Path) -> list[str]:
    """What a folder holds beside tdgen's record; InputError where it can't be looked into."""
    try:
        return sorted(path.name for path in folder.iterdir() if path.name not in (FOLDER, _STAGED))
    except OSError as error:
        raise InputError(f"{folder} can't be read: {error.strerror}") from None


def _check_writable(folder: Path) -> None:
    """Found by trying: the nearest folder that exists takes a temporary file."""
    nearest = folder.absolute()
    while not nearest.exists():
        nearest = nearest.parent
    try:
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except OSError as error:
        raise InputError(f"can't write to {folder}: {error.strerror}") from None


def _write(path: Path, text: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)


def is_inside(name: str) -> bool:
    """Whether a relative path stays in the folder that it starts from."""
    path = Path(name)
    return not path.is_absolute() and ".." not in path.parts


def _above(name: str) -> tuple[Path, ...]:
    """The folders that a relative path leads through, the innermost first."""
    return tuple(Path(name).parents)[:-1]


def _digest(text: bytes) -> str:
    return sha256(text).hexdigest()
