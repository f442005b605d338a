"""Hanging up on a server from another thread, whatever its reader waits for: the first byte, or the next one.

To close a socket does not wake the thread that reads from it; to shut it down does. Which socket a call reads from is
known only below the HTTP client, where a pooled connection is chosen: so the client's network backend is laid over by
one that notes, for each thread, the socket that it reads from just now. To connect is not ended so: it has a time limit
of its own (`CONNECT_S`).
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from openai import OpenAI


class Line:
    """What one call reads from; once it is hung up, every read on it fails."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._is_cut = False

    def hang_up(self) -> None:
        """Wake the reader, and let it read no more. Safe from any thread, at any time."""
        with self._lock:
            self._is_cut = True
            if self._socket is not None:
                with suppress(OSError, ValueError):
                    # Of a TLS socket the plain half: its own `shutdown` would take the session from under its reader.
                    socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    @contextmanager
    def reading(self, connection: Any) -> Iterator[None]:
        """The call reads from this socket meanwhile; ConnectionAbortedError where it was hung up."""
        with self._lock:
            if self._is_cut:
                raise ConnectionAbortedError("hung up")
            self._socket = connection if isinstance(connection, socket.socket) else None
        try:
            yield
        finally:
            with self._lock:
                self._socket = None


class Lines:
    """The lines of a client's calls, each in the thread that it was opened in."""

    def __init__(self) -> None:
        self._here = threading.local()

    @contextmanager
    def open(self) -> Iterator[Line]:
        """A line for all that this thread reads meanwhile."""
        self._here.line = line = Line()
        try:
            yield line
        finally:
            self._here.line = None

    def lay_under(self, client: OpenAI) -> None:
        """Have all that the client reads go over these lines: also through a proxy that the environment names."""
        http = client._client  # noqa: SLF001 - neither openai nor httpx2 has a public way to a pool's network backend
        transports: list[Any] = [http._transport, *http._mounts.values()]  # noqa: SLF001
        for pool in [vars(transport).get("_pool") for transport in transports if transport is not None]:
            if pool is not None:
                pool._network_backend = _Backend(pool._network_backend, self)  # noqa: SLF001

    @property
    def here(self) -> Line | None:
        """This thread's line, where it has one."""
        return getattr(self._here, "line", None)


class _Backend:
    """A network backend of httpcore2 whose streams are read over lines."""

    def __init__(self, inner: Any, lines: Lines) -> None:
        self._inner = inner
        self._lines = lines

    def connect_tcp(self, *arguments: Any, **more: Any) -> _Stream:
        return _Stream(self._inner.connect_tcp(*arguments, **more), self._lines)

    def connect_unix_socket(self, *arguments: Any, **more: Any) -> _Stream:
        return _Stream(self._inner.connect_unix_socket(*arguments, **more), self._lines)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class _Stream:
    """A network stream of httpcore2 that is read over the reading thread's line."""

    def __init__(self, inner: Any, lines: Lines) -> None:
        self._inner = inner
        self._lines = lines

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        line = self._lines.here
        if line is None:
            return bytes(self._inner.read(max_bytes, timeout))
        from httpcore2 import ReadError

        try:
            with line.reading(self._inner.get_extra_info("socket")):
                return bytes(self._inner.read(max_bytes, timeout))
        except ConnectionAbortedError as error:
            raise ReadError(str(error)) from error

    def start_tls(self, *arguments: Any, **more: Any) -> _Stream:
        return _Stream(self._inner.start_tls(*arguments, **more), self._lines)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)
