"""The runs of one process, on disk, and what an earlier process left of them.

```
<cache>/runs/served/<id>/run.json        what was asked, and how it stands
                         events.jsonl    what happened, a line each
                         solution.json   what came of it
                    counts.json          how many ended how, and what each token spent
```
"""

from __future__ import annotations

import json
import shutil
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Literal

from filelock import FileLock, Timeout
from pydantic import TypeAdapter, ValidationError

from tdgen.errors import StoreError
from tdgen.solution import Solution
from tdgen.web.log import FILE, EventLog, Reader
from tdgen.web.orders import Full, RunRecord
from tdgen.web.run_store import Listeners, News, Said

KEEP_ENDED: Final = 200
_RECORD: Final = "run.json"
_SOLUTION: Final = "solution.json"
_COUNTS: Final = "counts.json"
_COUNTS_SHAPE: Final = TypeAdapter(dict[str, dict[str, float]])
_DAYS: Final = 3
"""So many figures are kept: of two days, and of all."""
_MINUTE_S: Final = 60.0


class RunFolder:
    """Runs in a folder that this process has alone. Implements `tdgen.web.run_store.RunStore`."""

    def __init__(self, folder: Path) -> None:
        """Open the runs in `folder`, a cache's; StoreError where it can't be written, or another service has it."""
        self._folder = folder / "runs" / "served"
        self._alone = _held(self._folder)
        self._guard = threading.Lock()
        self._one_at_a_time = threading.Lock()
        self._turns: dict[str, deque[float]] = {}
        self._counts: dict[str, dict[str, float]] = {}
        with suppress(OSError, ValidationError):
            self._counts = _COUNTS_SHAPE.validate_json((self._folder / _COUNTS).read_bytes())
        self._listeners = Listeners()
        self._answers: dict[str, dict[str, str]] = {}
        self._stopping: set[str] = set()
        self._records: dict[str, RunRecord] = {}
        for path in sorted(self._folder.glob(f"*/{_RECORD}")):
            with suppress(OSError, ValidationError):  # what an earlier service left and can't be read is passed over
                record = RunRecord.model_validate_json(path.read_bytes())
                self._records[record.id] = record
        self._waiting = deque(record.id for record in self._in_order() if not record.has_ended)

    def add(self, record: RunRecord, waiting: int) -> None:
        """Queue a run; Full where so many wait already."""
        with self._guard:
            if len(self._waiting) >= waiting:
                raise Full(f"{len(self._waiting)} instructions wait already")
            _write(self._folder / record.id, _RECORD, record.model_dump_json(indent=1))
            self._records[record.id] = record
            self._waiting.append(record.id)
            self._sweep()
        self.tell(record.id, "queued")

    def claim(self, identity: str = "", *, orphaned: bool = False) -> _Claim | None:
        """The next run that waits, or the one of that id; None where there is none. Nobody else leaves any behind."""
        with self._guard:
            if orphaned or not self._waiting or (identity and identity not in self._waiting):
                return None
            if identity:
                self._waiting.remove(identity)
            claimed = identity or self._waiting.popleft()
            return _Claim(self, self._folder / claimed, self._records[claimed])

    def record(self, identity: str) -> RunRecord | None:
        """How a run stands; None where there is no such run."""
        return self._records.get(identity)

    def records(self) -> list[RunRecord]:
        """All runs, the newest first."""
        with self._guard:
            return self._in_order()[::-1]

    def solution(self, identity: str) -> Solution | None:
        """What came of a run; None where nothing did, or not yet."""
        path = self._folder / identity / _SOLUTION
        try:
            return Solution.from_json(path.read_bytes())
        except OSError:
            return None

    def reader(self, identity: str, after: int = 0) -> Reader:
        """A reader of a run's events behind number `after`."""
        return Reader(self._folder / identity / FILE, after)

    def stop(self, identity: str) -> None:
        """Tell whoever works on a run that it is to end."""
        self._stopping.add(identity)
        self.tell(identity, "said")

    def answer(self, identity: str, question: str, answer: str) -> bool:
        """Tell them the answer to a question; False where it is answered already."""
        with self._guard:
            given = self._answers.setdefault(identity, {})
            if question in given:
                return False
            given[question] = answer
        self.tell(identity, "said")
        return True

    def said(self, identity: str) -> Said:
        """What was said to a run."""
        with self._guard:
            return Said(identity in self._stopping, dict(self._answers.get(identity, {})))

    def listening(self, listener: Callable[[News], None]) -> AbstractContextManager[None]:
        """Have `listener` called with what happens in runs."""
        return self._listeners.listening(listener)

    def book(self, name: str, in_a_minute: int) -> bool:
        """Book a turn of that name; False where there is none now."""
        with self._guard:
            turns, moment = self._turns.setdefault(name, deque()), time.monotonic()
            while turns and moment - turns[0] >= _MINUTE_S:
                turns.popleft()
            if len(turns) >= in_a_minute:
                return False
            turns.append(moment)
            return True

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """Do alone what is done under that name, or any other."""
        del name
        with self._one_at_a_time:
            yield

    def keep_work(self, identity: str, status: str, seconds: float) -> None:
        """Nobody else is asked of it."""

    def work(self, identity: str) -> str | None:
        """Nobody else works here."""
        return None

    def count(self, about: str, figures: Mapping[str, float]) -> None:
        """Add figures to those that are kept about a day, or all."""
        with self._guard:
            kept = self._counts.setdefault(about, {})
            for name, figure in figures.items():
                kept[name] = kept.get(name, 0) + figure
            self._counts = {one: self._counts[one] for one in sorted(self._counts)[-_DAYS:]}
            _write(self._folder, _COUNTS, json.dumps(self._counts))

    def counts(self, about: str) -> dict[str, float]:
        """The figures about a day, or about all."""
        with self._guard:
            return dict(self._counts.get(about, {}))

    def close(self) -> None:
        """Let the folder go."""
        self._alone.release()

    def put(self, record: RunRecord) -> None:
        """Keep a record: in memory also where the disk can't."""
        self._records[record.id] = record
        _write(self._folder / record.id, _RECORD, record.model_dump_json(indent=1))
        self.tell(record.id)

    def tell(self, identity: str, kind: Literal["queued", "said", "event"] = "event") -> None:
        """Tell whoever listens what happened in a run."""
        self._listeners.tell(News(identity, kind))

    def _in_order(self) -> list[RunRecord]:
        return sorted(self._records.values(), key=lambda record: (record.created, record.id))

    def _sweep(self) -> None:
        """Forget the oldest runs that have ended; what they solved stays in the cache."""
        ended = [record.id for record in self._in_order() if record.has_ended]
        for identity in ended[:-KEEP_ENDED]:
            del self._records[identity]
            self._answers.pop(identity, None)
            self._stopping.discard(identity)
            shutil.rmtree(self._folder / identity, ignore_errors=True)


class _Claim:
    """A run of the folder. Implements `tdgen.web.run_store.Claim`; it is never lost."""

    is_lost = False

    def __init__(self, runs: RunFolder, folder: Path, record: RunRecord) -> None:
        self.record = record
        self._runs = runs
        self._folder = folder
        self._log: EventLog | None = None

    def save(self, record: RunRecord) -> None:
        """Keep the record."""
        self.record = record
        self._runs.put(record)

    def append(self, event: Mapping[str, Any]) -> None:
        """Keep an event."""
        if self._log is None:
            self._log = EventLog(self._folder / FILE)
        self._log.append(event)
        self._runs.tell(self.record.id)

    def deliver(self, solution: Solution) -> None:
        """Keep what came of it."""
        _write(self._folder, _SOLUTION, solution.model_dump_json())

    def release(self) -> None:
        """Work on it no more."""
        if self._log is not None:
            self._log.close()


def _write(folder: Path, name: str, text: str) -> None:
    """Write a file whole or not at all."""
    draft = folder / f".{name}.draft"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft.write_text(text, encoding="utf-8", errors="surrogateescape")
        draft.replace(folder / name)
    except (OSError, UnicodeError) as error:
        raise StoreError(f"the run can't be kept in {folder}: {error}") from None


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
