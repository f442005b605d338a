"""Many byte streams over one pair of pipes, each between a socket here and one on the other side.

A stream has a number. What its socket gives is sent in parcels, as much as the other side has room for: it gives leave
for more as it gets rid of what came. So a stream that nobody reads stops itself and none of the others.
Both sides read this file. Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable

from tdgen.sandbox.inside import parcels

ASK, MADE, FAILED, DATA, LEAVE, END, CUT = range(10, 17)
"""Of a stream: it is asked for; it is there; it can't be; bytes; leave for so many more; no more bytes; all over."""

_NUMBER = struct.Struct("!I")
_CHUNK = 1 << 15
_ROOM = 1 << 18

Say = Callable[[int, int, bytes], None]
"""Sends a parcel of that kind about the stream of that number. Safe to call from several threads."""


def parcel(kind: int, number: int, body: bytes = b"") -> bytes:
    """A parcel about one stream."""
    return parcels.wrap(kind, _NUMBER.pack(number) + body)


def opened(body: bytes) -> tuple[int, bytes]:
    """The number of the stream that a parcel is about, and what else it holds."""
    return _NUMBER.unpack_from(body)[0], body[_NUMBER.size :]


class Stream:
    """One stream's end on this side: two threads, from the socket and to it."""

    def __init__(self, number: int, end: socket.socket, say: Say, done: Callable[[int], None]) -> None:
        """The socket is the stream's own from now on; `done` is called once when it is closed."""
        self._number, self._socket, self._say, self._done = number, end, say, done
        self._changed = threading.Condition()
        self._leave = _ROOM
        self._coming: deque[bytes] = deque()
        self._left, self._is_cut = 2, False
        end.settimeout(None)

    def start(self) -> None:
        """Begin to carry."""
        for work in (self._from_socket, self._to_socket):
            threading.Thread(target=self._ended, args=(work,), name="tdgen-stream", daemon=True).start()

    def take(self, kind: int, body: bytes) -> None:
        """What the other side says of this stream. Never waits."""
        with self._changed:
            if kind == DATA and body:
                self._coming.append(body)
            elif kind == LEAVE:
                self._leave += _NUMBER.unpack(body)[0]
            elif kind == END:
                self._coming.append(b"")
            else:
                self.cut()
            self._changed.notify_all()

    def cut(self) -> None:
        """Have both threads end."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        with self._changed:
            self._is_cut = True
            self._coming.append(b"")
            self._changed.notify_all()

    def _ended(self, work: Callable[[], None]) -> None:
        """Do one thread's work; the last of them closes the socket."""
        try:
            work()
        except OSError:
            self.cut()
            with contextlib.suppress(OSError):
                self._say(CUT, self._number, b"")
        with self._changed:
            self._left -= 1
            if self._left:
                return
        self._socket.close()
        self._done(self._number)

    def _from_socket(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._leave > 0 or self._is_cut)
                most = min(_CHUNK, self._leave)
            data = b"" if self._is_cut else self._socket.recv(most)
            if not data:
                self._say(END, self._number, b"")
                return
            with self._changed:
                self._leave -= len(data)
            self._say(DATA, self._number, data)

    def _to_socket(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._coming)
                data = self._coming.popleft()
            if not data:
                self._socket.shutdown(socket.SHUT_WR)
                return
            self._socket.sendall(data)
            self._say(LEAVE, self._number, _NUMBER.pack(len(data)))


class Streams:
    """All streams of one side."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._open: dict[int, Stream] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """How many there are."""
        return len(self._open)

    def begin(self, number: int, end: socket.socket, then: Callable[[], None]) -> None:
        """Carry a stream to and from that socket; `then` is called when the other side may be told of it."""
        stream = Stream(number, end, self._say, self._forget)
        with self._lock:
            self._open[number] = stream
        then()
        stream.start()

    def take(self, kind: int, number: int, body: bytes) -> None:
        """Hand on what the other side says of a stream; what is said of none is passed over."""
        with self._lock:
            stream = self._open.get(number)
        if stream:
            stream.take(kind, body)

    def cut(self, *numbers: int) -> None:
        """Cut these streams; all of them where none is named."""
        with self._lock:
            found = [stream for number, stream in self._open.items() if not numbers or number in numbers]
        for stream in found:
            stream.cut()

    def _forget(self, number: int) -> None:
        with self._lock:
            self._open.pop(number, None)
