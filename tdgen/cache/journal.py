"""The run journal, apart from the cache: what an unfinished run was already told, and how runs failed.

```
runs/<hash of the run's key>/answers.jsonl           the answers of a run that is not finished
runs/<hash of the run's key>/stopped.json            the best so far of a run that is not finished, as its budget ended
runs/<hash of the run's key>/failed-<UTC time>.json  how a run ended that was not all green
```

A run that is cut off resumes from its answers without paying twice. When it ends, green or not, they are forgotten:
they resume a run, they are no cache, and who runs a failed instruction again wants to ask anew. The journal never stops
a run: where its files can't be read or written, `notes` says so and the run goes on without being resumable.

Who wants nothing that is kept begins anew, under a name: what was answered before is not found from then on, and what
is answered now is found by whoever goes on under that name, or without any.

Two runs of one key must not be open at once: the caller holds the store's lock for that key while one is.

Where a team shares a store, answers lie there too, so that another host goes on with a run whose host died.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import ValidationError

from tdgen.cache.disk import file_name
from tdgen.cache.solutions import FORMAT, AnswerFile, unread
from tdgen.errors import StoreError
from tdgen.solution import Solution
from tdgen.types import Frozen

if TYPE_CHECKING:
    from tdgen.cache.team import SharedAnswers

_STOPPED: Final = "stopped.json"
_BEGUN: Final = "begun"
"""The key of the name under which the run was begun anew last."""
KEEP_FAILURES: Final = 50
KEEP_UNFINISHED_DAYS: Final = 30


class Run(Frozen):
    """A run in the journal: unfinished or failed, with the reason where it is known. `at` is ISO 8601 in UTC.

    `instruction` is empty where an earlier version of tdgen did not keep it.
    """

    key: str
    state: Literal["unfinished", "failed"]
    at: str
    path: str
    reason: str = ""
    instruction: str = ""

    def solution(self) -> Solution | None:
        """The solution with which the run failed or stopped; None where there is none, or none of today's shape."""
        path = Path(self.path)
        try:
            record = json.loads((path if self.state == "failed" else path.with_name(_STOPPED)).read_bytes())
            return Solution.model_validate(record["solution"])
        except (OSError, ValueError, LookupError, TypeError, ValidationError):
            return None

    def forget(self) -> None:
        """Remove what is kept of it: it is not gone on with."""
        path = Path(self.path)
        _remove(path, *([path.with_name(_STOPPED), unread(path)] if self.state == "unfinished" else []))


class Journal:
    """One run's answers. Implements `tdgen.protocols.Answers`; safe to use from several threads.

    `notes` says what a person may want to know.
    """

    def __init__(self, folder: Path, key: str, instruction: str = "", *, shared: SharedAnswers | None = None) -> None:
        """Open the journal of the run `key` in the cache folder `folder`. It raises nothing: see `notes`."""
        self.notes: list[str] = []
        self._shared = shared
        self._key = key
        self._answers = folder / "runs" / file_name(key) / "answers.jsonl"
        self._texts: dict[str, str] = {}
        self._guard = threading.Lock()
        self._file: AnswerFile | None = None
        try:
            self._file = AnswerFile(self._answers, key, instruction)
        except OSError as error:
            self._note_unwritable(error)
        else:
            self._texts.update(self._file.kept.texts)
            self.notes.extend(filter(None, [self._file.kept.note]))
        self._begun = self._kept(_BEGUN) or ""

    @property
    def resumed(self) -> int:
        """How many answers there are to go on from."""
        return sum(key.startswith(self._place("")) and key != _BEGUN for key in self._texts)

    @classmethod
    def open(cls, folder: Path, key: str, instruction: str = "", *, shared: SharedAnswers | None = None) -> Journal:
        """The journal of the run `key`, with what an unfinished run left; what is old in the folder is swept away."""
        journal = cls(folder, key, instruction, shared=shared)
        _sweep(folder / "runs")
        return journal

    def get(self, key: str) -> str | None:
        """The answer kept under `key`, or None."""
        return self._kept(self._place(key))

    def _place(self, key: str) -> str:
        """Where the answer under `key` is kept, among those of the name under which the run was begun."""
        return f"{self._begun}/{key}" if self._begun else key

    def _kept(self, key: str) -> str | None:
        text = self._texts.get(key)
        if text is None and self._shared is not None:
            text = self._shared.get(key)
            if text is not None:
                with self._guard:
                    self._texts[key] = text
        return text

    def put(self, key: str, text: str) -> None:
        """Keep an answer; it is on the disk when this returns, or `notes` says why it can't be.

        LostLock where another host took the run over.
        """
        self._keep(self._place(key), text)

    def _keep(self, key: str, text: str) -> None:
        with self._guard:
            self._texts[key] = text
            if self._file is not None:
                try:
                    self._file.append(key, text)
                except OSError as error:
                    self._file = None
                    self._note_unwritable(error)
        if self._shared is not None:
            self._shared.put(key, text)

    def close(self) -> None:
        """Leave the run unfinished: the next one of its key goes on from its answers. Closing twice is allowed."""
        with self._guard:
            if self._file is not None:
                self._file.close()
                self._file = None

    def begin_anew(self, name: str) -> None:
        """Use nothing of what was answered before, unless it was answered under that very name."""
        if self._begun != name:
            self._keep(_BEGUN, name)
            self._begun = name

    def finish(self) -> None:
        """The run ended all green: forget its answers."""
        self.close()
        if self._shared is not None:
            # Where another host took the run over they are its own.
            with contextlib.suppress(StoreError):
                for key in self._texts:
                    self._shared.delete(key)
        self._texts.clear()
        _remove(self._answers, unread(self._answers), self._answers.with_name(_STOPPED))

    def stop(self, record: dict[str, Any]) -> None:
        """The budget ended the run: keep `record` as `fail` does, and the answers, from which it goes on.

        A record without a solution does not take the place of one that an earlier stop may have left.
        """
        path = self._answers.with_name(_STOPPED)
        if "solution" in record or not path.exists():
            self._write(path, record)

    def fail(self, record: dict[str, Any]) -> Path | None:
        """The run ended, but not all green: keep `record` (its `reason`, the solution as a dict), forget the answers.

        The record's path, or None (and a note) where it can't be written.
        """
        path = self._answers.with_name(f"failed-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}.json")
        self._write(path, record)
        self.finish()
        _sweep(path.parent.parent)
        return path if path.exists() else None

    def _write(self, path: Path, record: dict[str, Any]) -> None:
        header = {"format": FORMAT, "key": self._key, "at": datetime.now(UTC).isoformat(timespec="seconds")}
        draft = path.with_suffix(".draft")
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft.write_text(json.dumps(header | record | header, indent=1, default=str), encoding="ascii")
            draft.replace(path)
        except OSError as error:
            _remove(draft)
            self.notes.append(f"how the run ended can't be kept in {path.parent} ({error.strerror or error})")

    def _note_unwritable(self, error: OSError) -> None:
        where, why = self._answers.parent, error.strerror or error
        self.notes.append(f"this run can't be resumed if it is cut off: {where} can't be written ({why})")


def runs(folder: Path) -> list[Run]:
    """The unfinished and failed runs in the cache folder `folder`, the newest first."""
    unfinished = (_unfinished(path) for path in _files(folder / "runs", "answers.jsonl"))
    failed = (_failed(path) for path in _files(folder / "runs", "failed-*.json"))
    listed = [run for run in (*unfinished, *failed) if run is not None]
    return sorted(listed, key=lambda run: run.at, reverse=True)


def _unfinished(path: Path) -> Run | None:
    try:
        with path.open("rb") as file:
            header = json.loads(file.readline())
        key, instruction = str(header["key"]), str(header.get("instruction", ""))
        at = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None
    stopped = _failed(path.with_name(_STOPPED))
    reason = stopped.reason if stopped is not None else ""
    return Run(key=key, state="unfinished", at=at, path=str(path), reason=reason, instruction=instruction)


def _failed(path: Path) -> Run | None:
    try:
        record = json.loads(path.read_bytes())
        key, at, reason = str(record["key"]), str(record["at"]), str(record.get("reason", ""))
        instruction = str(record.get("instruction", ""))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None
    return Run(key=key, state="failed", at=at, path=str(path), reason=reason, instruction=instruction)


def _sweep(folder: Path) -> None:
    """Keep the last failures over all runs, and forget unfinished runs that nobody came back to."""
    failures = sorted(_files(folder, "failed-*.json"), key=lambda path: path.name)
    _remove(*failures[:-KEEP_FAILURES])
    oldest = time.time() - KEEP_UNFINISHED_DAYS * 86_400
    for path in (*_files(folder, "answers.*"), *_files(folder, _STOPPED)):
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < oldest:
                _remove(path)


def _files(folder: Path, pattern: str) -> list[Path]:
    """The files of that pattern in all runs' folders; what other runs remove meanwhile is left out."""
    paths: list[Path] = []
    with contextlib.suppress(OSError):
        for run in list(folder.iterdir()):
            with contextlib.suppress(OSError):
                paths += run.glob(pattern)
    return paths


def _remove(*paths: Path) -> None:
    """Remove what can be removed of these files, and their folders where nothing is left in them."""
    for path in paths:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
            path.parent.rmdir()
