"""From settings to a port that answers: what can't be served is said in one line before anything is."""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from tdgen.errors import InputError
from tdgen.generator import Generator
from tdgen.settings import Settings
from tdgen.web.guard import Rules, is_loopback

SHORTEST_TOKEN: Final = 16
MOST_CONNECTIONS: Final = 1_000


class Address(NamedTuple):
    """Where to listen, and under which further names; `token` is what callers must have."""

    host: str = "127.0.0.1"
    port: int = 8137
    token: str = ""
    names: tuple[str, ...] = ()


class Queue(NamedTuple):
    """How many runs go on at once, and how many may wait."""

    at_once: int = 2
    waiting: int = 32


def serve(settings: Settings, address: Address, queue: Queue, say: Callable[[str], None]) -> None:
    """Serve until the process is told to end; `say` is told where, in a line.

    InputError where the address can't be listened at, or is open to others without a token; StoreError where the
    cache can't be used.
    """
    check(address)
    with _listening(address) as listener, Generator(settings) as generator:
        port = listener.getsockname()[1]
        shown = f"[{address.host}]" if ":" in address.host else address.host
        asyncio.run(_served(generator, address, queue, listener, lambda: say(f"tdgen is at http://{shown}:{port}/")))


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


async def _served(
    generator: Generator, address: Address, queue: Queue, listener: socket.socket, ready: Callable[[], None]
) -> None:
    import uvicorn

    from tdgen.web.app import make_app
    from tdgen.web.desk import Desk

    leaving = asyncio.Event()

    class Server(uvicorn.Server):
        """Event streams never end by themselves: whoever waits for them is told that the service does."""

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            """Ctrl-C and SIGTERM end the service in good order, and that is all they do."""
            before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
            try:
                yield
            finally:
                for number, handler in before.items():
                    signal.signal(number, handler)

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            leaving.set()
            await super().shutdown(sockets)

    desk = Desk(generator, generator.folder, at_once=queue.at_once, waiting=queue.waiting)
    rules = Rules(address.token, frozenset((address.host, *address.names)))
    config = uvicorn.Config(
        make_app(generator, desk, rules, leaving),
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=3,
        ws="none",
    )
    try:
        await Server(config).serve([listener])
    finally:
        desk.close()


def _listening(address: Address) -> socket.socket:
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
