"""What a run remembers of rows: which lines are finished, and where the row stands of what was asked before.

A number of 64 bits for each line and a place in the file for each thing that was asked: no texts are held, so that
ten thousand lines take a megabyte or two.
"""

from __future__ import annotations

from collections.abc import Iterable

from tdgen.batch.lines import Line, mark_of
from tdgen.batch.results import Results
from tdgen.batch.row import Row, twin_row
from tdgen.batch.summary import BatchCounts


class Memory:
    """The rows of a folder, earlier runs' and this one's; each is counted in the tally."""

    def __init__(self, results: Results, tally: BatchCounts, *, tries_stopped: bool = False) -> None:
        """Take in what earlier runs finished; rows of lines that must be tried again are left out of the file."""
        self._results = results
        self._tally = tally
        self._finished: set[int] = set()
        self._taken: set[int] = set()
        self._twins: dict[int, int] = {}
        results.keep(lambda row: row.is_final and not (tries_stopped and row.outcome == "stopped"))
        for offset, row in results.rows():
            self._finished.add(row.mark)
            self._count(row, offset)

    def is_finished(self, mark: int) -> bool:
        """Whether an earlier run finished that very line."""
        return mark in self._finished

    def is_taken(self, line: Line) -> bool:
        """Whether a line before it has its id; from now on it is taken."""
        mark = mark_of(line.id, "")
        taken = mark in self._taken
        self._taken.add(mark)
        return taken

    def add(self, rows: Iterable[Row]) -> None:
        """Rows have ended: they are on the disk when this returns."""
        rows = list(rows)
        for row, offset in zip(rows, self._results.append(rows), strict=True):
            self._count(row, offset)

    def twin_row(self, line: Line, twin: str) -> Row | None:
        """The row of a line that asks for what is answered already; None where nobody asked."""
        offset = self._twins.get(_short(twin))
        if offset is None:
            return None
        first = self._results.row_at(offset)
        return twin_row(line, first) if first.twin == twin else None

    def _count(self, row: Row, offset: int) -> None:
        self._tally.add(row)
        if row.twin and row.is_final:
            self._twins.setdefault(_short(row.twin), offset)


def _short(twin: str) -> int:
    return int(twin[-16:], 16)
