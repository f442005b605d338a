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

from tdgen.sandbox.docker import container_probe, line_messages
from tdgen.sandbox.inside import kernel, messages, scratch, server

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
    """A child's number and its process, and the descriptors by which it is sent a request and probes, and answers."""

    run: int
    pid: int
    control: socket.socket
    probes: int
    answers: int


class Broker:
    """Forwards the host's messages to the server, and to the host what the server and its children send."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._incoming, self._outgoing = bytearray(), bytearray()
        self._job = b""
        self._waiting: _Waiting | None = None
        self._run = 0
        self._probes: int | None = None
        self._delivery: messages.Delivery | None = None
        self._answers: int | None = None
        self.session = 0  # of the last child
        os.set_blocking(_OUT, False)

    def serve(self, hello: Any) -> None:
        """Say `hello`, and go on until EOFError or OSError: the host or the server went away."""
        self._queue(line_messages.PACKET, json.dumps(hello).encode("ascii"))
        while True:
            self._flush()
            for act in self._due():
                act()

    def _due(self) -> list[Callable[[], Any]]:
        """What there is to do next; waits until there is something."""
        poll = select.poll()
        poll.register(_IN, select.POLLIN)
        poll.register(self._link, select.POLLIN)
        acts: dict[int, Callable[[], Any]] = {
            _IN: self._receive_from_host,
            self._link.fileno(): self._receive_from_server,
        }
        if self._outgoing:
            poll.register(_OUT, select.POLLOUT)
            acts[_OUT] = self._flush
        if self._probes is not None and self._delivery and self._delivery.is_pending:
            poll.register(self._probes, select.POLLOUT)
            acts[self._probes] = self._delivery.flush
        if self._answers is not None and len(self._outgoing) < _ENOUGH:
            poll.register(self._answers, select.POLLIN)
            acts[self._answers] = self._receive_from_child
        return [acts[fd] for fd, _ in poll.poll()]

    def _receive_from_host(self) -> None:
        """Read what the host sends, and act on each whole message."""
        data = os.read(_IN, _CHUNK)
        if not data:
            raise EOFError("the host is gone")
        self._incoming += data
        message = line_messages.unwrap(self._incoming)
        while message:
            kind, body = message
            if kind == line_messages.JOB:
                self._job = body
            else:
                packet = json.loads(body)
                if "kill" in packet:
                    messages.send_packet(self._link, {"kill": self._run})
                elif self._waiting:
                    self._forget_child()
                    self._deliver(self._waiting, packet)
            message = line_messages.unwrap(self._incoming)

    def _deliver(self, waiting: _Waiting, request: Any) -> None:
        """Send the child that waits the request, and the job that came before it."""
        self._run, pid, control, self._probes, self._answers = waiting
        self.session = pid
        order = messages.unpacked(request, self._job)
        with control:
            self._delivery = messages.Delivery(control, self._probes, order)
        self._waiting, self._job = None, b""

    def _receive_from_child(self) -> bool:
        """Read from the child, and queue it for the host; whether there may be more."""
        if self._answers is None:
            return False
        try:
            data = os.read(self._answers, _CHUNK)
        except BlockingIOError:
            return False
        if self._delivery:
            self._delivery.answered(data)
        self._queue(line_messages.ANSWER if data else line_messages.CLOSED, data)
        if not data:
            self._forget_child()
        return bool(data)

    def _receive_from_server(self) -> None:
        """Read a packet of the server's: that a child waits, or how one ended, which goes after its last answer."""
        packet, descriptors = messages.receive_packet(self._link)
        if descriptors:
            control, probes, answers = descriptors
            os.set_blocking(answers, False)
            self._waiting = _Waiting(packet["run"], packet["pid"], socket.socket(fileno=control), probes, answers)
            self._queue(line_messages.PACKET, json.dumps({"waiting": packet["run"]}).encode("ascii"))
            return
        while self._receive_from_child():
            pass
        if self._answers is not None:  # what it started still holds the pipe, which is read no more
            self._queue(line_messages.CLOSED, b"")
            self._forget_child()
        self._queue(line_messages.PACKET, json.dumps(packet).encode("ascii"))

    def _forget_child(self) -> None:
        """Read no more from a child, and send it nothing more."""
        if self._answers is not None:
            os.close(self._answers)
            self._answers = None
        if self._probes is not None:
            os.close(self._probes)
        self._probes, self._delivery = None, None

    def _queue(self, kind: int, body: bytes) -> None:
        self._outgoing += line_messages.wrap(kind, body)

    def _flush(self) -> None:
        """Write as much as the host takes now."""
        with contextlib.suppress(BlockingIOError):
            while self._outgoing:
                written = os.write(_OUT, self._outgoing[:_CHUNK])
                del self._outgoing[:written]
