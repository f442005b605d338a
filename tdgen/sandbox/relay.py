"""Between a confined child and the hosts that are opened: it asks by name, and gets one end of a pair of sockets.

What it writes there goes to the host, and back; the connection itself is this process', so that nothing that a child
can do with a descriptor leads anywhere else. A child asks in packets: {"host": …, "port": …, "seconds": …}; the answer
is {"peer": [address, port]} with a descriptor, or {"errno": …, "said": …}.
"""

from __future__ import annotations

import contextlib
import errno
import json
import socket
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from tdgen.sandbox.hosts import Host, Undialled, dial
from tdgen.sandbox.inside.frames import send_packet

_CHUNK = 1 << 16
_QUESTION = 4096
MOST = 32
"""Connections that one child may have had open at once."""


class Relay:
    """Connects children to `hosts`, each by a line of its own."""

    def __init__(self, hosts: Sequence[Host]) -> None:
        self._hosts = hosts

    @contextlib.contextmanager
    def line(self) -> Iterator[int]:
        """A descriptor for a child to ask by; when this ends, so does all that was connected."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours, theirs:
            call = _Call(self._hosts, ours)
            threading.Thread(target=call.serve, name="tdgen-relay", daemon=True).start()
            try:
                yield theirs.fileno()
            finally:
                call.end()


class _Call:
    """One child's line, and what it has connected."""

    def __init__(self, hosts: Sequence[Host], line: socket.socket) -> None:
        self._hosts, self._line = hosts, line
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._ended = False

    def serve(self) -> None:
        """Answer until the child is gone."""
        with contextlib.suppress(OSError):
            while question := self._line.recv(_QUESTION):
                self._answer(question)

    def _answer(self, question: bytes) -> None:
        try:
            connection, peer = self._connected(question)
        except Undialled as error:
            send_packet(self._line, {"errno": error.number, "said": error.said})
            return
        ours, theirs = socket.socketpair()
        with theirs:
            if self._keep(connection, ours):
                carry(connection, ours, self._forget)
                send_packet(self._line, {"peer": peer}, (theirs.fileno(),))

    def _connected(self, question: bytes) -> tuple[socket.socket, Any]:
        if len(self._open) >= 2 * MOST:
            raise Undialled(errno.EMFILE, f"more than {MOST} connections at once")
        return connected(self._hosts, question)

    def _keep(self, *ends: socket.socket) -> bool:
        """Have them closed with the line; whether it still is."""
        with self._lock:
            if self._ended:
                for end in ends:
                    end.close()
            else:
                self._open.update(ends)
            return not self._ended

    def _forget(self, *ends: socket.socket) -> None:
        with self._lock:
            self._open.difference_update(ends)
        for end in ends:
            end.close()

    def end(self) -> None:
        """Cut everything; the threads close what they hold."""
        with self._lock:
            self._ended = True
            for end in (self._line, *self._open):
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)


def connected(hosts: Sequence[Host], question: bytes) -> tuple[socket.socket, Any]:
    """What a child asks for: a connection, and the address and port at its other end. Undialled where there is none."""
    try:
        asked: Any = json.loads(question)
        name, port, seconds = str(asked["host"])[:300], int(asked["port"]), float(asked["seconds"])
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
        raise Undialled(errno.EINVAL, "that is no question") from None
    connection = dial(hosts, name, port, seconds)
    try:
        return connection, connection.getpeername()[:2]
    except OSError as error:
        connection.close()
        raise Undialled(error.errno or errno.ECONNRESET, f"{name}:{port} hung up at once") from None


def carry(one: socket.socket, other: socket.socket, done: Any) -> None:
    """Have two threads carry what comes from each of the sockets to the other, and call `done` with both at the end."""
    one.settimeout(None)
    left = threading.Semaphore(0)

    def run(source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(_CHUNK):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            for end in (source, sink):
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
        finally:
            left.release()

    def both() -> None:
        run(one, other)
        left.acquire()
        left.acquire()
        done(one, other)

    threading.Thread(target=run, args=(other, one), name="tdgen-relay-out", daemon=True).start()
    threading.Thread(target=both, name="tdgen-relay-in", daemon=True).start()
