"""A team's server, of which nothing that fails stops a run.

One that does not answer, or slowly, is let be for a while, and the work goes on with this machine's store alone: each
trouble is told once.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Final, TypeVar

from tdgen.cache.disk import file_name
from tdgen.errors import LostLock, StoreError, UnansweredStore
from tdgen.team.redis import SLOW_S, Locks, RedisStore

PAUSE_S: Final = 15.0
"""How long a server that did not answer is let be: at most one wait of a few seconds in so many is lost to it."""
SLOW_PAUSE_S: Final = 60.0
"""How long a slow server is let be: two slow answers are lost to it each time."""
ANSWERS_LIVE_S: Final = 30 * 86_400.0
"""How long the answers of an unfinished run stay there: as long as they would here."""
_MOST_NOTES: Final = 20

T = TypeVar("T")


class TeamServer:
    """The server, of which nothing that is wrong stops a run: it is noted, once until the server is well again."""

    def __init__(
        self, server: RedisStore, *, read_only: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`read_only` writes nothing to the server, and holds no lock there."""
        self._server = server
        self._read_only = read_only
        self._clock = clock
        self._lock = threading.Lock()
        self._let_be_until: float | None = None
        self._told: set[str] = set()
        self._notes: list[str] = []
        server.note, server.on_slow = self.note, self._let_be
        self.address = server.address

    def notes(self) -> list[str]:
        """What is to be told since the last time."""
        with self._lock:
            notes, self._notes = self._notes, []
        return notes

    def check(self) -> list[str]:
        """Write, read and forget an entry; what went wrong with that."""
        self.put("checkup", "")
        self.get("checkup")
        self.delete("checkup")
        return self.notes()

    def note(self, text: str) -> None:
        """Have this told, once."""
        with self._lock:
            if text not in self._told and len(self._told) < _MOST_NOTES:
                self._told.add(text)
                self._notes.append(text)

    def get(self, key: str) -> str | None:
        """The text kept under `key` there; None where there is none to be had."""
        return self._tried(lambda: self._server.get(key))

    def get_many(self, keys: Sequence[str]) -> list[str | None]:
        """What `get` gives for each of them, in one turn."""
        return self._tried(lambda: self._server.get_many(keys)) or [None for _ in keys]

    def get_all(self, prefix: str) -> list[str | None]:
        """What `get` gives for each key there that starts with `prefix`."""
        return self._tried(lambda: self._server.get_many(list(self._server.keys(prefix)))) or []

    def put(self, key: str, text: str, *, under: Locks | None = None, ttl_s: float | None = None) -> None:
        """Keep `text` there, where that may and can be; LostLock where another host took over."""
        if not self._read_only:
            self._tried(lambda: self._server.put(key, text, under=under, ttl_s=ttl_s))

    def delete(self, key: str, *, under: Locks | None = None) -> None:
        """Forget `key` there, where that may and can be."""
        if not self._read_only:
            self._tried(lambda: self._server.delete(key, under=under))

    @contextmanager
    def lock(self, key: str, is_cancelled: Callable[[], bool] | None, on_lost: Callable[[], None]) -> Iterator[None]:
        """Hold `key` there; where that can't be, it is held by this machine's store alone."""
        with ExitStack() as held:
            if not self._read_only:
                self._tried(lambda: held.enter_context(self._server.lock(key, is_cancelled, on_lost)))
            yield

    def book(self, name: str, in_a_minute: int, left_s: float | None) -> float | None:
        """Book a turn among all hosts': see `RedisStore.book`; None where that can't be."""
        return None if self._read_only else self._tried(lambda: self._server.book(name, in_a_minute, left_s))

    def answers(self, run: str) -> SharedAnswers:
        """The answers of the run of that key, written under the locks that this thread holds now."""
        return SharedAnswers(self, f"run/{file_name(run)}/", self._server.held)

    def close(self) -> None:
        """Close the connections."""
        self._server.close()

    def _let_be(self) -> None:
        """Let the server be for a while, as it is slow."""
        self._let_be_until = self._clock() + SLOW_PAUSE_S
        self.note(
            f"the shared store at {self.address} takes over {SLOW_S:g} s an answer; going on with this machine's cache "
            f"alone, and asking it again every {SLOW_PAUSE_S:g} s"
        )

    def _tried(self, call: Callable[[], T]) -> T | None:
        """What the call gives; None where the server failed, or is let be."""
        let_be_until = self._let_be_until
        if let_be_until is not None and self._clock() < let_be_until:
            return None
        try:
            result = call()
        except LostLock:
            raise
        except UnansweredStore as error:
            self._let_be_until = self._clock() + PAUSE_S
            self.note(f"{error}; going on with this machine's cache alone")
            return None
        except StoreError as error:
            self.note(f"{error}; what is written is kept on this machine alone")
            return None
        # A call that began before another one failed says nothing of the server as it is now.
        if let_be_until is not None and self._let_be_until == let_be_until:
            self._let_be_until = None
            with self._lock:
                self._told.clear()
            self.note(f"the shared store at {self.address} answers again")
        return result


@dataclass(eq=False)
class SharedAnswers:
    """What models answered to an unfinished run, for whichever host goes on with it.

    Implements `tdgen.cache.team.SharedAnswers`; safe to use from several threads.
    """

    _team: TeamServer
    _place: str
    _under: Locks

    def get(self, key: str) -> str | None:
        """The answer that a host kept under `key`, or None."""
        return self._team.get(self._place + key)

    def put(self, key: str, text: str) -> None:
        """Keep an answer; LostLock where another host took the run over."""
        self._team.put(self._place + key, text, under=self._under, ttl_s=ANSWERS_LIVE_S)

    def delete(self, key: str) -> None:
        """Forget an answer; LostLock as of `put`."""
        self._team.delete(self._place + key, under=self._under)
