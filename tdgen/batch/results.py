"""`results.jsonl`: a row for each line that has ended, on the disk before the next one is waited for.

A row that a kill or a full disk tore in two was never finished: it is cut off, and its line is done again.

What a batch came to: counts, cost, and the figures of its own cases, added up row by row.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pydantic import Field, ValidationError
from pydantic_core import PydanticSerializationError

from tdgen.batch.row import Row
from tdgen.errors import InputError
from tdgen.metrics import Sums
from tdgen.types import Frozen, Usage

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


class Summary(Frozen):
    """What a batch came to; all of it over every row of `results.jsonl`, earlier runs' too.

    `outcomes` counts lines by how they ended, `missing` those that have not ended. `cached` and `twins` were free.
    `figures` are those of `tdgen.metrics`, measured by each line's own cases: ESR is then the share of green lines.
    `stopped` says why the run ended before its lines did, and `seconds` how long this run took.
    """

    lines: int
    outcomes: dict[str, int]
    missing: int = 0
    cached: int = 0
    twins: int = 0
    usage: Usage = Usage()
    figures: dict[str, Any] = Field(default_factory=dict)
    seconds: float = 0.0
    stopped: str = ""
    exit_code: int = 0

    @property
    def all_green(self) -> bool:
        """Whether every line ended green."""
        return not self.missing and self.outcomes.get("green", 0) == self.lines


@dataclass
class BatchCounts:
    """Rows added up; however many there are, this stays as small."""

    outcomes: Counter[str] = field(default_factory=Counter)
    cached: int = 0
    twins: int = 0
    usage: Usage = field(default_factory=Usage)
    sums: Sums = field(default_factory=Sums)

    @property
    def ended(self) -> int:
        """How many lines have ended."""
        return self.outcomes.total()

    def add(self, row: Row) -> None:
        """Count a row in."""
        self.outcomes[row.outcome] += 1
        self.cached += row.cached
        self.twins += bool(row.twin_of)
        self.usage += row.usage
        if row.outcome != "malformed":
            self.sums.add(row.task())

    def summary(
        self, lines: int, missing: int = 0, *, seconds: float = 0.0, stopped: str = "", exit_code: int = 0
    ) -> Summary:
        """What all of it came to, of so many lines, of which so many have not ended."""
        green = not missing and self.outcomes["green"] == self.ended
        return Summary(
            lines=lines,
            outcomes=dict(self.outcomes),
            missing=missing,
            cached=self.cached,
            twins=self.twins,
            usage=self.usage,
            figures=self._figures(),
            seconds=round(seconds, 3),
            stopped=stopped,
            exit_code=exit_code or (0 if green else 1),
        )

    def _figures(self) -> dict[str, Any]:
        found = self.sums.figures()
        esr = {"part": found.esr.part, "whole": found.esr.whole, "interval": list(found.esr.interval)}
        names = ("ari", "ied", "fed", "err", "calls", "tokens", "seconds")
        return {"esr": esr} | {name: round(getattr(found, name), 6) for name in names}
