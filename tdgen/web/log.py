"""A run's events: on disk, and as server-sent events.

On disk each is one JSON line, numbered from 1, appended by many threads, read by whoever looks on. Readers pull: what a
slow client has not read yet lies in the file, not in memory. A line that was cut off when a process was killed is cut
away when the log is opened again.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event

from tdgen.errors import StoreError

FILE: Final = "events.jsonl"
CHUNK: Final = 64_000
"""About how many bytes are read at a time."""


class Line(NamedTuple):
    """An event as it lies on disk: its number, and its JSON."""

    number: int
    text: str


class EventLog:
    """The events of one run. `append` is safe to call from several threads."""

    def __init__(self, path: Path) -> None:
        """Open the log, with what an earlier process left in it; StoreError where it can't be written."""
        self._path = path
        self._guard = threading.Lock()
        self._listeners: set[Callable[[], None]] = set()
        try:
            self._file: BinaryIO | None = path.open("ab")
            self._count = _mend(path)
        except OSError as error:
            raise StoreError(f"the run's events can't be kept in {path.parent}: {error.strerror}") from None

    @property
    def count(self) -> int:
        """The number of the last event."""
        return self._count

    def append(self, event: dict[str, Any]) -> int:
        """Keep an event, with the moment it happened at; its number. What comes after the end is dropped.

        StoreError where the disk is full.
        """
        line = json.dumps({"at": round(time.time(), 3), **event}, ensure_ascii=True, separators=(",", ":"))
        with self._guard:
            if self._file is None:
                return self._count
            try:
                self._file.write(line.encode("ascii") + b"\n")
                self._file.flush()
            except OSError as error:
                raise StoreError(f"the run's events can't be kept in {self._path.parent}: {error.strerror}") from None
            self._count += 1
            listeners = tuple(self._listeners)
            number = self._count
        for listener in listeners:
            listener()
        return number

    @contextmanager
    def listening(self, listener: Callable[[], None]) -> Iterator[None]:
        """Have `listener` called, in whatever thread, after each event and at the end."""
        with self._guard:
            self._listeners.add(listener)
        try:
            yield
        finally:
            with self._guard:
                self._listeners.discard(listener)

    @property
    def closed(self) -> bool:
        """Whether no event comes any more."""
        return self._file is None

    def close(self) -> None:
        """No event comes any more. Closing twice is allowed."""
        with self._guard:
            if self._file is not None:
                with suppress(OSError):  # what a full disk did not take was told when it was written
                    self._file.close()
                self._file = None
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener()


class Reader:
    """Reads a log from behind the event `after` on, a piece at a time. Holds no more than that piece."""

    def __init__(self, path: Path, after: int = 0) -> None:
        self._path = path
        self._after = max(0, after)
        self._number = 0
        self._offset = 0

    def read(self) -> list[Line]:
        """The next events, as many as fit into a piece (one at the least); none where there are no more yet."""
        found: list[Line] = []
        size = 0
        try:
            with self._path.open("rb") as file:
                file.seek(self._offset)
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    self._offset += len(line)
                    self._number += 1
                    if self._number <= self._after:
                        continue
                    found.append(Line(self._number, line.decode("ascii").rstrip("\n")))
                    size += len(line)
                    if size >= CHUNK:
                        break
        except FileNotFoundError:
            return []
        return found


def events_in(path: Path) -> Iterator[dict[str, Any]]:
    """All events of a log, in order."""
    reader = Reader(path)
    while lines := reader.read():
        for line in lines:
            yield json.loads(line.text)


def _mend(path: Path) -> int:
    """Cut off what is no whole line; how many lines there are."""
    count, whole = 0, 0
    with path.open("rb+") as file:
        for line in file:
            if line.endswith(b"\n"):
                count += 1
                whole += len(line)
        file.truncate(whole)
    return count


KEEP_ALIVE_S: Final = 15.0
SENT_WITHIN_S: Final = 30.0
"""How long a client may leave what it was sent unread before the line is cut; it resumes when it comes back."""


class EventStream(EventSourceResponse):
    """Server-sent events to one client, cut where it does not take what it is sent."""

    async def stream_response(self, send: Any) -> None:
        """Send piece by piece, each within a time."""

        async def in_time(message: Any) -> None:
            await asyncio.wait_for(send(message), SENT_WITHIN_S)

        try:
            await super().stream_response(in_time)
        except TimeoutError:
            return


async def events(path: Path, log: EventLog | None, after: int, leaving: asyncio.Event) -> AsyncIterator[bytes]:
    """The events behind number `after`, those that are there and those to come, until the run or the service ends."""
    reader = Reader(path, after)
    loop = asyncio.get_running_loop()
    news = asyncio.Event()

    def woken() -> None:
        loop.call_soon_threadsafe(news.set)

    yield KEEPALIVE_COMMENT  # so that a browser knows at once that the line is open
    with log.listening(woken) if log is not None else nullcontext():
        while not leaving.is_set():
            news.clear()
            ended = log is None or log.closed
            if lines := await asyncio.to_thread(reader.read):
                yield b"".join(map(_told, lines))
            elif ended:
                return
            elif not await _any_within(KEEP_ALIVE_S, news, leaving):
                yield KEEPALIVE_COMMENT


def _told(line: Line) -> bytes:
    return format_sse_event(data_str=line.text, id=str(line.number))


async def _any_within(seconds: float, *awaited: asyncio.Event) -> bool:
    """Whether one of the events came within so many seconds."""
    tasks = [asyncio.ensure_future(event.wait()) for event in awaited]
    try:
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
    return bool(done)
