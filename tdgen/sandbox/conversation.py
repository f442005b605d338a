"""One child's frames read on the host, with a clock that a child can't stop and bounds that it can't exceed.

A child that has said all that was asked of it is not waited for: it is killed, and buried while the host goes on.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from tdgen.errors import SandboxError
from tdgen.sandbox.inside.messages import HEADER, MAX_FRAME
from tdgen.sandbox.inside.orders import Order
from tdgen.sandbox.server import Allowance, Answers, Server, ServerLost

_GRACE_S = 5.0
_INCREDIBLE = 1 << 40

Fault = Literal["", "timeout", "garbled", "no room"]
Accept = Callable[[dict[str, Any]], bool]


class Used(NamedTuple):
    """What a child used: CPU seconds, peak KiB of memory, KiB of files."""

    cpu_s: float = 0.0
    peak_kb: int = 0
    written_kb: int = 0

    def and_then(self, other: Used) -> Used:
        """What both used, one after the other."""
        return Used(self.cpu_s + other.cpu_s, max(self.peak_kb, other.peak_kb), self.written_kb + other.written_kb)


@dataclass(frozen=True)
class Ending:
    """How a child ended, and what it used.

    By itself (`fault` empty), too late, with frames that were none, or with one for which its job has no room left.

    What was used is the kernel's word; only where a child came to the end of all that was asked of it, it is its own.
    """

    fault: Fault
    status: int
    used: Used

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


def never() -> bool:
    """For a child whose end is waited for, whatever it says."""
    return False


def converse(
    server: Server,
    order: Order,
    accept: Accept,
    allowance: Allowance,
    *,
    wall_s: float,
    restart: bool,
    is_done: Callable[[], bool] = never,
) -> Ending:
    """Have `server` start a child for the order, and hand each of its frames to `accept` until that says False.

    All that it says counts for `allowance`. The child has `wall_s` seconds for all its frames, or for each one where
    the clock is to `restart`. It is not waited for as soon as `is_done` after a frame.
    ServerLost where the server ends; SandboxError where a layer can't be put on.
    """
    with server.child(order) as answers:
        reader = _Reader(server, answers, accept, is_done, allowance)
        fault = reader.read(wall_s, restart=restart)
        if fault or reader.used:
            server.kill_child()
        if reader.used:
            return Ending("", 0, reader.used)
        ending = server.ending(_GRACE_S)
        if "broken" in ending:
            raise SandboxError(f"a layer of the sandbox can't be put on: {ending['broken']}")
        if not ending["began"]:
            raise ServerLost("a child ended before it was confined")
        return Ending(fault, ending["status"], Used(ending["cpu_s"], ending["peak_kb"], ending["written_kb"]))


class _Reader:
    """The reading side of one child's pipe. `used` is what the child told of itself when all was done."""

    def __init__(
        self, server: Server, answers: Answers, accept: Accept, is_done: Callable[[], bool], allowance: Allowance
    ) -> None:
        self._server, self._answers, self._allowance = server, answers, allowance
        self._accept, self._is_done = accept, is_done
        self._buffer = bytearray()
        self.used: Used | None = None

    def read(self, wall_s: float, *, restart: bool) -> Fault:
        """Read until the child is done or closes its end (it ended), is late, or says what it must not."""
        deadline = time.monotonic() + wall_s
        while True:
            left = deadline - time.monotonic()
            data = self._answers(left) if left > 0 else None
            if data is None:
                return "timeout"
            if not data:  # it may have closed its end and go on
                return "" if self._server.has_ended(max(0.0, deadline - time.monotonic())) else "timeout"
            self._buffer += data
            came = self._take_all()
            if isinstance(came, str):
                return came
            if self.used:
                return ""
            if came and restart:
                deadline = time.monotonic() + wall_s

    def _take_all(self) -> int | Fault:
        """How many frames there were in what has come so far; what is wrong where one is not what it should be."""
        came = 0
        while not self.used:
            size = HEADER.unpack_from(self._buffer)[0] if len(self._buffer) >= HEADER.size else -1
            if size > MAX_FRAME:
                return "garbled"
            if size > self._allowance.room:
                return "no room"
            if size < 0 or len(self._buffer) < HEADER.size + size:
                break
            body = bytes(self._buffer[HEADER.size : HEADER.size + size])
            del self._buffer[: HEADER.size + size]
            fault = self._take(body)
            if fault:
                return fault
            came += 1
        return came

    def _take(self, body: bytes) -> Fault:
        """What is wrong with one frame, if anything."""
        cost = self._allowance.cost(body)
        if cost > self._allowance.room:
            return "garbled" if cost > self._allowance.whole else "no room"
        self._allowance.room -= cost
        try:
            content = json.loads(body)
        except (ValueError, RecursionError):
            return "garbled"
        if not isinstance(content, dict) or not self._accept(content):
            return "garbled"
        if self._is_done():
            self.used = _told(content.get("used"))
        return ""


def _told(used: Any) -> Used:
    """What a child says that it used, as far as it says so in numbers."""
    figures = used if isinstance(used, dict) else {}
    cpu_s, peak_kb, written_kb = (_figure(figures.get(name)) for name in Used._fields)
    return Used(cpu_s, int(peak_kb), int(written_kb))


def _figure(value: Any) -> float:
    """`value` where it is a number that can be one of something used, else 0."""
    return value if type(value) in (int, float) and 0 <= value < _INCREDIBLE else 0.0
