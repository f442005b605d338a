"""Between a host that can only be reached by streams, and a server that speaks over a socket, in one container.

The server is forked before there is any job, and nothing is forked afterwards: so no child inherits what passes through
here. A job goes straight to the child that waits for one, whose answers come back in a pipe.
When the host goes away, so does the server, and all that it started.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tdgen.sandbox.inside import box, frames, kernel, parcels, scratch, server

_CHUNK = 1 << 16
_ENOUGH = 1 << 20  # bytes that wait for a slow host before no more are read
_IN, _OUT = 0, 1


def main(config: dict[str, Any], unpacked: str) -> None:
    """Start a server by `config` and serve the host on the standard streams; `unpacked` holds programs to remove."""
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    facts = box.findings()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    pid = os.fork()
    if pid == 0:
        ours.close()
        _be_server(theirs)
    theirs.close()
    try:
        frames.send_packet(ours, config)
        hello, _ = frames.receive_packet(ours)
        scratch.remove(Path(unpacked))
        Broker(ours).serve({**hello, "box": facts})
    except (EOFError, OSError):
        pass  # the server has said why on the error stream, or the host is gone
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _be_server(link: socket.socket) -> None:
    """Be the server: the standard streams lead nowhere but for errors, until a child closes those too."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, _IN)
    os.dup2(null, _OUT)
    os.close(null)
    try:
        server.main(link.detach())
    finally:
        os._exit(0)


class _Waiting(NamedTuple):
    """A child's number, where its request is handed in, and where its answers come from."""

    run: int
    hatch: socket.socket
    answers: int


class Broker:
    """Carries parcels of the host to the server, and back what it and its children say."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._incoming, self._outgoing = bytearray(), bytearray()
        self._job = b""
        self._request: Any = None
        self._waiting: _Waiting | None = None
        self._run = 0
        self._answers: int | None = None
        os.set_blocking(_OUT, False)

    def serve(self, hello: Any) -> None:
        """Say `hello`, and go on until EOFError or OSError: the host or the server went away."""
        self._tell(parcels.PACKET, json.dumps(hello).encode("ascii"))
        while True:
            self._flush()
            for act in self._due():
                act()

    def _due(self) -> list[Callable[[], Any]]:
        """What there is to do next; waits until there is something."""
        poll = select.poll()
        poll.register(_IN, select.POLLIN)
        poll.register(self._link, select.POLLIN)
        acts: dict[int, Callable[[], Any]] = {_IN: self._hear_host, self._link.fileno(): self._hear_server}
        if self._outgoing:
            poll.register(_OUT, select.POLLOUT)
            acts[_OUT] = self._flush
        if self._answers is not None and len(self._outgoing) < _ENOUGH:
            poll.register(self._answers, select.POLLIN)
            acts[self._answers] = self._hear_child
        return [acts[fd] for fd, _ in poll.poll()]

    def _hear_host(self) -> None:
        """Take what the host says."""
        data = os.read(_IN, _CHUNK)
        if not data:
            raise EOFError("the host is gone")
        self._incoming += data
        parcel = parcels.unwrap(self._incoming)
        while parcel:
            kind, body = parcel
            if kind == parcels.JOB:
                self._job = body
            else:
                self._pass_on(json.loads(body))
            parcel = parcels.unwrap(self._incoming)

    def _pass_on(self, packet: Any) -> None:
        """Do as a packet says: have a child killed, or hand a request in."""
        if "kill" in packet:
            frames.send_packet(self._link, {"kill": self._run})
            return
        self._forget_child()
        self._request = packet
        self._hand_in()

    def _hand_in(self) -> None:
        """Give the request to the child that waits, if there are both."""
        if self._request is None or self._waiting is None:
            return
        self._run, hatch, self._answers = self._waiting
        with hatch:
            hatch.sendall(frames.order(self._request, self._job))
            if "gate" in self._request:
                with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as line:
                    line.connect(self._request["gate"])
                    frames.send_packet(hatch, {}, (line.fileno(),))
        self._request, self._waiting, self._job = None, None, b""

    def _hear_child(self) -> bool:
        """Take what a child says; whether there may be more of it."""
        if self._answers is None:
            return False
        try:
            data = os.read(self._answers, _CHUNK)
        except BlockingIOError:
            return False
        self._tell(parcels.ANSWER if data else parcels.CLOSED, data)
        if not data:
            self._forget_child()
        return bool(data)

    def _hear_server(self) -> None:
        """Take what the server says: that a child waits, or how one ended, after the last that it said itself."""
        packet, descriptors = frames.receive_packet(self._link)
        if descriptors:
            hatch, answers = descriptors
            os.set_blocking(answers, False)
            self._waiting = _Waiting(packet["run"], socket.socket(fileno=hatch), answers)
            self._hand_in()
            return
        while self._hear_child():
            pass
        if self._answers is not None:  # what it started holds the pipe, and is not heard any more
            self._tell(parcels.CLOSED, b"")
            self._forget_child()
        self._tell(parcels.PACKET, json.dumps(packet).encode("ascii"))

    def _forget_child(self) -> None:
        """Hear no more of a child."""
        if self._answers is not None:
            os.close(self._answers)
            self._answers = None

    def _tell(self, kind: int, body: bytes) -> None:
        self._outgoing += parcels.wrap(kind, body)

    def _flush(self) -> None:
        """Write as much as the host takes now."""
        with contextlib.suppress(BlockingIOError):
            while self._outgoing:
                written = os.write(_OUT, self._outgoing[:_CHUNK])
                del self._outgoing[:written]
