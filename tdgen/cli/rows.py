"""How far a batch or an evaluation is, told row by row: what did not end green at once, the whole now and then."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from tdgen.terminal.output import dollars, is_terminal, one_line, say
from tdgen.types import Usage

if TYPE_CHECKING:
    from tdgen.batch.results import Row
    from tdgen.batch.running import OnRow

DRAW_S: Final = 0.2  # five pictures a second look alive
TELL_S: Final = 30.0  # between two lines of a log that nobody watches; a judgement
_OF_STORE: Final = ("the shared store at ", "passed over")
"""What is in the notes of rows that tell of trouble with a team's store: it concerns the whole run."""


@contextmanager
def watched(*, quiet: bool = False) -> Iterator[OnRow]:
    """What hears the rows while the block runs."""
    if quiet:
        yield lambda row, ended, total: None
        return
    watch = Watch(live=is_terminal(sys.stderr))
    try:
        yield watch.take
    finally:
        watch.close()


class Watch:
    """Tells of each line that did not end green, and of the whole as often as one can read it."""

    def __init__(self, *, live: bool) -> None:
        from tdgen.batch.limits import Pace

        self._live = live
        self._pace = Pace()
        self._outcomes: Counter[str] = Counter()
        self._spent = Usage()
        self._told = time.monotonic()
        self._noted: set[str] = set()

    def take(self, row: Row, ended: int, total: int) -> None:
        """A line has ended."""
        self._pace.tick()
        self._outcomes[row.outcome] += 1
        self._spent += row.usage
        if row.outcome != "green":
            self._erase()
            say(one_line(f"{row.outcome:<9} line {row.line} {row.id}: {row.reason}", 400), "bad")
        for note in row.notes:
            if note not in self._noted and any(part in note for part in _OF_STORE):
                self._noted.add(note)
                self._erase()
                say(one_line(f"note      line {row.line} {row.id}: {note}", 400), "bad")
        now = time.monotonic()
        if now - self._told >= (DRAW_S if self._live else TELL_S):
            self._told = now
            to_go = self._pace.to_go(total - ended)
            text = status(self._outcomes, self._spent, self._pace.rate, ended, total, to_go)
            if self._live:
                sys.stderr.write(f"\r\x1b[K{text}")
                sys.stderr.flush()
            else:
                say(text, "faint")

    def close(self) -> None:
        """Leave no half-told line behind."""
        self._erase()

    def _erase(self) -> None:
        if self._live:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def status(outcomes: Counter[str], spent: Usage, rate: float, ended: int, total: int, to_go: float | None) -> str:
    """`120 of 1,000 · 117 green, 3 red · 2.1 lines/s · $0.42 · 7:00 to go`."""
    counts = ", ".join(f"{number:,} {name}" for name, number in outcomes.items())
    money = dollars(spent.cost) if spent.cost is not None else f"{spent.tokens:,} tokens"
    parts = [f"{ended:,} of {total:,}", counts, f"{rate:.3g} lines/s", money]
    if to_go is not None and total > ended:
        parts.append(f"{clock(to_go)} to go")
    return " · ".join(filter(None, parts))


def clock(seconds: float) -> str:
    """`0:07`, `12:40`, `3:02:11`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
