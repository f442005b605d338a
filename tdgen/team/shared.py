"""The store on this machine with the one that a team shares behind it.

What is asked for is looked for here first, then there. What is written goes to both. Nothing here says that what came
from there is right. Functions are judged whatever store they came from; solutions that came from there are judged
before they count (`tdgen.team.solutions`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tdgen.cache.team import Judging
from tdgen.protocols import Emit, Store
from tdgen.settings import Settings
from tdgen.team.redis import RedisStore
from tdgen.team.server import TeamServer
from tdgen.team.solutions import SharedSolutions


@dataclass(eq=False)
class SharedStore:
    """This machine's store and the team's. Implements `tdgen.cache.team.TeamStore`.

    `team` is the team's alone; where it fails, its methods do nothing, and `notes` gives what is to be told.
    """

    local: Store
    team: TeamServer

    def get(self, key: str) -> str | None:
        """The text kept under `key`, here or else there."""
        text = self.local.get(key)
        return self.team.get(key) if text is None else text

    def put(self, key: str, text: str) -> None:
        """Keep `text` under `key`, here and there; StoreError where it can't be kept here."""
        self.local.put(key, text)
        self.team.put(key, text)

    def delete(self, key: str) -> bool:
        """Forget `key`, here and there; whether there was something to forget here."""
        self.team.delete(key)
        return self.local.delete(key)

    def keys(self, prefix: str = "") -> Iterator[str]:
        """All keys here that start with `prefix`, sorted: those of the team's are not listed."""
        return self.local.keys(prefix)

    @contextmanager
    def lock(
        self, key: str, is_cancelled: Callable[[], bool] | None = None, on_lost: Callable[[], None] = lambda: None
    ) -> Iterator[None]:
        """Hold `key` alone among all threads, processes and, while the server answers, hosts."""
        with self.local.lock(key, is_cancelled), self.team.lock(key, is_cancelled, on_lost):
            yield

    def solutions(self, tools: Judging, settings: Settings, emit: Emit) -> SharedSolutions:
        """The team's solutions, judged by these tools before they count."""
        return SharedSolutions(self.team, tools, settings, emit)

    def close(self) -> None:
        """Let go of connections; both open others when they are used again."""
        self.local.close()
        self.team.close()


def open_store(address: str, key: str, local: Store, *, read_only: bool) -> SharedStore:
    """The `local` store with the Redis at that address behind it, whose entries are signed by `key`.

    InputError for a bad address, MissingExtra without redis-py; nothing is asked of the server yet.
    """
    return SharedStore(local, TeamServer(RedisStore(address, key.encode()), read_only=read_only))
