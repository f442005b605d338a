"""The queue: so many runs at once, so many waiting, all of them on disk, and what an earlier service left gone on with.

```
<cache>/runs/served/<id>/run.json        what was asked, and how it stands
                         events.jsonl    what happened, a line each
                         solution.json   what came of it
```
"""

from __future__ import annotations

import secrets
import shutil
import threading
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from filelock import FileLock, Timeout
from pydantic import ValidationError

from tdgen.errors import InputError, StoreError
from tdgen.web.orders import Full, NoSuchRun, Order, RunRecord, changes
from tdgen.web.run import RECORD, Run, now

if TYPE_CHECKING:
    from tdgen.client import Generator
    from tdgen.solution import Solution

KEEP_ENDED: Final = 200
RETRY_AFTER_S: Final = 5
LEAVE_WITHIN_S: Final = 6.0


class RunQueue:
    """Takes orders and has them solved by `generator`, closed by whoever made it. Safe to use from several threads."""

    def __init__(self, generator: Generator, folder: Path, *, at_once: int = 2, waiting: int = 32) -> None:
        """Go on with what an earlier service left in `folder`, the cache's.

        StoreError where that can't be written, or another service works on it.
        """
        self._generator = generator
        self._folder = folder / "runs" / "served"
        self._alone = _held(self._folder)
        self._waiting = waiting
        self._changed = threading.Condition()
        self._queue: deque[Run] = deque()
        self._leaving = False
        self._runs = {run.record.id: run for run in _left(self._folder)}
        self._queue.extend(run for run in self._in_order() if not run.record.has_ended)
        self._workers = [
            threading.Thread(target=self._work, name=f"tdgen-run-{n}", daemon=True) for n in range(at_once)
        ]
        for worker in self._workers:
            worker.start()

    def take(self, order: Order) -> RunRecord:
        """Queue an order; Full where as many wait as may, InputError where it can't be used."""
        self._check(order)
        with self._changed:
            if len(self._queue) >= self._waiting:
                raise Full(f"{len(self._queue)} instructions wait already: try again later", RETRY_AFTER_S)
            run = self._made(order)
            self._runs[run.record.id] = run
            self._queue.append(run)
            self._changed.notify()
            self._sweep()
        return run.record

    def run(self, identity: str) -> Run:
        """The run of that id; NoSuchRun where there is none."""
        run = self._runs.get(identity)
        if run is None:
            raise NoSuchRun(f"there is no run {identity[:40]!r}")
        return run

    def records(self) -> list[RunRecord]:
        """All runs, the newest first."""
        with self._changed:
            return [run.record for run in reversed(self._in_order())]

    def cancel(self, identity: str) -> RunRecord:
        """End a run, waiting or going on; Conflict where it has ended."""
        run = self.run(identity)
        with self._changed:
            if run in self._queue:
                self._queue.remove(run)
        run.cancel()
        return run.record

    def close(self) -> None:
        """Take no more orders, and leave what goes on to the next service. Closing twice is allowed."""
        with self._changed:
            self._leaving = True
            self._queue.clear()
            self._changed.notify_all()
            runs = list(self._runs.values())
        for run in runs:
            if not run.record.has_ended:
                run.leave()
        for worker in self._workers:
            worker.join(LEAVE_WITHIN_S / len(self._workers))
        self._alone.release()

    def _work(self) -> None:
        """One worker: a run after the other."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._queue or self._leaving)
                if self._leaving:
                    return
                run = self._queue.popleft()
            try:
                run.perform(self._generator)
            except Exception as error:  # noqa: BLE001 - a run that can't even be ended must not take its worker along
                run.drop(error)

    def _check(self, order: Order) -> None:
        """What can be told at once need not be told by a run that fails."""
        from tdgen.client import Handed

        if order.follow:
            kept_solution(self._generator, order.follow)
        under = self._generator.under(**changes(order.options, self._generator.settings))
        under.kept(order.instruction, Handed(tests=order.options.tests, follow=order.follow))

    def _made(self, order: Order) -> Run:
        identity = secrets.token_hex(8)
        folder = self._folder / identity
        try:
            folder.mkdir(mode=0o700, parents=True)
        except OSError as error:
            raise StoreError(f"the run can't be kept in {self._folder}: {error.strerror}") from None
        run = Run(folder, RunRecord(id=identity, order=order, created=now()))
        run.save()
        return run

    def _in_order(self) -> list[Run]:
        return sorted(self._runs.values(), key=lambda run: (run.record.created, run.record.id))

    def _sweep(self) -> None:
        """Forget the oldest runs that have ended; what they solved stays in the cache."""
        ended = [run for run in self._in_order() if run.record.has_ended]
        for run in ended[:-KEEP_ENDED]:
            del self._runs[run.record.id]
            shutil.rmtree(run.folder, ignore_errors=True)


def kept_solution(generator: Generator, key: str) -> Solution:
    """The kept solution of that key; NoSuchRun where there is none, or several."""
    try:
        return generator.find(key)
    except InputError as error:
        raise NoSuchRun(str(error)) from None


def _held(folder: Path) -> FileLock:
    """The folder for this service alone: two would go on with the same runs. A holder that dies lets go."""
    lock = FileLock(folder / ".lock", thread_local=False)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except Timeout:
        raise StoreError(f"another `tdgen serve` works on {folder.parents[1]}: end it, or set --cache-dir") from None
    except OSError as error:
        raise StoreError(f"runs can't be kept in {folder}: {error.strerror}") from None
    return lock


def _left(folder: Path) -> Iterable[Run]:
    """The runs that an earlier service left; what can't be read is passed over."""
    for path in sorted(folder.glob(f"*/{RECORD}")):
        try:
            yield Run(path.parent, RunRecord.model_validate_json(path.read_bytes()))
        except (OSError, ValidationError):
            continue
