"""The loop: a window of lines in flight, each finished one written down before the next is waited for."""

from __future__ import annotations

import gc
import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any, Final, NamedTuple

from tdgen.batch.limits import (
    CircuitBreaker,
    Done,
    Memory,
    Task,
    look_up,
    look_up_elsewhere,
    solve_elsewhere,
    solve_task,
)
from tdgen.batch.lines import Line, Malformed, examine, read_lines
from tdgen.batch.output import Output, Stamp
from tdgen.batch.results import BatchCounts, Row, Summary, failed_row, malformed_row
from tdgen.client import Generator
from tdgen.errors import InputError, UnreachableError
from tdgen.files.saving import write_file
from tdgen.settings import Settings
from tdgen.specs.instruction import read_instruction
from tdgen.types import digest

TICK_S: Final = 0.5
SHARE: Final = 64
"""So many lines are looked up together: enough that what a look takes by itself no longer shows."""
AHEAD: Final = 3
"""So many looks at once in one process: one is judged, one is read or written, and one has come."""
MOST_AHEAD: Final = 16
"""The same over all processes: what is read ahead stays small however many there are."""
LONGEST_TESTS: Final = 1_000_000
INTERRUPTED: Final = 130

OnRow = Callable[[Row, int, int], None]
"""Told of each row when it is on the disk, with how many lines have ended and how many there are (0: unknown)."""


Under = Callable[[Line], Mapping[str, Any]]


def run_file(
    path: Path,
    folder: Path,
    *,
    settings: Settings,
    generator: Generator | None = None,
    executor: Executor | None = None,
    at_once: int | None = None,
    folders: bool = False,
    force: bool = False,
    resume: bool = False,
    on_row: OnRow | None = None,
    stop: Event | None = None,
) -> Summary:
    """Solve every line of a JSONL or CSV file into an output folder, going on from what is finished there.

    InputError, before anything is done or written, where the file can't be used or the folder is another run's: see
    `examine` and `Output`. The rest is as in `run_batch`.
    """
    examined = examine(path)
    with Output(folder, Stamp.of(path, examined.digest, settings), force=force, resume=resume) as output:
        return run_batch(
            read_lines(path),
            settings=settings,
            output=output,
            generator=generator,
            executor=executor,
            at_once=at_once,
            total=examined.lines,
            folders=folders,
            on_row=on_row,
            stop=stop,
        )


def run_batch(
    lines: Iterable[Line | Malformed],
    *,
    settings: Settings,
    output: Output,
    generator: Generator | None = None,
    executor: Executor | None = None,
    at_once: int | None = None,
    total: int = 0,
    folders: bool = False,
    under: Under | None = None,
    on_row: OnRow | None = None,
    stop: Event | None = None,
) -> Summary:
    """Solve lines, at most `at_once` in flight (`settings.concurrency` unless given), and write their rows.

    Without an `executor` threads of this process work, on `generator` where one is given. Any
    `concurrent.futures.Executor` may be given: it gets picklable tasks, and each of its processes opens a generator of
    its own with `settings`, so that rate limits hold in each for itself. `folders` writes each solution's package too,
    and `under` gives settings of a line's own besides those that it names.
    Set `stop`, and what is in flight is finished and nothing begun. A line that fails is a row that says so; the run
    itself ends early where the first lines all fail for one reason, and where nobody is reachable any more.
    InputError where rows can't be written.
    """
    with _settled(), _workers(settings, generator, executor, at_once or settings.concurrency) as workers:
        run = _Run(settings, output, workers, at_once or settings.concurrency, stop or Event(), on_row)
        run.folders, run.total, run.under = folders, total, under
        try:
            return run.through(lines)
        except BrokenExecutor as error:
            why = f"the executor's workers died ({error}): the same run again goes on from what is finished"
            raise UnreachableError(why) from None


@contextmanager
def _settled() -> Iterator[None]:
    """Have no collection of garbage go through what is there now.

    Of some hundred modules one takes 0.1 s, in which no thread goes on: a sixth of the processor time of cached lines.
    """
    if gc.get_freeze_count():  # by who called, or another batch
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


class _Workers(NamedTuple):
    """What sends a task on its way, what looks some up where solutions are kept, and how many such looks at once."""

    submit: Callable[[Task], Future[Done]]
    look_up: Callable[[Sequence[Task]], Future[list[Done | None]]]
    ahead: int = AHEAD


@contextmanager
def _workers(
    settings: Settings, generator: Generator | None, executor: Executor | None, threads: int
) -> Iterator[_Workers]:
    """Who works on tasks: threads of this process, or an executor, whose workers have caches of their own."""
    if executor is not None:
        yield _Workers(
            lambda task: executor.submit(solve_elsewhere, settings, task),
            lambda tasks: executor.submit(look_up_elsewhere, settings, tasks),
            min(MOST_AHEAD, 1 + threads),
        )
        return
    mine = generator or Generator(settings)
    pool = ThreadPoolExecutor(threads, thread_name_prefix="tdgen-batch")
    looking = ThreadPoolExecutor(AHEAD, thread_name_prefix="tdgen-kept")
    try:
        yield _Workers(
            lambda task: pool.submit(solve_task, mine, task), lambda tasks: looking.submit(look_up, mine, tasks)
        )
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        looking.shutdown(cancel_futures=True)  # a look that still ran would open the closed sandbox anew
        if generator is None:
            mine.close()


_Wanted = tuple[Task, str]
"""A task, and the digest of what it asks for."""


class _Run:
    """One run over lines: what is looked up, what is in flight, what waits for it, and what has ended."""

    def __init__(
        self, settings: Settings, output: Output, workers: _Workers, room: int, stop: Event, on_row: OnRow | None
    ) -> None:
        self.folders = False
        self.total = 0
        self.under: Under | None = None
        self._settings = settings
        self._output = output
        self._workers = workers
        self._room = room
        self._stop = stop
        self._on_row = on_row
        self._tally = BatchCounts()
        self._memory = Memory(output.results, self._tally, tries_stopped=output.tries_stopped)
        self._doubt = CircuitBreaker()
        self._looks: dict[Future[list[Done | None]], list[_Wanted]] = {}
        self._ready: deque[_Wanted] = deque()
        self._flying: dict[Future[Done], _Wanted] = {}
        self._waiting: dict[str, list[Task]] = {}
        self._ended = 0
        self._seen = 0

    def through(self, lines: Iterable[Line | Malformed]) -> Summary:
        """Work until all lines have ended, or the run is stopped."""
        began = time.monotonic()
        feed, going = iter(lines), True
        while True:
            # Lines are read while there is room for another look, and little left to work on.
            while going and len(self._looks) < self._workers.ahead and not self._halted():
                if len(self._ready) + sum(map(len, self._waiting.values())) >= self._room:
                    break
                going = self._read(feed)
            while self._ready and len(self._flying) < self._room and not self._halted():
                task, twin = self._ready.popleft()
                self._flying[self._workers.submit(task)] = task, twin
            if not (self._flying or self._looks):
                break
            pending: list[Future[Any]] = [*self._looks, *self._flying]
            done, _ = wait(pending, timeout=TICK_S, return_when=FIRST_COMPLETED)
            rows: list[Row] = []
            for future in [future for future in self._flying if future in done]:
                task, twin = self._flying.pop(future)
                rows.append(self._row(_done(future, task), task, twin))
            self._finish(rows)
            for look in [look for look in self._looks if look in done]:
                self._take_kept(look)
        return self._summed_up(time.monotonic() - began)

    def _read(self, feed: Iterator[Line | Malformed]) -> bool:
        """Read a share of lines, and have looked up what they ask for; whether there may be more lines."""
        share: list[_Wanted] = []
        while len(share) < SHARE and not self._halted():
            line = next(feed, None)
            if line is None:
                break
            self._take(line, share)
        if share:
            self._looks[self._workers.look_up([task for task, _ in share])] = share
        return len(share) == SHARE

    def _take_kept(self, look: Future[list[Done | None]]) -> None:
        """End the lines that are kept; the others are to be solved. So is each where the look itself went wrong."""
        share = self._looks.pop(look)
        try:
            kept = look.result()
            looked_up = True
        except BrokenExecutor:
            raise
        except Exception:  # noqa: BLE001 - each line meets it again, and tells of it
            kept, looked_up = [None for _ in share], False
        self._ready.extend(
            (task._replace(looked_up=looked_up and task.is_plain), twin)
            for (task, twin), done in zip(share, kept, strict=True)
            if done is None
        )
        self._finish([self._row(done, *wanted) for wanted, done in zip(share, kept, strict=True) if done is not None])

    def _halted(self) -> bool:
        return self._stop.is_set() or bool(self._doubt.reason)

    def _take(self, line: Line | Malformed, share: list[_Wanted]) -> None:
        """Add to the share what is to be done for a line, if anything is."""
        self._seen += 1
        if line.mark in self._memory.finished:
            self._ended += 1
        elif isinstance(line, Malformed):
            self._end([malformed_row(line)])
        elif self._memory.is_taken(line):
            again = Malformed(line.number, f"the id {line.id!r} was given to a line before it", line.id)
            self._end([malformed_row(again)])
        else:
            self._begin(line, share)

    def _begin(self, line: Line, share: list[_Wanted]) -> None:
        try:
            its_own = self.under(line) if self.under else None
            task = Task(line, _tests_of(line), self.folders, its_own, self._output.begun)
            # Tasks that share all that decides what comes of them in a run are solved once.
            normalised = read_instruction(line.instruction).normalised
            twin = digest([normalised, task.tests, line.trust, line.budget])
        except InputError as error:
            self._end([failed_row(line, error)])
            return
        if twin in self._waiting:
            self._waiting[twin].append(task)
        elif (row := self._memory.twin_row(line, twin)) is not None:
            self._end([row])
        else:
            self._waiting[twin] = []
            share.append((task, twin))

    def _finish(self, rows: list[Row]) -> None:
        """Write down what has ended, and then what waited for it to end."""
        for row in rows:
            self._doubt.take(row)
        self._end(rows)
        for row in rows:
            for task in self._waiting.pop(row.twin, []):
                if row.is_final:
                    self._end([self._memory.twin_row(task.line, row.twin) or row])
                elif row.twin in self._waiting:
                    self._waiting[row.twin].append(task)
                else:  # what waited for one that could not be done is tried by itself
                    self._waiting[row.twin] = []
                    self._ready.append((task, row.twin))

    def _row(self, done: Done, task: Task, twin: str) -> Row:
        """The row of a task that came back, its solution's package written."""
        changed = {"twin": twin}
        if done.solution is not None:
            changed["folder"] = self._output.save(task.line.id, done.solution)
        return done.row.model_copy(update=changed)

    def _end(self, rows: list[Row]) -> None:
        """Rows reach the disk, and then everybody who wants to know."""
        self._memory.add(rows)
        for row in rows:
            self._ended += 1
            if self._on_row is not None:
                self._on_row(row, self._ended, self.total)

    def _summed_up(self, seconds: float) -> Summary:
        lines = self.total or self._seen
        stopped, code = self._doubt.reason, self._doubt.exit_code
        if self._stop.is_set() and self._ended < lines and not stopped:
            stopped, code = "interrupted", INTERRUPTED
        missing = max(0, lines - self._ended)
        summary = self._tally.summary(lines, missing, seconds=seconds, stopped=stopped, exit_code=code)
        text = json.dumps(summary.model_dump(mode="json"), indent=1) + "\n"
        write_file(self._output.folder / "summary.json", text)
        return summary


def _tests_of(line: Line) -> str:
    """The source of the line's own tests; InputError where the file can't be read."""
    if not line.tests:
        return ""
    path = Path(line.tests)
    try:
        if path.stat().st_size > LONGEST_TESTS:
            raise InputError(f"its tests {path} have more than {LONGEST_TESTS:,} bytes")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"its tests {path} can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"its tests {path} are not UTF-8 text") from None


def _done(future: Future[Done], task: Task) -> Done:
    """What came of a task."""
    try:
        return future.result()
    except BrokenExecutor:
        raise
    except Exception as error:  # noqa: BLE001 - whatever an executor makes of a task is that line's failure
        return Done(failed_row(task.line, error))
