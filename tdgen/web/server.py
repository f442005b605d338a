"""uvicorn, taught that event streams never end by themselves, and that a signal only ends the service."""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

import uvicorn

from tdgen.client import Generator
from tdgen.web.address import Address
from tdgen.web.app import make_app
from tdgen.web.guard import Rules
from tdgen.web.run_queue import RunQueue

MOST_CONNECTIONS: Final = 1_000


class Queue(NamedTuple):
    """How many runs go on at once, and how many may wait."""

    at_once: int = 2
    waiting: int = 32


class Server(uvicorn.Server):
    """The service behind a socket; `run_queue` is its queue."""

    def __init__(
        self, config: uvicorn.Config, run_queue: RunQueue, leaving: asyncio.Event, ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self.run_queue = run_queue
        self._leaving = leaving
        self._ready = ready

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ctrl-C and SIGTERM end the service in good order, and that is all they do."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Say when it answers."""
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the event streams before those who read them are waited for."""
        self._leaving.set()
        await super().shutdown(sockets)


def make_server(generator: Generator, address: Address, queue: Queue, ready: Callable[[], None]) -> Server:
    """A server that answers once it is given a socket, and goes on at once with what an earlier one left."""
    leaving = asyncio.Event()
    run_queue = RunQueue(generator, generator.folder, at_once=queue.at_once, waiting=queue.waiting)
    rules = Rules(address.token, frozenset((address.host, *address.names)))
    config = uvicorn.Config(
        make_app(generator, run_queue, rules, leaving),
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=3,
        ws="none",
    )
    return Server(config, run_queue, leaving, ready)
