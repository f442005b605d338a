"""A server process on this machine: started, given descriptors, told to kill, and ended.

The host and the server share one socket, over which only descriptors and a few numbers go. A job travels in an
anonymous file that the child alone reads, its answers in a pipe.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tdgen.errors import SandboxError
from tdgen.sandbox.inside.frames import anonymous_file, receive_packet, send_packet
from tdgen.sandbox.server import STAND_INS, Answers, Plan, ServerLost

_START_S, _END_S = 20.0, 2.0
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
            send_packet(self._link, self.plan.config(self._base))
            hello, _ = receive_packet(self._link)
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
    def child(self, job: bytes, request: dict[str, Any]) -> Iterator[Answers]:
        """A child started for `request`: what reads its answers. ServerLost where it can't be."""
        reading, writing = os.pipe()
        try:
            job_fd = anonymous_file(job)
            try:
                send_packet(self._link, request, (job_fd, writing))
            except OSError as error:
                raise ServerLost from error
            finally:
                os.close(writing)
                os.close(job_fd)
            poll = select.poll()
            poll.register(reading, select.POLLIN)
            yield lambda seconds: os.read(reading, _CHUNK) if poll.poll(seconds * 1000) else None
        finally:
            os.close(reading)

    def has_ended(self, seconds: float) -> bool:
        """Whether the server says within `seconds` how the child ended; `ending` then tells."""
        poll = select.poll()
        poll.register(self._link, select.POLLIN)
        return bool(poll.poll(seconds * 1000))

    def kill_child(self) -> None:
        """Have the running child killed, if it still runs."""
        with contextlib.suppress(OSError):
            send_packet(self._link, {"kill": True})

    def ending(self, timeout: float) -> dict[str, Any]:
        """How the child ended: its wait status, CPU seconds and peak KiB. ServerLost where nobody says it in time."""
        self._link.settimeout(timeout)
        try:
            packet, _ = receive_packet(self._link)
        except (EOFError, OSError) as error:
            raise ServerLost from error
        return dict(packet)

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
        self._link.close()
        self._process.kill()
        self._process.wait()
        self._forget()

    def _forget(self) -> None:
        """Remove what the process leaves on the host."""
        self._link.close()
        if self._log >= 0:
            os.close(self._log)
            self._log = -1
        shutil.rmtree(self._base, ignore_errors=True)
