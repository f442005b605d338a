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
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tdgen.sandbox.docker import container_probe
from tdgen.sandbox.inside import kernel, messages, orders, scratch, server

_CHUNK = 1 << 16
_ENOUGH = 1 << 20  # bytes that wait for a slow host before no more are read
_IN, _OUT = 0, 1
_END_S, _PAUSE_S = 2.0, 0.01


def main(config: dict[str, Any], unpacked: str) -> None:
    """Start a server by `config` and serve the host on the standard streams.

    The server's folder is emptied by itself, and in the end by this process: with all in it, what is `unpacked` too.
    """
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    with contextlib.suppress(OSError):
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    facts = container_probe.findings()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    pid = os.fork()
    if pid == 0:
        ours.close()
        _be_server(theirs)
    theirs.close()
    broker = Broker(ours)
    try:
        messages.send_packet(ours, config)
        hello, _ = messages.receive_packet(ours)
        broker.serve({**hello, "container": facts})
    except (EOFError, OSError):
        pass  # the server has said why on the error stream, or the host is gone
    finally:
        _end_all(pid, broker.session)
        scratch.empty(Path(config["base"]))


def _end_all(pid: int, session: int) -> None:
    """Kill the server and all that its last child started, and wait until nothing is left that could still write."""
    os.kill(pid, signal.SIGKILL)
    if session:
        with contextlib.suppress(OSError):
            os.killpg(session, signal.SIGKILL)
    deadline = time.monotonic() + _END_S
    with contextlib.suppress(ChildProcessError):
        while time.monotonic() < deadline:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(_PAUSE_S)


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
    """A child's number and its process, where its request is handed in, its probes go in, and its answers come from."""

    run: int
    pid: int
    hatch: socket.socket
    way: int
    answers: int


class Broker:
    """Carries parcels of the host to the server, and back what it and its children say."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._incoming, self._outgoing = bytearray(), bytearray()
        self._job = b""
        self._waiting: _Waiting | None = None
        self._run = 0
        self._way: int | None = None
        self._delivery: orders.Delivery | None = None
        self._answers: int | None = None
        self.session = 0  # of the last child
        os.set_blocking(_OUT, False)

    def serve(self, hello: Any) -> None:
        """Say `hello`, and go on until EOFError or OSError: the host or the server went away."""
        self._tell(messages.PACKET, json.dumps(hello).encode("ascii"))
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
        if self._way is not None and self._delivery and self._delivery.is_pending:
            poll.register(self._way, select.POLLOUT)
            acts[self._way] = self._delivery.flush
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
        parcel = messages.unwrap(self._incoming)
        while parcel:
            kind, body = parcel
            if kind == messages.JOB:
                self._job = body
            else:
                self._pass_on(json.loads(body))
            parcel = messages.unwrap(self._incoming)

    def _pass_on(self, packet: Any) -> None:
        """Do as a packet says: have a child killed, or hand a request in."""
        if "kill" in packet:
            messages.send_packet(self._link, {"kill": self._run})
        elif self._waiting:
            self._forget_child()
            self._hand_in(self._waiting, packet)

    def _hand_in(self, waiting: _Waiting, request: Any) -> None:
        """Give the request to the child that waits, and the job that came before it."""
        self._run, pid, hatch, self._way, self._answers = waiting
        self.session = pid
        order = orders.unpacked(request, self._job)
        with hatch:
            self._delivery = orders.Delivery(hatch, self._way, order)
        self._waiting, self._job = None, b""

    def _hear_child(self) -> bool:
        """Take what a child says; whether there may be more of it."""
        if self._answers is None:
            return False
        try:
            data = os.read(self._answers, _CHUNK)
        except BlockingIOError:
            return False
        if self._delivery:
            self._delivery.answered(data)
        self._tell(messages.ANSWER if data else messages.CLOSED, data)
        if not data:
            self._forget_child()
        return bool(data)

    def _hear_server(self) -> None:
        """Take what the server says: that a child waits, or how one ended, after the last that it said itself."""
        packet, descriptors = messages.receive_packet(self._link)
        if descriptors:
            hatch, way, answers = descriptors
            os.set_blocking(answers, False)
            self._waiting = _Waiting(packet["run"], packet["pid"], socket.socket(fileno=hatch), way, answers)
            self._tell(messages.PACKET, json.dumps({"waiting": packet["run"]}).encode("ascii"))
            return
        while self._hear_child():
            pass
        if self._answers is not None:  # what it started holds the pipe, and is not heard any more
            self._tell(messages.CLOSED, b"")
            self._forget_child()
        self._tell(messages.PACKET, json.dumps(packet).encode("ascii"))

    def _forget_child(self) -> None:
        """Hear no more of a child, and send it nothing more."""
        if self._answers is not None:
            os.close(self._answers)
            self._answers = None
        if self._way is not None:
            os.close(self._way)
        self._way, self._delivery = None, None

    def _tell(self, kind: int, body: bytes) -> None:
        self._outgoing += messages.wrap(kind, body)

    def _flush(self) -> None:
        """Write as much as the host takes now."""
        with contextlib.suppress(BlockingIOError):
            while self._outgoing:
                written = os.write(_OUT, self._outgoing[:_CHUNK])
                del self._outgoing[:written]
