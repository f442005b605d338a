"""Where an HTTP server listens, who may reach it there, and how it ends: by a signal, in good order."""

from __future__ import annotations

import errno
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import uvicorn
from starlette.types import ASGIApp

from tdgen.errors import InputError
from tdgen.web.access import AccessLog
from tdgen.web.callers import Caller
from tdgen.web.guard import is_loopback


class Address(NamedTuple):
    """Where to listen, and under which further names; only `callers` are let in, anybody where there are none."""

    host: str = "127.0.0.1"
    port: int = 8137
    callers: tuple[Caller, ...] = ()
    names: tuple[str, ...] = ()


def check(address: Address) -> None:
    """InputError where others could reach it without a token."""
    if not address.callers and not is_loopback(address.host):
        raise InputError(f"{address.host} can be reached by others: add --token TOKEN, or leave --host at 127.0.0.1")


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
        place = f"port {address.port} on {address.host}"
        why = f"{place} can't be listened at: {error.strerror}"
        if error.errno == errno.EADDRINUSE:
            why = f"{place} is taken: end what listens there, or choose another with --port (0 takes a free one)"
        elif error.errno == errno.EACCES:
            why = f"{place} needs rights that you don't have: choose one above 1023 with --port"
        raise InputError(why) from None
    return listener


class GracefulServer(uvicorn.Server):
    """A server that signals end, without ending the process."""

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


async def serve_app(app: ASGIApp, listener: socket.socket) -> None:
    """Serve another application behind a socket until a signal ends it."""
    config = uvicorn.Config(
        AccessLog(app), log_level="critical", access_log=False, timeout_graceful_shutdown=3, ws="none"
    )
    await GracefulServer(config).serve([listener])
