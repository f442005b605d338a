"""In a container without a network: where children ask for hosts, and what carries their bytes to this machine's side.

A process beside the broker, with streams of its own to the host. The broker connects to it for each child, and hands
that connection on; a child can't connect to anything. Who asks gets one end of a pair of sockets, as from a relay.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
from pathlib import Path
from typing import Any

from tdgen.sandbox.inside import frames, kernel, parcels, scratch, streams

_QUESTION = 4096
_CHUNK = 1 << 16
_IN, _OUT = 0, 1


def main(config: dict[str, Any], unpacked: str) -> None:
    """Listen at the path `config["gate"]`, and serve until the host is gone; `unpacked` holds programs to remove."""
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(config["gate"])
    listener.listen()
    scratch.remove(Path(unpacked))
    gate = Gate()
    threading.Thread(target=gate.listen, args=(listener,), daemon=True).start()
    try:
        gate.serve()
    finally:
        os._exit(0)


class Gate:
    """Children's lines on one side, the host on the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._streams = streams.Streams(self._say)
        self._waiting: dict[int, Any] = {}
        self._answered = threading.Condition()
        self._last = 0

    def _say(self, kind: int, number: int, body: bytes) -> None:
        with self._lock:
            frames.write_all(_OUT, streams.parcel(kind, number, body))

    def serve(self) -> None:
        """Say hello, and take what the host says until it is gone."""
        with self._lock:
            frames.write_all(_OUT, parcels.wrap(parcels.PACKET, b"{}"))
        buffer = bytearray()
        while data := os.read(_IN, _CHUNK):
            buffer += data
            while found := parcels.unwrap(buffer):
                number, body = streams.opened(found[1])
                self._take(found[0], number, body)

    def _take(self, kind: int, number: int, body: bytes) -> None:
        if kind not in (streams.MADE, streams.FAILED):
            self._streams.take(kind, number, body)
            return
        with self._answered:
            self._waiting[number] = json.loads(body)
            self._answered.notify_all()

    def listen(self, listener: socket.socket) -> None:
        """A thread for each child's line."""
        while True:
            line, _ = listener.accept()
            threading.Thread(target=self._attend, args=(line,), daemon=True).start()

    def _attend(self, line: socket.socket) -> None:
        """Answer one child until it is gone, and cut then what it had."""
        own: list[int] = []
        with contextlib.suppress(OSError), line:
            while question := line.recv(_QUESTION):
                with self._answered:
                    self._last += 1
                    number = self._last
                own.append(number)
                self._answer(line, number, question)
        if own:
            self._streams.cut(*own)

    def _answer(self, line: socket.socket, number: int, question: bytes) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._streams.begin(number, ours, lambda: self._say(streams.ASK, number, question))
            with self._answered:
                self._answered.wait_for(lambda: number in self._waiting)
                answer = self._waiting.pop(number)
            if "peer" not in answer:
                self._streams.cut(number)
            frames.send_packet(line, answer, (theirs.fileno(),) if "peer" in answer else ())
