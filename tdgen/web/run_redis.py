"""The runs of many processes, on as many hosts, in the store that they share.

A run is claimed by a lock, which falls soon after its holder died or stood still: then another process takes the run
over and goes on from its journal. Records, solutions, events and answers bear the team's signature where there is one.
A run's events are a stream, numbered by who works on it; one more stream has the news, by which all processes hear that
a run is queued, told something, or has more events. What is written while the server is away waits for it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import Any, Final

from pydantic import ValidationError

from tdgen.cache.redis import Locks, RedisStore
from tdgen.errors import Cancelled, LostLock, StoreError, UnansweredStore
from tdgen.solution import Solution
from tdgen.web.log import event_text
from tdgen.web.orders import Full, RunRecord
from tdgen.web.run import now
from tdgen.web.run_store import ALL, Line, Listeners, News, Said, read_solution

KEEP_ENDED: Final = 200
DEATHS: Final = 5
"""In so many workers' deaths a run may be at work before it is set aside."""
PATIENCE_S: Final = 60.0
"""How long what is written waits for a server that does not answer."""
AGAIN_S: Final = 0.25
LOOK_S: Final = 1.0
"""How often all is looked at of which no news came: a worker that died tells nobody."""
_PIECE: Final = 50
_MOST_NEWS: Final = 10_000
_COUNTS_LIVE_S: Final = 3 * 86_400

# KEYS: open runs, all runs, news; ARGV: id, how many may wait. 0 where so many do. A run that waits has the moment it
# came at as its score, one that was claimed has less than nothing.
_ADD: Final = """
if redis.call('ZSCORE', KEYS[2], ARGV[1]) then return 1 end
if redis.call('ZCOUNT', KEYS[1], '(0', '+inf') >= tonumber(ARGV[2]) then return 0 end
local clock = redis.call('TIME')
local moment = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('ZADD', KEYS[1], moment, ARGV[1])
redis.call('ZADD', KEYS[2], moment, ARGV[1])
redis.call('XADD', KEYS[3], 'MAXLEN', '~', 10000, '*', 'run', ARGV[1], 'kind', 'queued')
return 1
"""
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


class SharedRuns:
    """Runs in a shared store. Implements `tdgen.web.run_store.RunStore`."""

    def __init__(self, server: RedisStore, note: Callable[[str], None]) -> None:
        """Work on the runs in `server`, which is closed with this; StoreError where it can't be used.

        `note` is told in a line what goes wrong later, once until the server is well again.
        """
        self.server = server
        self._note = note
        self._told: set[str] = set()
        server.note = note
        self._listeners = Listeners()
        self._all, self._open, self._news = (server.name("runs", kind) for kind in ("all", "open", "news"))
        self._add, self._append = map(server.client.register_script, (_ADD, _APPEND))
        self._closed = threading.Event()
        with server.explained():
            newest = server.client.xrevrange(self._news, count=1)
        self._hearing = threading.Thread(target=self._hear, args=[newest[0][0] if newest else b"0"], daemon=True)
        self._hearing.start()

    def add(self, record: RunRecord, waiting: int) -> None:
        """Queue a run; Full where so many wait already."""
        self.server.put(_record(record.id), record.model_dump_json(), under={})
        with self.server.explained():
            if not self._add(keys=[self._open, self._all, self._news], args=[record.id, waiting]):
                self.server.delete(_record(record.id), under={})
                raise Full(f"{waiting} instructions wait already")
        self._sweep()

    def claim(self, identity: str = "") -> _Claim | None:
        """The next run that nobody works on, or the one of that id; None where there is none."""
        with self._noted():
            with self.server.explained():
                found = (
                    [identity] if identity else [one.decode() for one in self.server.client.zrange(self._open, 0, -1)]
                )
            for one in found:
                if (claim := self._claimed(one)) is not None:
                    return claim
        return None

    def record(self, identity: str) -> RunRecord | None:
        """How a run stands; None where there is no such run."""
        record = self._read(self.server.get(_record(identity)))
        if record is None or record.state != "running" or record.stopping:
            return record
        return record.model_copy(update={"stopping": self.said(identity).stopping})

    def records(self) -> list[RunRecord]:
        """All runs, the newest first."""
        with self.server.explained():
            found = [one.decode() for one in self.server.client.zrevrange(self._all, 0, -1)]
        records = map(self._read, self.server.get_many([_record(one) for one in found]))
        return [record for record in records if record is not None]

    def solution(self, identity: str) -> Solution | None:
        """What came of a run; None where nothing did, or not yet."""
        return read_solution(self.server.get(_solution(identity)))

    def reader(self, identity: str, after: int = 0) -> _Reader:
        """A reader of a run's events behind number `after`."""
        return _Reader(self.server, identity, after)

    def stop(self, identity: str) -> None:
        """Tell whoever works on a run that it is to end."""
        self._say(identity, "stop", "1")

    def answer(self, identity: str, question: str, answer: str) -> bool:
        """Tell them the answer to a question; False where it is answered already."""
        return self._say(identity, question, answer)

    def said(self, identity: str) -> Said:
        """What was said to a run since it was claimed first."""
        with self.server.explained():
            found = self.server.client.hgetall(self.server.name("said", identity))
        said = {name.decode(): self.server.unsealed(_said(identity, name.decode()), row) for name, row in found.items()}
        answers = {name: text for name, text in said.items() if text is not None and name != "stop"}
        return Said(said.get("stop") is not None, answers)

    def listening(self, listener: Callable[[News], None]) -> AbstractContextManager[None]:
        """Have `listener` called with what happens in runs, wherever they are worked on."""
        return self._listeners.listening(listener)

    def book(self, name: str, in_a_minute: int) -> bool:
        """Book a turn of that name over all hosts; False where there is none now."""
        return self.server.book(f"caller/{name}", in_a_minute, 0.001) >= 0

    def alone(self, name: str) -> AbstractContextManager[None]:
        """Do alone, among all hosts, what is done under that name."""
        return self.server.lock(f"caller/{name}")

    def count(self, about: str, figures: Mapping[str, float]) -> None:
        """Add figures to those that are kept about a day, or all."""
        name = self.server.name("counts", about)
        with self.server.explained():
            for figure, value in figures.items():
                self.server.client.hincrbyfloat(name, figure, value)
            if about != ALL:
                self.server.client.expire(name, _COUNTS_LIVE_S)

    def counts(self, about: str) -> dict[str, float]:
        """The figures about a day, or about all."""
        with self.server.explained():
            found = self.server.client.hgetall(self.server.name("counts", about))
        return {name.decode(): float(value) for name, value in found.items()}

    def close(self) -> None:
        """Hear no more, and close the connections."""
        self._closed.set()
        self._hearing.join()
        self.server.close()

    def save(self, record: RunRecord, under: Locks) -> None:
        """Keep the record of a claimed run; LostLock where the claim is lost."""
        self.server.put(_record(record.id), record.model_dump_json(), under=under)
        with self.server.explained():
            if record.has_ended:
                self.server.client.zrem(self._open, record.id)
            self._announce(record.id, "event")

    def append(self, identity: str, number: int, event: str, under: Locks) -> None:
        """Keep an event of a claimed run; LostLock where the claim is lost."""
        ((lock, token),) = under.items()
        row = self.server.sealed(_event(identity, number), event)
        with self.server.explained():
            keys = [self.server.name("events", identity), self._news, lock]
            if self._append(keys=keys, args=[token, number, row, identity]) == -1:
                raise LostLock

    def _claimed(self, identity: str) -> _Claim | None:
        """A run, unless another works on it, or it has ended; one that too many died at is set aside."""
        lost = threading.Event()

        def lose() -> None:
            lost.set()
            self._listeners.tell(News(identity, "said"))

        with ExitStack() as held:
            try:
                held.enter_context(self.server.lock(f"run/{identity}", lambda: True, lose))
            except Cancelled:
                return None
            record = self._read(self.server.get(_record(identity)))
            with self.server.explained():
                if record is None or record.has_ended:
                    self.server.client.zrem(self._open, identity)
                    return None
                self.server.client.zadd(self._open, {identity: -1}, xx=True)
                last = self.server.client.xrevrange(self.server.name("events", identity), count=1)
            number = int(last[0][0].partition(b"-")[0]) if last else 0
            claim = _Claim(self, record, number, lost)
            if record.state == "running" and claim.is_set_aside():
                return None
            claim.held = held.pop_all()
            return claim

    def _say(self, identity: str, name: str, text: str) -> bool:
        """Tell a run something; False where it was told it before."""
        row = self.server.sealed(_said(identity, name), text)
        with self.server.explained():
            is_new = self.server.client.hsetnx(self.server.name("said", identity), name, row)
            self._announce(identity, "said")
        return bool(is_new)

    def _announce(self, identity: str, kind: str) -> None:
        self.server.client.xadd(self._news, {"run": identity, "kind": kind}, maxlen=_MOST_NEWS)

    def _hear(self, last: bytes) -> None:
        """Tell listeners of the news, and every now and then that any may have been missed."""
        looked = time.monotonic()
        while not self._closed.is_set():
            found: Iterable[Any] = ()
            with self._noted(), self.server.explained():
                found = self.server.client.xread({self._news: last}, count=500, block=round(LOOK_S * 1000))
                self._told.clear()
            for _, entries in found:
                for place, fields in entries:
                    last = place
                    self._tell(News(fields[b"run"].decode(), fields[b"kind"].decode()))
            if time.monotonic() - looked >= LOOK_S:
                looked = time.monotonic()
                self._tell(News("", "queued"))
                self._tell(News("", "said"))

    def _tell(self, news: News) -> None:
        with self._noted():
            self._listeners.tell(news)

    @contextmanager
    def _noted(self) -> Iterator[None]:
        """Let trouble with the store be told, once, and not raised."""
        try:
            yield
        except StoreError as error:
            if str(error) not in self._told:
                self._told.add(str(error))
                self._note(f"{error}; runs wait until it answers")
            self._closed.wait(AGAIN_S)

    def _read(self, text: str | None) -> RunRecord | None:
        with suppress(ValidationError):
            return RunRecord.model_validate_json(text) if text is not None else None
        return None

    def _sweep(self) -> None:
        """Forget the oldest runs that have ended; what they solved stays in the cache."""
        client = self.server.client
        with self.server.explained():
            old = client.zrange(self._all, 0, -KEEP_ENDED - 1)
            going = set(client.zrange(self._open, 0, -1)) if old else set()
            for identity in (one.decode() for one in old if one not in going):
                client.zrem(self._all, identity)
                self.server.delete(_record(identity), under={})
                self.server.delete(_solution(identity), under={})
                client.delete(self.server.name("events", identity), self.server.name("said", identity))


class _Claim:
    """A run whose lock this process holds. Implements `tdgen.web.run_store.Claim`."""

    held: ExitStack

    def __init__(self, runs: SharedRuns, record: RunRecord, number: int, lost: threading.Event) -> None:
        """`number` is that of its last event."""
        self.record = record
        self._runs = runs
        lock = runs.server.name("lock", f"run/{record.id}")
        self._locks = {lock: runs.server.held[lock]}
        self._number = number
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
        self.record = record
        self._patiently(lambda: self._runs.save(record, self._locks))

    def append(self, event: Mapping[str, Any]) -> None:
        """Keep an event."""
        text = event_text(event)
        with self._writing:
            number = self._number + 1
            self._patiently(lambda: self._runs.append(self.record.id, number, text, self._locks))
            self._number = number

    def deliver(self, solution: Solution) -> None:
        """Keep what came of it."""
        text = solution.model_dump_json()
        self._patiently(lambda: self._runs.server.put(_solution(self.record.id), text, under=self._locks))

    def release(self) -> None:
        """Work on it no more; what has not ended waits for the next, whom nobody died for."""
        if not self.record.has_ended:
            with suppress(StoreError):
                self._runs.save(self.record.model_copy(update={"state": "queued"}), self._locks)
        self.held.close()

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


class _Reader:
    """Reads a run's events from behind number `after` on. Implements `tdgen.web.run_store.Reader`."""

    def __init__(self, server: RedisStore, identity: str, after: int) -> None:
        self._server = server
        self._identity = identity
        self._after = max(0, after)

    def read(self) -> list[Line]:
        """The next events, one at the least; none where there are no more yet. What is not signed is passed over."""
        found: list[Line] = []
        while not found:
            with self._server.explained():
                events = self._server.name("events", self._identity)
                rows = self._server.client.xrange(events, f"{self._after + 1}-0", count=_PIECE)
            if not rows:
                break
            for place, fields in rows:
                self._after = int(place.partition(b"-")[0])
                text = self._server.unsealed(_event(self._identity, self._after), fields[b"event"])
                found += [] if text is None else [Line(self._after, text)]
        return found


def _record(identity: str) -> str:
    return f"run/{identity}/record"


def _solution(identity: str) -> str:
    return f"run/{identity}/solution"


def _event(identity: str, number: int) -> str:
    return f"run/{identity}/event/{number}"


def _said(identity: str, name: str) -> str:
    return f"run/{identity}/said/{name}"
