"""A server process on this machine: started, given descriptors, told to kill, and ended.

The host and the server share one socket, over which only descriptors and a few numbers go: the server passes on the way
to a child that waits, and the job goes straight to that, its answers come back in a pipe.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from tdgen.errors import SandboxError
from tdgen.sandbox.inside import messages, scratch
from tdgen.sandbox.inside.orders import Delivery, Order
from tdgen.sandbox.server import STAND_INS, Answers, Plan, ServerGone, ServerLost

_START_S, _END_S, _GRACE_S = 20.0, 2.0, 5.0
_CHUNK = 1 << 18
_BOOT = """
import sys, types
sys.path[:] = [path for path in sys.path if path]
for entry in sys.argv[2:]:
    name, _, path = entry.partition("=")
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [path]
from tdgen.sandbox.inside import server
server.main(int(sys.argv[1]))
"""


class LocalServer:
    """One server process, started by the constructor. SandboxError where it can't be."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._base = tempfile.mkdtemp(prefix="tdgen-sandbox-")
        self._link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._log = os.memfd_create("tdgen-sandbox-log")
        self._run = 0
        self._ended: dict[str, Any] | None = {}
        with theirs:
            self._process = self._start(theirs.fileno())
        try:
            self.enforced: dict[str, str] = self._shake_hands()
        except BaseException:
            self.kill()
            raise

    def _start(self, link_fd: int) -> subprocess.Popen[bytes]:
        """The process, with the socket as its only descriptor and next to no environment."""
        root = Path(__file__).parents[1]
        stand_ins = [f"{name}={root / folder}" for name, folder in STAND_INS.items()]
        try:
            return subprocess.Popen(  # noqa: S603 - the sandbox's own program
                [self.plan.interpreter.program, "-s", "-S", "-c", _BOOT, str(link_fd), *stand_ins],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._log,
                pass_fds=(link_fd,),
                env=self._environment(),
                cwd="/",
                start_new_session=True,
            )
        except OSError as error:
            self._forget()
            raise SandboxError(f"{self.plan.interpreter.program} can't be started: {error.strerror}") from error

    def _environment(self) -> dict[str, str]:
        """What the server's environment has; a run's own is made inside."""
        kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
        return {**self.plan.environment(), **kept}

    def _shake_hands(self) -> dict[str, str]:
        """Send what the server must know; what it enforces by its own word."""
        self._link.settimeout(_START_S)
        try:
            messages.send_packet(self._link, self.plan.config(self._base))
            hello, _ = messages.receive_packet(self._link)
        except (EOFError, OSError) as error:
            raise SandboxError(f"the sandbox's server does not start: {self._last_words()}") from error
        if "broken" in hello:
            raise SandboxError(f"the sandbox's server can't be set up: {hello['broken']}")
        return dict(hello["ready"])

    def _last_words(self) -> str:
        """The last line that the process wrote before it ended."""
        lines = os.pread(self._log, 65536, 0).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    @contextlib.contextmanager
    def child(self, order: Order) -> Iterator[Answers]:
        """A child that does as ordered: what reads its answers. ServerGone where there is none to be had."""
        try:
            self.ending(_GRACE_S)  # of the one before
            packet, descriptors = self._hear(_START_S)
        except ServerLost as error:
            raise ServerGone from error
        if not descriptors:
            raise SandboxError(f"a layer of the sandbox can't be put on: {packet.get('broken')}")
        self._run, self._ended = packet["run"], None
        hatch, way, reading = socket.socket(fileno=descriptors[0]), *descriptors[1:]
        try:
            with hatch:
                delivery = Delivery(hatch, way, order)
            yield partial(_answer, reading, way, delivery)
        except OSError as error:
            raise ServerLost from error
        finally:
            os.close(way)
            os.close(reading)

    def has_ended(self, seconds: float) -> bool:
        """Whether the server says within `seconds` how the child ended; `ending` then tells."""
        poll = select.poll()
        poll.register(self._link, select.POLLIN)
        return bool(poll.poll(seconds * 1000))

    def kill_child(self) -> None:
        """Have the last child killed, if it still runs."""
        with contextlib.suppress(OSError):
            messages.send_packet(self._link, {"kill": self._run})

    def ending(self, timeout: float) -> dict[str, Any]:
        """How the last child ended, and what it used. ServerLost where nobody says it in time."""
        if self._ended is None:
            self._ended, _ = self._hear(timeout)
        return self._ended

    def _hear(self, timeout: float) -> tuple[dict[str, Any], list[int]]:
        """The server's next packet, with its descriptors. ServerLost where none comes in time, or what is none."""
        self._link.settimeout(timeout)
        try:
            return messages.receive_packet(self._link)
        except (EOFError, OSError, ValueError) as error:
            raise ServerLost from error

    def interrupt(self) -> None:
        """Cut the link from another thread: whoever waits for an answer finds the server lost."""
        with contextlib.suppress(OSError):
            self._link.shutdown(socket.SHUT_RDWR)

    def hang_up(self) -> None:
        """Ask the process to end, without waiting for it."""
        self._link.close()

    def wait(self) -> None:
        """Wait for the process' end after `hang_up`, and kill it where that takes too long."""
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._forget()

    def kill(self) -> None:
        """End the process at once."""
        try:
            self._link.close()
            self._process.kill()
            self._process.wait()
        finally:
            self._forget()

    def _forget(self) -> None:
        """Remove what the process leaves on the host."""
        self._link.close()
        if self._log >= 0:
            os.close(self._log)
            self._log = -1
        scratch.remove(Path(self._base))


def _answer(reading: int, way: int, delivery: Delivery, seconds: float) -> bytes | None:
    """Some of what a child wrote, nothing at its end, None where nothing comes in time; what it waits for is sent."""
    deadline = time.monotonic() + seconds
    while True:
        poll = select.poll()
        poll.register(reading, select.POLLIN)
        if delivery.is_pending:
            poll.register(way, select.POLLOUT)
        ready = [fd for fd, _ in poll.poll(max(0.0, deadline - time.monotonic()) * 1000)]
        if not ready:
            return None
        if way in ready:
            delivery.flush()
        if reading in ready:
            data = os.read(reading, _CHUNK)
            delivery.answered(data)
            return data
