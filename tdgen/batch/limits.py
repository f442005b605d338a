"""One line of a batch solved, and what holds a batch back: an endpoint that is down, the rate, memory.

A line's work is a task that travels: to a thread here, to another process, or to another machine. A worker process has
one generator for all tasks with the same settings, so that its sandbox stays warm; it ends with the process. What holds
over all workers of a batch, wherever they are, is what lies in the cache's folder: locks, solutions, and journals. Rate
limits (`rpm`, `concurrency`) hold in each process for itself.

Of rows the run remembers which lines are finished, and where the row stands of what was asked before: 64 bits for each
line and a place in the file for each thing that was asked. No texts are held, so that ten thousand lines take a
megabyte or two.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from tdgen.batch.lines import Line, folder_name, mark_of
from tdgen.batch.results import BatchCounts, Results, Row, failed_row, solved_row, twin_row
from tdgen.client import Generator, Handed
from tdgen.errors import TdgenError, UnreachableError
from tdgen.events import BudgetTold, Event, Noted
from tdgen.settings import Settings
from tdgen.settings.base import parse_budget
from tdgen.solution import Solution
from tdgen.types import Usage

PATIENCE: Final = 5


@dataclass(eq=False)
class CircuitBreaker:
    """Watches rows as they end; `reason` says why the run should begin no more lines, `exit_code` how it ends.

    So many (`PATIENCE`) failures in a row for one reason are enough at a run's beginning; later only where nobody was
    reachable, so that lines which are themselves at fault stop nobody. Where nobody was for any line, however few, the
    exit code says so.
    """

    reason: str = ""
    exit_code: int = 0
    _alike: int = 0
    _last: str = ""
    _has_worked: bool = False
    _reached_any: bool = False

    def take(self, row: Row) -> None:
        """Count a row that ended in a worker."""
        unreachable = row.outcome == "failed" and row.exit_code == UnreachableError.exit_code
        self._reached_any = self._reached_any or not unreachable
        if not self.reason:
            self.exit_code = 0 if self._reached_any else UnreachableError.exit_code
        if row.outcome != "failed":
            self._has_worked, self._alike = True, 0
            return
        self._alike = self._alike + 1 if row.reason == self._last or not self._alike else 1
        self._last = row.reason
        if self._alike >= PATIENCE and (unreachable or not self._has_worked) and not self.reason:
            self.reason, self.exit_code = row.reason, row.exit_code


WINDOW: Final = 200
WINDOW_S: Final = 120.0


class Pace:
    """The rate of what ended lately: lines from the cache at a run's beginning soon say nothing of those to come."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._ends: deque[float] = deque([self._began], maxlen=WINDOW)

    def tick(self) -> None:
        """A line has ended."""
        self._ends.append(self._clock())

    @property
    def seconds(self) -> float:
        """Seconds since the beginning."""
        return self._clock() - self._began

    @property
    def rate(self) -> float:
        """Lines a second, lately; 0 before the first one ended."""
        now = self._clock()
        while len(self._ends) > 2 and self._ends[0] < now - WINDOW_S:
            self._ends.popleft()
        since = now - self._ends[0]
        return (len(self._ends) - 1) / since if since > 0 else 0.0

    def to_go(self, lines: int) -> float | None:
        """Seconds that so many lines will take; None where nothing is known yet."""
        rate = self.rate
        return lines / rate if rate else None


class Memory:
    """The rows of a folder, earlier runs' and this one's; each is counted in the tally."""

    def __init__(self, results: Results, tally: BatchCounts, *, tries_stopped: bool = False) -> None:
        """Take in what earlier runs finished; rows of lines that must be tried again are left out of the file."""
        self._results = results
        self._tally = tally
        self.finished: set[int] = set()
        self._taken: set[int] = set()
        self._twins: dict[int, int] = {}
        results.keep(lambda row: row.is_final and not (tries_stopped and row.outcome == "stopped"))
        for offset, row in results.rows():
            self.finished.add(row.mark)
            self._count(row, offset)

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
    """64 bits of a digest: with whole ones the memory would not stay small."""
    return int(twin[-16:], 16)


class Task(NamedTuple):
    """A line, the source of its own tests, and whether the whole solution is wanted back. Picklable.

    `under` are settings beside those that the line itself names, such as where its transcript goes. `run` names the
    batch's run, as `Generator.under` has it. `looked_up`: together with others it was, and is not kept.
    """

    line: Line
    tests: str
    wants_solution: bool = False
    under: Mapping[str, Any] | None = None
    run: str = ""
    looked_up: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether the batch's settings and the line's words alone decide under which key it is kept."""
        return not (self.line.tests or self.line.trust or self.under)


class Done(NamedTuple):
    """A line's row, and its solution where that is wanted. Picklable."""

    row: Row
    solution: Solution | None = None


def changes(task: Task, settings: Settings) -> dict[str, Any]:
    """The settings that are the line's own; a transcript of many lines is a folder for each of them."""
    line, changed = task.line, dict(task.under or {})
    if settings.transcript and "transcript" not in changed:
        changed["transcript"] = str(Path(settings.transcript, folder_name(line.id)))
    if line.trust:
        changed["trust"] = line.trust
    if line.budget:
        changed["budget"] = settings.budget.model_copy(update=parse_budget(line.budget))
    return changed


def solve_task(generator: Generator, task: Task) -> Done:
    """Solve one line; whatever goes wrong with it is in its row."""
    began = time.monotonic()
    notes: list[str] = []
    spent = Usage()

    def note(event: Event) -> None:
        nonlocal spent
        if isinstance(event, Noted) and len(notes) < 20:
            notes.append(event.text[:300])
        if isinstance(event, BudgetTold):
            spent = event.usage

    try:
        its_own = generator.under(on_event=note, run=task.run, **changes(task, generator.settings))
        solution = its_own.solve(task.line.instruction, Handed(tests=task.tests), looked_up=task.looked_up)
        row = solved_row(task.line, solution, time.monotonic() - began, tuple(notes))
        return Done(row, solution if task.wants_solution else None)
    except Exception as error:  # noqa: BLE001 - one line's failure, a bug's too, never stops the others
        row = failed_row(task.line, error, time.monotonic() - began)
        return Done(row.model_copy(update={"usage": spent}))


def look_up(generator: Generator, tasks: Sequence[Task]) -> list[Done | None]:
    """What is kept of some lines, many looked at together; None for a line that is to be solved."""
    began = time.monotonic()
    kept = iter(generator.kept_many([task.line.instruction for task in tasks if task.is_plain]))
    solutions = [next(kept) if task.is_plain else None for task in tasks]
    seconds = (time.monotonic() - began) / len(tasks)
    return [
        Done(solved_row(task.line, solution, seconds), solution if task.wants_solution else None) if solution else None
        for task, solution in zip(tasks, solutions, strict=True)
    ]


def solve_elsewhere(settings: Settings, task: Task) -> Done:
    """As `solve_task`, in a worker of any executor: the process's own generator solves it."""
    try:
        with HERE.generator(settings) as generator:
            return solve_task(generator, task)
    except TdgenError as error:
        return Done(failed_row(task.line, error))


def look_up_elsewhere(settings: Settings, tasks: Sequence[Task]) -> list[Done | None]:
    """As `look_up`, in a worker of any executor. What goes wrong there each line is told by itself."""
    try:
        with HERE.generator(settings) as generator:
            return look_up(generator, tasks)
    except TdgenError:
        return [None for _ in tasks]


class _Opened:
    """A generator, and how many tasks it is solving."""

    def __init__(self, settings: Settings) -> None:
        self.generator = Generator(settings)
        self.settings = settings
        self.tasks = 0


@dataclass(eq=False)
class _Process:
    """The generator of this process, as long as the settings stay the same; safe to use from several threads."""

    _lock: threading.RLock = field(default_factory=threading.RLock)
    _opened: _Opened | None = None

    @contextmanager
    def generator(self, settings: Settings) -> Iterator[Generator]:
        """The generator with these settings, for one task; one of others is closed when its last task has ended."""
        with self._lock:
            if self._opened is None or self._opened.settings != settings:
                self.close()
                self._opened = _Opened(settings)
            mine = self._opened
            mine.tasks += 1
        try:
            yield mine.generator
        finally:
            with self._lock:
                mine.tasks -= 1
                if mine is not self._opened and not mine.tasks:
                    mine.generator.close()

    def close(self) -> None:
        """Close it, now or when its last task has ended."""
        with self._lock:
            opened, self._opened = self._opened, None
            if opened is not None and not opened.tasks:
                opened.generator.close()


HERE: Final = _Process()
"""What tasks that were sent to this process are solved with: an executor hands a task nothing of its own."""
