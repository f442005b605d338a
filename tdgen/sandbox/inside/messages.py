"""Messages between the host, a server and its children, and the descriptors that carry them.

Host and inside send data behind its length on a stream, and packets that carry descriptors. A child has only
descriptors that are no other child's, with an opening of its own behind each that it keeps.

That a child has ended is learnt while something else is waited for: the kernel gives a descriptor for a process (since
5.3); where it does not (gVisor's), the signal that tells of a child's end wakes the poll.

A child is asked by an order: a small request, a job, and probes that reach it one at a time, each when it is due. A
probe is due when the one before it was answered. Until then it is kept in a process in which no candidate runs, so that
a candidate's process never holds a case but the one that it is being tried on. Whoever reads a child's answers counts
them and sends the next probe at once: nobody has to understand an answer before the child can go on.

Both sides read this file. Standard library only, Python 3.9 and later: it runs inside.
"""

from __future__ import annotations

import array
import contextlib
import json
import os
import signal
import socket
import stat
import struct
from collections import deque
from typing import Any, NamedTuple

_STANDARD = (0, 1, 2)
_MOST = 64


def leading_nowhere() -> list[int]:
    """Those of the null device that loaded programs hold open (a log without a file) and will want to close."""
    null, descriptors = os.fstat(0).st_rdev, []
    for fd in range(len(_STANDARD), _MOST):
        with contextlib.suppress(OSError):
            facts = os.fstat(fd)
            if stat.S_ISCHR(facts.st_mode) and facts.st_rdev == null:
                descriptors.append(fd)
    return descriptors


def open_anew(*descriptors: int) -> None:
    """Have the standard ones and these lead to the null device by an opening of this process' own.

    A lock, or a flag such as O_APPEND, belongs to the opening: by an inherited one it would outlive this process.
    """
    own = os.open(os.devnull, os.O_RDWR)
    for fd in (*_STANDARD, *descriptors):
        os.dup2(own, fd, inheritable=fd in _STANDARD)
    os.close(own)


def close_all_but(*kept: int) -> None:
    """Close every descriptor but these and the standard ones."""
    start = len(_STANDARD)
    for fd in sorted(kept):
        os.closerange(start, fd)
        start = fd + 1
    os.closerange(start, start + _MOST)


HEADER = struct.Struct("=I")
MAX_FRAME = 8 * 1024 * 1024
_MAX_PACKET = 65536
_MAX_DESCRIPTORS = 4

_dump = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
_read, _write, _pack = os.read, os.write, HEADER.pack


class TooLarge(Exception):
    """A frame would be larger than MAX_FRAME."""


def frame(content: Any) -> bytes:
    """`content` as one frame. TooLarge, and whatever JSON refuses (ValueError, RecursionError)."""
    body = _dump(content).encode("ascii")
    if len(body) > MAX_FRAME:
        raise TooLarge(len(body))
    return _pack(len(body)) + body


def write_all(fd: int, data: bytes) -> None:
    """Write all of `data`, however often the pipe is full."""
    view = memoryview(data)
    while view:
        view = view[_write(fd, view) :]


def sized(data: bytes) -> bytes:
    """`data` behind its length."""
    return _pack(len(data)) + data


def take(fd: int) -> bytes:
    """The next data behind its length on a stream; EOFError when the other side is gone."""
    return _exactly(fd, HEADER.unpack(_exactly(fd, HEADER.size))[0])


def _exactly(fd: int, size: int) -> bytes:
    """The next `size` bytes."""
    data = _read(fd, size) if size else b""
    if len(data) == size:
        return data
    parts, missing = [data], size - len(data)
    while missing:
        if not parts[-1]:
            raise EOFError("the other side is gone")
        parts.append(_read(fd, missing))
        missing -= len(parts[-1])
    return b"".join(parts)


def send_packet(link: socket.socket, content: Any, descriptors: tuple[int, ...] = ()) -> None:
    """Send one packet of small JSON with open file descriptors."""
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
    link.sendmsg([json.dumps(content).encode("ascii")], rights)


def receive_packet(link: socket.socket) -> tuple[Any, list[int]]:
    """The next packet and its descriptors (not inherited by exec); EOFError when the other side is gone."""
    size = array.array("i").itemsize
    flags = socket.MSG_CMSG_CLOEXEC
    body, rights, _, _ = link.recvmsg(_MAX_PACKET, socket.CMSG_SPACE(_MAX_DESCRIPTORS * size), flags)
    descriptors = array.array("i")
    for level, kind, data in rights:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            descriptors.frombytes(data[: len(data) - len(data) % size])
    if not body:
        raise EOFError("the other side is gone")
    return json.loads(body), list(descriptors)


_NO_HANDLE = -1


def by_handle() -> bool:
    """Whether this kernel gives descriptors for processes."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return False
    return True


class ExitWatcher:
    """Tells of the ends of this process' children: `handle` before a child is waited for, `fd` to poll, `has_ended`."""

    def __init__(self) -> None:
        self._woken: socket.socket | None = None
        if not by_handle():
            self._woken, self._waking = socket.socketpair()
            for end in (self._woken, self._waking):
                end.settimeout(0)
            signal.set_wakeup_fd(self._waking.fileno(), warn_on_full_buffer=False)
            signal.signal(signal.SIGCHLD, lambda *_: None)  # it is only to wake

    def handle(self, pid: int) -> int:
        """A descriptor for a child, to be closed by `forget`; a number that is none where the kernel has no such."""
        return os.pidfd_open(pid) if self._woken is None else _NO_HANDLE

    @staticmethod
    def forget(handle: int) -> None:
        """Close what `handle` gave."""
        if handle != _NO_HANDLE:
            os.close(handle)

    def fd(self, handle: int) -> int:
        """What becomes readable when the child ends, or another one."""
        return handle if self._woken is None else self._woken.fileno()

    def has_ended(self, pid: int) -> bool:
        """Whether the child has ended; it still has to be waited for."""
        if self._woken is not None:
            with contextlib.suppress(BlockingIOError):
                while self._woken.recv(64):
                    pass
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def forget_all(self) -> None:
        """In a child: be told of nothing, as at an interpreter's start."""
        if self._woken is not None:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self._woken.close()
            self._waking.close()
            self._woken = None


_CHUNK = 1 << 16


class Order(NamedTuple):
    """What one child is to do: the `request` says how and within which limits, `job` on what; both are JSON.

    `probes` are texts of JSON, each of which has one frame for its answer. With `at_once` in the request none waits for
    the answer before it.
    """

    request: dict[str, Any]
    job: bytes
    probes: tuple[bytes, ...] = ()

    def packed(self) -> bytes:
        """The job and its probes as one text, where they travel apart from the request."""
        return b"".join(map(sized, (self.job, *self.probes)))


def unpacked(request: dict[str, Any], text: bytes) -> Order:
    """The order that was `packed` so."""
    rest, parts = memoryview(text), []
    while rest:
        end = HEADER.size + HEADER.unpack_from(rest)[0]
        parts.append(bytes(rest[HEADER.size : end]))
        rest = rest[end:]
    return Order(request, parts[0], tuple(parts[1:]))


class Delivery:
    """Sends an order to a child that waits for one, and never waits for it in turn.

    The request goes by the socket `control`, the rest by the pipe `probes`: what a candidate holds of it in the end can
    only be read. To a child that does not read, or has ended, nothing more is sent: how it ended is for others to find.
    """

    def __init__(self, control: socket.socket, probes: int, order: Order) -> None:
        self._probes = probes
        self._later = deque(order.probes)
        self._header, self._missing = bytearray(), 0
        control.sendall(sized(json.dumps(order.request).encode("ascii")))
        os.set_blocking(probes, False)
        self._outgoing = bytearray(sized(order.job))
        self._send_next()
        while self._later and order.request.get("at_once"):
            self._send_next()

    @property
    def is_pending(self) -> bool:
        """Whether something is to be sent as soon as the child has room for it."""
        return bool(self._outgoing)

    def answered(self, data: bytes) -> None:
        """Take note of what the child wrote next, and send the probe that is due by it."""
        if self._later and self._ends_frame(data):
            self._send_next()

    def flush(self) -> None:
        """Send as much as the child has room for."""
        try:
            while self._outgoing:
                del self._outgoing[: os.write(self._probes, self._outgoing[:_CHUNK])]
        except BlockingIOError:
            return
        except OSError:
            self._outgoing.clear()
            self._later.clear()

    def _send_next(self) -> None:
        if self._later:
            self._outgoing += sized(self._later.popleft())
        self.flush()

    def _ends_frame(self, data: bytes) -> bool:
        """Whether a frame comes to its end with `data`: a child writes one for each probe, and then waits."""
        ended, rest = False, memoryview(data)
        while rest:
            if self._missing:
                taken = min(self._missing, len(rest))
                self._missing -= taken
                ended = not self._missing
            else:
                taken = HEADER.size - len(self._header)
                self._header += rest[:taken]
                if len(self._header) == HEADER.size:
                    (self._missing,) = HEADER.unpack(self._header)
                    self._header.clear()
            rest = rest[taken:]
        return ended
