"""`results.jsonl`: a row for each line that has ended, on the disk before the next one is waited for.

A row that a kill or a full disk tore in two was never finished: it is cut off, and its line is done again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from tdgen.batch.row import Row
from tdgen.errors import InputError

_PIECE: Final = 65_536


class Results:
    """The file of results, open for appending. Whoever opens it sees to it that nobody else does."""

    def __init__(self, path: Path) -> None:
        """Open the file, making it where it is not there; InputError where it can't be written."""
        self._path = path
        self._descriptor = -1
        self._end = 0
        with self._explained():
            _mend(path)
            self._open()

    def rows(self) -> Iterator[tuple[int, Row]]:
        """Where each row begins, and the row; InputError where one can't be read."""
        with self._explained(), self._path.open("rb") as file:
            offset = 0
            for number, text in enumerate(file, start=1):
                yield offset, self._read(text, number)
                offset += len(text)

    def row_at(self, offset: int) -> Row:
        """The row that begins there."""
        with self._explained(), self._path.open("rb") as file:
            file.seek(offset)
            return self._read(file.readline(), 0)

    def append(self, rows: Iterable[Row]) -> list[int]:
        """Write rows, and give where each begins; they are on the disk when this returns.

        InputError where that can't be: what was written before them stays.
        """
        texts = [_text(row) for row in rows]
        content = b"".join(texts)
        try:
            with self._explained():
                left = memoryview(content)
                while left:
                    left = left[os.write(self._descriptor, left) :]
                os.fsync(self._descriptor)
        except InputError:
            with suppress(OSError):
                os.truncate(self._path, self._end)
            raise
        offsets = [self._end + sum(map(len, texts[:place])) for place in range(len(texts))]
        self._end += len(content)
        return offsets

    def keep(self, wanted: Callable[[Row], bool]) -> None:
        """Leave out the rows that are not wanted, for good: the file is written anew, whole or not at all."""
        if all(wanted(row) for _, row in self.rows()):
            return
        draft = self._path.with_suffix(".draft")
        with self._explained():
            with draft.open("wb") as file:
                file.writelines(_text(row) for _, row in self.rows() if wanted(row))
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self._path)
            self.close()
            self._open()

    def close(self) -> None:
        """Close the file. Closing twice is allowed."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _open(self) -> None:
        # Without a buffer: what a full disk refused must not be written later.
        self._descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        self._end = os.fstat(self._descriptor).st_size

    def _read(self, text: bytes, number: int) -> Row:
        try:
            return Row.model_validate_json(text)
        except ValidationError:
            where = f"line {number} of {self._path}" if number else str(self._path)
            raise InputError(f"{where} is no row that this version of tdgen reads: --force begins anew") from None

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            safe = "what is finished is safe, and the same command goes on from it"
            raise InputError(f"{self._path} can't be written: {error.strerror}; {safe}") from None


def _mend(path: Path) -> None:
    """Cut off what stands after the last whole row."""
    if not path.exists():
        return
    with path.open("r+b") as file:
        whole = end = file.seek(0, os.SEEK_END)
        while whole:
            begin = max(0, whole - _PIECE)
            file.seek(begin)
            last = file.read(whole - begin).rfind(b"\n")
            whole = begin + last + 1
            if last >= 0:
                break
        if whole < end:
            file.truncate(whole)


def _text(row: Row) -> bytes:
    """A row as a line; a lone surrogate, which JSON can't carry, becomes a question mark."""
    try:
        return row.model_dump_json().encode() + b"\n"
    except PydanticSerializationError:
        plain = json.dumps(row.model_dump(), ensure_ascii=False).encode("utf-8", "replace")
        return plain + b"\n"
