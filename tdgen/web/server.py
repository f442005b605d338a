"""The service from its settings to a port that answers, and who may reach it.

Where the service listens, and who may reach it: what can't be is said in one line before anything is served.

uvicorn, taught that event streams never end by themselves, and that a signal only ends the service.

From settings to a port that answers.
"""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import uvicorn

from tdgen.client import Generator
from tdgen.errors import InputError
from tdgen.settings import Settings
from tdgen.web.app import make_app
from tdgen.web.guard import Rules, is_loopback
from tdgen.web.run_queue import RunQueue

SHORTEST_TOKEN: Final = 16


class Address(NamedTuple):
    """Where to listen, and under which further names; `token` is what callers must have."""

    host: str = "127.0.0.1"
    port: int = 8137
    token: str = ""
    names: tuple[str, ...] = ()


def check(address: Address) -> None:
    """InputError where others could reach it without a token, or guess that."""
    if address.token and len(address.token) < SHORTEST_TOKEN:
        raise InputError(f"the token is too short to be safe: give {SHORTEST_TOKEN} characters at the least")
    if not address.token.isascii() or any(c.isspace() for c in address.token):
        raise InputError("the token must be of ASCII characters without spaces: it travels in a header")
    if not address.token and not is_loopback(address.host):
        raise InputError(f"{address.host} can be reached by others: add --token TOKEN, or leave --host at 127.0.0.1")


def read_token(path: Path) -> str:
    """The token in a file; InputError where there is none."""
    try:
        token = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise InputError(f"the token's file {path} can't be read: {why}") from None
    if not token:
        raise InputError(f"the token's file {path} is empty: write the token in it")
    return token


def listening(address: Address) -> socket.socket:
    """A socket that listens there; InputError where that can't be."""
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, OverflowError, UnicodeError):
        raise InputError(f"{address.host} is no address of this machine: give one to --host") from None
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(where)
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise InputError(_why(error, address)) from None
    return listener


def _why(error: OSError, address: Address) -> str:
    place = f"port {address.port} on {address.host}"
    if error.errno == errno.EADDRINUSE:
        return f"{place} is taken: end what listens there, or choose another with --port (0 takes a free one)"
    if error.errno == errno.EACCES:
        return f"{place} needs rights that you don't have: choose one above 1023 with --port"
    return f"{place} can't be listened at: {error.strerror}"


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


def serve(settings: Settings, address: Address, queue: Queue, say: Callable[[str], None]) -> None:
    """Serve until the process is told to end; `say` is told where, in a line.

    InputError where the address can't be listened at, or is open to others without a token; StoreError where the
    cache can't be used.
    """
    check(address)
    with listening(address) as listener, Generator(settings) as generator:
        port = listener.getsockname()[1]
        shown = f"[{address.host}]" if ":" in address.host else address.host
        server = make_server(generator, address, queue, lambda: say(f"tdgen is at http://{shown}:{port}/"))
        try:
            asyncio.run(server.serve([listener]))
        finally:
            server.run_queue.close()
