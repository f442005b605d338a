"""One run in the store that processes share: what its holder alone writes, and what anybody reads of it.

The holder has the run's lock. Each of its writings goes under that lock, so that one who stood still writes nothing
when it wakes; while the server does not answer, it waits. A run's events are a stream, which the holder numbers.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from typing import Any, Final

from pydantic import ValidationError

from tdgen.errors import LostLock, StoreError, UnansweredStore
from tdgen.solution import Solution
from tdgen.team.redis import RedisStore
from tdgen.web.log import event_text
from tdgen.web.orders import RunRecord
from tdgen.web.run import now
from tdgen.web.run_store import Line, News

DEATHS: Final = 5
"""In so many workers' deaths a run may be at work before it is set aside."""
PATIENCE_S: Final = 60.0
"""How long what is written waits for a server that does not answer."""
AGAIN_S: Final = 0.25
_PIECE: Final = 50
_MOST_NEWS: Final = 10_000

# KEYS: events, news, lock; ARGV: token, number, event, id. -1 where the lock is lost. One that is there already, as
# the answer to an earlier try did not come through, is let be.
_APPEND: Final = """
if redis.call('GET', KEYS[3]) ~= ARGV[1] then return -1 end
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if last and tonumber(string.match(last[1], '^%d+')) >= tonumber(ARGV[2]) then return 0 end
redis.call('XADD', KEYS[1], ARGV[2] .. '-0', 'event', ARGV[3])
redis.call('XADD', KEYS[2], 'MAXLEN', '~', 10000, '*', 'run', ARGV[4], 'kind', 'event')
return 1
"""

# KEYS: record, open runs, all runs, news; ARGV: record, milliseconds to live (0: no end), id. Nothing is done where
# there is a record.
_RESTORE: Final = """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
if ARGV[2] == '0' then redis.call('SET', KEYS[1], ARGV[1]) else redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
local moment = redis.call('TIME')[1] * 1000
redis.call('ZADD', KEYS[2], moment, ARGV[3])
redis.call('ZADD', KEYS[3], moment, ARGV[3])
redis.call('XADD', KEYS[4], 'MAXLEN', '~', 10000, '*', 'run', ARGV[3], 'kind', 'queued')
return 1
"""


def record_key(identity: str) -> str:
    """Under which key a run's record lies."""
    return f"run/{identity}/record"


def solution_key(identity: str) -> str:
    """Under which key the solution of a run lies."""
    return f"run/{identity}/solution"


def announce(server: RedisStore, news: News) -> None:
    """Have all processes hear that something happened in a run."""
    entry: dict[Any, Any] = {"run": news.identity, "kind": news.kind}
    server.client.xadd(server.name("runs", "news"), entry, maxlen=_MOST_NEWS)


def read_record(server: RedisStore, identity: str) -> RunRecord | None:
    """How a run stands; None where there is no such run."""
    return parsed_record(server.get(record_key(identity)))


def parsed_record(text: str | None) -> RunRecord | None:
    """A record from its JSON; None where there is none of today's shape."""
    with suppress(ValidationError):
        return RunRecord.model_validate_json(text) if text is not None else None
    return None


class HeldRun:
    """A run whose lock this process holds. Implements `tdgen.web.run_store.Claim`."""

    held: ExitStack

    def __init__(self, server: RedisStore, record: RunRecord, lost: threading.Event) -> None:
        """`lost` is set where the lock is; the thread that makes this holds it. StoreError as for any reading."""
        self.record = record
        self._server = server
        self._lock = server.name("lock", f"run/{record.id}")
        self._token = server.held[self._lock]
        self._append = server.client.register_script(_APPEND)
        self._events = server.name("events", record.id)
        with server.explained():
            last = server.client.xrevrange(self._events, count=1)
        self._number = int(last[0][0].partition(b"-")[0]) if last else 0
        self._lost = lost
        self._writing = threading.Lock()

    @property
    def is_lost(self) -> bool:
        """Whether another process may have taken the run over."""
        return self._lost.is_set()

    def is_set_aside(self) -> bool:
        """Count the death of the worker that had it before; whether that was one too many."""
        deaths = self.record.deaths + 1
        changed: dict[str, Any] = {"deaths": deaths}
        if deaths >= DEATHS:
            error = f"set aside: {deaths} workers died while they were at work on it (too little memory?)"
            changed |= {"state": "failed", "error": error, "ended": now()}
        self.save(self.record.model_copy(update=changed))
        return self.record.has_ended

    def save(self, record: RunRecord) -> None:
        """Keep the record."""
        self._patiently(lambda: self._save(record))
        self.record = record

    def append(self, event: Mapping[str, Any]) -> None:
        """Keep an event."""
        text = event_text(event)
        with self._writing:
            number = self._number + 1
            row = self._server.sealed(_event_key(self.record.id, number), text)
            keys = [self._events, self._server.name("runs", "news"), self._lock]

            def once() -> None:
                with self._server.explained():
                    if self._append(keys=keys, args=[self._token, number, row, self.record.id]) == -1:
                        raise LostLock

            self._patiently(once)
            self._number = number

    def deliver(self, solution: Solution) -> None:
        """Keep what came of it."""
        key, text = solution_key(self.record.id), solution.model_dump_json()
        self._patiently(lambda: self._server.put(key, text, under={self._lock: self._token}))

    def release(self) -> None:
        """Work on it no more; what has not ended waits for the next, whom nobody died for."""
        if not self.record.has_ended:
            record = self.record.model_copy(update={"state": "queued"})
            with suppress(StoreError):
                try:
                    self._save(record)
                except LostLock:
                    self._queue_again(record)
        self.held.close()

    def _queue_again(self, record: RunRecord) -> None:
        """Queue it in a store that was restarted, and has lost its lock: nobody else can have taken it over then."""
        server, key = self._server, record_key(record.id)
        row = server.sealed(key, record.model_dump_json())
        keys = [server.name("entry", key), *(server.name("runs", kind) for kind in ("open", "all", "news"))]
        with server.explained():
            server.client.register_script(_RESTORE)(keys=keys, args=[row, round(1000 * server.ttl_s), record.id])

    def _save(self, record: RunRecord) -> None:
        self._server.put(record_key(record.id), record.model_dump_json(), under={self._lock: self._token})
        with self._server.explained():
            if record.has_ended:
                self._server.client.zrem(self._server.name("runs", "open"), record.id)
            announce(self._server, News(record.id, "event"))

    def _patiently(self, call: Callable[[], None]) -> None:
        """Do it; a server that does not answer is waited for."""
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                return call()
            except UnansweredStore:
                if self.is_lost or time.monotonic() > end:
                    raise
                time.sleep(AGAIN_S)


class EventReader:
    """Reads a run's events from behind number `after` on. Implements `tdgen.web.run_store.Reader`."""

    def __init__(self, server: RedisStore, identity: str, after: int) -> None:
        self._server = server
        self._identity = identity
        self._after = max(0, after)

    def read(self) -> list[Line]:
        """The next events, one at the least; none where there are no more yet. What is not signed is passed over."""
        lines: list[Line] = []
        while not lines:
            with self._server.explained():
                events = self._server.name("events", self._identity)
                rows = self._server.client.xrange(events, f"{self._after + 1}-0", count=_PIECE)
            if not rows:
                break
            for place, fields in rows:
                self._after = int(place.partition(b"-")[0])
                text = self._server.unsealed(_event_key(self._identity, self._after), fields[b"event"])
                lines += [] if text is None else [Line(self._after, text)]
        return lines


def _event_key(identity: str, number: int) -> str:
    """Under which key an event is sealed and unsealed."""
    return f"run/{identity}/event/{number}"
