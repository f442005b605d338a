"""What a child is asked to do: a small request, a job, and probes that reach it one at a time, each when it is due.

A probe is due when the one before it was answered. Until then it is kept in a process in which no candidate runs, so
that a candidate's process never holds a case but the one that it is being tried on. Whoever reads a child's answers
counts them and sends the next probe at once: nobody has to understand an answer before the child can go on.
Both sides read this file. Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import json
import os
import socket
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

from tdgen.sandbox.inside import messages

_CHUNK = 1 << 16


class Order(NamedTuple):
    """What one child is to do: the `request` says how and within which limits, `job` on what; both are JSON.

    `probes` are texts of JSON, each of which has one frame for its answer.
    """

    request: dict[str, Any]
    job: bytes
    probes: tuple[bytes, ...] = ()

    def packed(self) -> bytes:
        """The job and its probes as one text, where they travel apart from the request."""
        return b"".join(map(messages.sized, (self.job, *self.probes)))


def unpacked(request: dict[str, Any], text: bytes) -> Order:
    """The order that was `packed` so."""
    job, *probes = _parts(memoryview(text))
    return Order(request, job, tuple(probes))


def _parts(rest: memoryview) -> Iterator[bytes]:
    while rest:
        (size,) = messages.HEADER.unpack_from(rest)
        end = messages.HEADER.size + size
        yield bytes(rest[messages.HEADER.size : end])
        rest = rest[end:]


class Delivery:
    """Sends an order to a child that waits for one, and never waits for it in turn.

    The request goes by the socket `control`, the rest by the pipe `probes`: what a candidate holds of it in the end can
    only be read. To a child that does not read, or has ended, nothing more is sent: how it ended is for others to find.
    """

    def __init__(self, control: socket.socket, probes: int, order: Order) -> None:
        self._probes = probes
        self._later = deque(order.probes)
        self._header, self._missing = bytearray(), 0
        control.sendall(messages.sized(json.dumps(order.request).encode("ascii")))
        os.set_blocking(probes, False)
        self._outgoing = bytearray(messages.sized(order.job))
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
            self._outgoing += messages.sized(self._later.popleft())
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
                taken = messages.HEADER.size - len(self._header)
                self._header += rest[:taken]
                if len(self._header) == messages.HEADER.size:
                    (self._missing,) = messages.HEADER.unpack(self._header)
                    self._header.clear()
            rest = rest[taken:]
        return ended
