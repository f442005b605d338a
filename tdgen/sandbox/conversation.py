"""One child's frames read on the host, with a clock that a child can't stop and bounds that it can't exceed."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from tdgen.errors import SandboxError
from tdgen.sandbox.inside.frames import HEADER, MAX_FRAME
from tdgen.sandbox.server import Answers, Server, ServerLost

_GRACE_S = 5.0

Fault = Literal["", "timeout", "garbled"]
Accept = Callable[[dict[str, Any]], bool]


@dataclass(frozen=True)
class Ending:
    """How a child ended: by itself (`fault` empty), too late, or with frames that were none; and what it used."""

    fault: Fault
    status: int
    cpu_s: float
    peak_kb: int
    written_kb: int

    @property
    def manner(self) -> str:
        """Its wait status in words."""
        if os.WIFSIGNALED(self.status):
            number = os.WTERMSIG(self.status)
            try:
                return f"killed by {signal.Signals(number).name}"
            except ValueError:
                return f"killed by signal {number}"
        return f"the process ended with exit code {os.waitstatus_to_exitcode(self.status)}"

    @property
    def signal(self) -> int:
        """The signal that killed it, or 0."""
        return os.WTERMSIG(self.status) if os.WIFSIGNALED(self.status) else 0


def converse(
    server: Server, job: bytes, request: dict[str, Any], accept: Accept, *, wall_s: float, restart: bool
) -> Ending:
    """Have `server` start a child for the job, and hand each of its frames to `accept` until that says False.

    The child has `wall_s` seconds for all its frames, or for each one where the clock is to `restart`.
    ServerLost where the server ends; SandboxError where a layer can't be put on.
    """
    with server.child(job, request) as answers:
        fault = _Reader(server, answers, accept, wall_s, restart=restart).read()
        if fault:
            server.kill_child()
        ending = server.ending(_GRACE_S)
        return Ending(fault, ending["status"], ending["cpu_s"], ending["peak_kb"], ending["written_kb"])


class _Reader:
    """The reading side of one child's pipe."""

    def __init__(self, server: Server, answers: Answers, accept: Accept, wall_s: float, *, restart: bool) -> None:
        self._server, self._answers, self._accept = server, answers, accept
        self._wall_s, self._restart = wall_s, restart
        self._buffer = bytearray()
        self._confined = False

    def read(self) -> Fault:
        """Read until the child closes its end (it ended), is late, or says what it must not."""
        deadline = time.monotonic() + self._wall_s
        while True:
            left = deadline - time.monotonic()
            data = self._answers(left) if left > 0 else None
            if data is None:
                return "timeout"
            if not data:
                return self._outlive(deadline)
            self._buffer += data
            came = False
            while True:
                size = HEADER.unpack_from(self._buffer)[0] if len(self._buffer) >= HEADER.size else -1
                if size > MAX_FRAME:
                    return "garbled"
                if size < 0 or len(self._buffer) < HEADER.size + size:
                    break
                body = bytes(self._buffer[HEADER.size : HEADER.size + size])
                del self._buffer[: HEADER.size + size]
                if not self._take(body):
                    return "garbled"
                came = True
            if came and self._restart:
                deadline = time.monotonic() + self._wall_s

    def _outlive(self, deadline: float) -> Fault:
        """Wait for the end of a child that closed its pipe: it may do so and go on."""
        if not self._confined:
            raise ServerLost("a child ended before it was confined")
        return "" if self._server.has_ended(max(0.0, deadline - time.monotonic())) else "timeout"

    def _take(self, body: bytes) -> bool:
        """Whether one frame is what it should be."""
        try:
            content = json.loads(body)
        except (ValueError, RecursionError):
            return False
        if not isinstance(content, dict):
            return False
        if not self._confined:
            if "confined" not in content:
                raise SandboxError(f"a layer of the sandbox can't be put on: {content.get('broken')}")
            self._confined = True
            return True
        return self._accept(content)
