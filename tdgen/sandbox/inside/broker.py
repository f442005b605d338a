"""Between a host that can only be reached by streams, and a server that speaks over a socket, in one container.

The server is forked before there is any job, and nothing is forked afterwards: so no child inherits what passes through
here. A job goes to the server's children as the descriptor of an anonymous file, their answers come back in a pipe.
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
from typing import Any

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


class Broker:
    """Carries parcels of the host to the server, and back what it and its children say."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._incoming, self._outgoing = bytearray(), bytearray()
        self._job = b""
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
        """Hand a packet to the server; one that starts a child with the job and a new pipe."""
        if "start" not in packet:
            frames.send_packet(self._link, packet)
            return
        self._forget_child()
        self._answers, writing = os.pipe()
        os.set_blocking(self._answers, False)
        job_fd = frames.anonymous_file(self._job)
        try:
            frames.send_packet(self._link, packet, (job_fd, writing))
        finally:
            os.close(writing)
            os.close(job_fd)

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
        """Take what the server says of a child's end, after the last that the child itself said."""
        packet, _ = frames.receive_packet(self._link)
        while self._hear_child():
            pass
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
