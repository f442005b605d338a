"""The runs of many processes, on as many hosts, in the store that they share: which there are, and who has them.

A run is claimed by a lock, which falls soon after its holder died or stood still: then another process takes the run
over and goes on from its journal. Records, solutions, events and answers bear the team's signature where there is one.
A stream has the news, by which all processes hear that a run is queued, told something, or has more events.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import Any, Final

from tdgen.errors import Cancelled, StoreError
from tdgen.solution import Solution
from tdgen.team.redis import SLOW_S, RedisStore
from tdgen.web.orders import Full, RunRecord
from tdgen.web.run_claim import (
    AGAIN_S,
    EventReader,
    HeldRun,
    announce,
    parsed_record,
    read_record,
    record_key,
    solution_key,
)
from tdgen.web.run_store import ALL, Listeners, News, Said

KEEP_ENDED: Final = 200
LOOK_S: Final = 1.0
"""How often all is looked at of which no news came: a worker that died tells nobody."""
TELL_AGAIN_S: Final = 60.0
_COUNTS_LIVE_S: Final = 3 * 86_400
_SAID_LIVES_S: Final = 30 * 86_400

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


class SharedRuns:
    """Runs in a shared store. Implements `tdgen.web.run_store.RunStore`."""

    def __init__(self, server: RedisStore, note: Callable[[str], None]) -> None:
        """Work on the runs in `server`, which is closed with this; StoreError where it can't be used.

        `note` is told in a line what goes wrong later, each thing once a minute as long as it lasts.
        """
        self.server = server
        self._note = note
        self._told: dict[str, float] = {}
        server.note = self._tell_of
        slow = f"the shared store at {server.address} takes over {SLOW_S:g} s an answer, and a run waits for dozens"
        server.on_slow = lambda: self._tell_of(slow)
        self._listeners = Listeners()
        self._all, self._open, self._news = (server.name("runs", kind) for kind in ("all", "open", "news"))
        self._add = server.client.register_script(_ADD)
        self._closed = threading.Event()
        with server.explained():
            newest = server.client.xrevrange(self._news, count=1)
        self._hearing = threading.Thread(target=self._hear, args=[newest[0][0] if newest else b"0"], daemon=True)
        self._hearing.start()

    def add(self, record: RunRecord, waiting: int) -> None:
        """Queue a run; Full where so many wait already."""
        self.server.put(record_key(record.id), record.model_dump_json(), under={})
        with self.server.explained():
            if not self._add(keys=[self._open, self._all, self._news], args=[record.id, waiting]):
                self.server.delete(record_key(record.id), under={})
                raise Full(f"{waiting} instructions wait already")
        self._sweep()

    def claim(self, identity: str = "", *, orphaned: bool = False) -> HeldRun | None:
        """The next run that nobody works on, or the one of that id; None where there is none."""
        with self._noted():
            there = [identity]
            if not identity:  # those that have not ended, or of these such as were claimed before
                with self.server.explained():
                    found = self.server.client.zrangebyscore(self._open, "-inf", "(0" if orphaned else "+inf")
                there = [one.decode() for one in found]
            for one in there:
                if (claim := self._claimed(one)) is not None:
                    return claim
        return None

    def record(self, identity: str) -> RunRecord | None:
        """How a run stands; None where there is no such run."""
        record = read_record(self.server, identity)
        if record is None or record.state != "running" or record.stopping:
            return record
        return record.model_copy(update={"stopping": self.said(identity).stopping})

    def records(self) -> list[RunRecord]:
        """All runs, the newest first."""
        with self.server.explained():
            identities = [one.decode() for one in self.server.client.zrevrange(self._all, 0, -1)]
        records = map(parsed_record, self.server.get_many([record_key(one) for one in identities]))
        return [record for record in records if record is not None]

    def solution(self, identity: str) -> Solution | None:
        """What came of a run; None where nothing did, or not yet."""
        return Solution.from_json(self.server.get(solution_key(identity)))

    def reader(self, identity: str, after: int = 0) -> EventReader:
        """A reader of a run's events behind number `after`."""
        return EventReader(self.server, identity, after)

    def stop(self, identity: str) -> None:
        """Tell whoever works on a run that it is to end."""
        self._say(identity, "stop", "1")

    def answer(self, identity: str, question: str, answer: str) -> bool:
        """Tell them the answer to a question; False where it is answered already."""
        return self._say(identity, question, answer)

    def said(self, identity: str) -> Said:
        """What was said to a run since it was claimed first."""
        with self.server.explained():
            rows = self.server.client.hgetall(self.server.name("said", identity))
        said = {name.decode(): self.server.unsealed(_said(identity, name.decode()), row) for name, row in rows.items()}
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

    def keep_work(self, identity: str, status: str, seconds: float) -> None:
        """Keep, for so long, how work stands that is no run."""
        self.server.put(f"work/{identity}", status, under={}, ttl_s=seconds)

    def work(self, identity: str) -> str | None:
        """How such work stands, wherever it goes on; None where there is none, or its process died."""
        return self.server.get(f"work/{identity}")

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
            figures = self.server.client.hgetall(self.server.name("counts", about))
        return {name.decode(): float(value) for name, value in figures.items()}

    def close(self) -> None:
        """Hear no more, and close the connections."""
        self._closed.set()
        with suppress(StoreError), self.server.explained():
            announce(self.server, News("", "event"))  # which wakes the thread that hears
        self._hearing.join()
        self.server.close()

    def _claimed(self, identity: str) -> HeldRun | None:
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
            record = read_record(self.server, identity)
            with self.server.explained():
                if record is None or record.has_ended:
                    self.server.client.zrem(self._open, identity)
                    return None
                self.server.client.zadd(self._open, {identity: -1}, xx=True)
            claim = HeldRun(self.server, record, lost)
            if record.state == "running" and claim.is_set_aside():
                return None
            claim.held = held.pop_all()
            return claim

    def _say(self, identity: str, name: str, text: str) -> bool:
        """Tell a run something; False where it was told it before."""
        row = self.server.sealed(_said(identity, name), text)
        with self.server.explained():
            said = self.server.name("said", identity)
            is_new = self.server.client.hsetnx(said, name, row)
            self.server.client.expire(said, _SAID_LIVES_S)
            announce(self.server, News(identity, "said"))
        return bool(is_new)

    def _hear(self, last: bytes) -> None:
        """Tell listeners of the news, and every now and then that any may have been missed."""
        looked = time.monotonic()
        while not self._closed.is_set():
            streams: Iterable[Any] = ()
            with self._noted(), self.server.explained():
                streams = self.server.client.xread({self._news: last}, count=500, block=round(LOOK_S * 1000))
            for _, entries in streams:
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
        """Let trouble with the store be told, and not raised. One that is full still gives what is read."""
        try:
            yield
        except StoreError as error:
            self._tell_of(f"{error}; runs wait for that")
            self._closed.wait(AGAIN_S)

    def _tell_of(self, trouble: str) -> None:
        """Have trouble told that was not told just now."""
        if time.monotonic() - self._told.get(trouble, -TELL_AGAIN_S) >= TELL_AGAIN_S:
            self._told[trouble] = time.monotonic()
            self._note(trouble)

    def _sweep(self) -> None:
        """Forget the oldest runs that have ended; what they solved stays in the cache."""
        client = self.server.client
        with self.server.explained():
            old = client.zrange(self._all, 0, -KEEP_ENDED - 1)
            going = set(client.zrange(self._open, 0, -1)) if old else set()
            for identity in (one.decode() for one in old if one not in going):
                client.zrem(self._all, identity)
                self.server.delete(record_key(identity), under={})
                self.server.delete(solution_key(identity), under={})
                client.delete(self.server.name("events", identity), self.server.name("said", identity))


def _said(identity: str, name: str) -> str:
    """Under which key what was said to a run is sealed and unsealed."""
    return f"run/{identity}/said/{name}"
