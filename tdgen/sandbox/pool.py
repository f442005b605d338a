"""Servers kept warm: as many at work as there are processors, one job each, replaced when they end."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator

from tdgen.errors import SandboxError
from tdgen.sandbox.server import Plan, Server

_KINDS = 3
"""How many kinds of server one solve uses by turns: for probes, and for test files under each of two hash seeds."""


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0))


class Pool:
    """Leases servers, which `start` starts. Safe to use from several threads."""

    def __init__(self, capacity: int, start: Callable[[Plan], Server]) -> None:
        self._capacity, self._start = capacity, start
        self._at_work: set[Server] = set()
        self._reserved = 0
        self._idle: list[Server] = []
        self._free = threading.Condition()
        self._closed = False

    @property
    def most(self) -> int:
        """How many servers there may be, those at work and idle ones."""
        return (1 + _KINDS) * self._capacity

    @contextlib.contextmanager
    def lease(self, plan: Plan) -> Iterator[Server]:
        """A server for `plan`, alone; one that was left by an exception is ended, any other is kept for the next."""
        server = self._take(plan)
        try:
            yield server
        except BaseException:
            self._drop(server)
            raise
        self._give_back(server)

    def _take(self, plan: Plan) -> Server:
        """An idle server for `plan`, or a new one as soon as fewer than `capacity` are at work."""
        with self._free:
            while not self._closed and self._reserved >= self._capacity:
                self._free.wait()
            if self._closed:
                raise SandboxError("the sandbox was closed: open another one")
            self._reserved += 1
            server = next((idle for idle in reversed(self._idle) if idle.plan == plan), None)
            if server is not None:
                self._idle.remove(server)
                self._at_work.add(server)
                return server
        try:
            server = self._start(plan)
        except BaseException:
            with self._free:
                self._reserved -= 1
                self._free.notify()
            raise
        with self._free:
            self._at_work.add(server)
        return server

    def _give_back(self, server: Server) -> None:
        """Keep `server` for the next job; too many idle ones are ended, the longest idle first."""
        with self._free:
            self._at_work.discard(server)
            self._reserved -= 1
            self._idle.append(server)
            surplus = self._idle if self._closed else self._idle[: -_KINDS * self._capacity]
            self._idle = self._idle[len(surplus) :]
            self._free.notify()
        _end(surplus)

    def _drop(self, server: Server) -> None:
        """End `server`: what state it is in isn't known. Its place is free afterwards, whatever its end raises."""
        try:
            server.kill()
        finally:
            with self._free:
                self._at_work.discard(server)
                self._reserved -= 1
                self._free.notify()

    def close(self) -> None:
        """End all servers; those at work lose their job. Closing twice is allowed."""
        with self._free:
            self._closed = True
            idle, self._idle = self._idle, []
            for server in self._at_work:
                server.interrupt()
            self._free.notify_all()
        _end(idle)


def _end(servers: list[Server]) -> None:
    """End all of `servers` at once rather than one after the other; an error of one is raised when all have ended."""
    with contextlib.ExitStack() as ends:  # the last callback is called first
        for server in servers:
            ends.callback(server.wait)
        for server in servers:
            ends.callback(server.hang_up)
