"""A server process seen from the host: started, given descriptors, told to kill, and ended.

The host and the server share one socket, over which only descriptors and a few numbers go. A job travels in an
anonymous file that the child alone reads, its answers in a pipe.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from tdgen.errors import SandboxError
from tdgen.sandbox.inside.frames import receive_packet, send_packet
from tdgen.sandbox.interpreter import Interpreter

_START_S, _END_S = 20.0, 2.0
_STAND_INS = {
    "tdgen": "",
    "tdgen.sandbox": "sandbox",
    "tdgen.sandbox.inside": "sandbox/inside",
    "tdgen.values": "values",
}
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

Kind = Literal["probes", "files"]


class ServerLost(Exception):
    """The server process ended, or no longer answers."""


class Plan(BaseModel):
    """All that makes one server different from another.

    `packages` are folders to import from, `visible` paths to read besides, `loading` folders to import from only while
    the server loads what it needs.
    """

    model_config = ConfigDict(frozen=True)

    kind: Kind
    interpreter: Interpreter
    wanted: tuple[str, ...]
    packages: tuple[str, ...] = ()
    visible: tuple[str, ...] = ()
    loading: tuple[str, ...] = ()
    hash_seed: int = 0
    scratch_mb: int = 64


class Server:
    """One server process, started by the constructor. SandboxError where it can't be."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._base = tempfile.mkdtemp(prefix="tdgen-sandbox-")
        self.link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
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
        stand_ins = [f"{name}={root / folder}" for name, folder in _STAND_INS.items()]
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
        return {
            "LANG": "C.UTF-8",
            "PATH": "/usr/bin:/bin",
            "TZ": "UTC",
            "PYTHONHASHSEED": str(self.plan.hash_seed),
            "MALLOC_ARENA_MAX": "1",
            **kept,
        }

    def _shake_hands(self) -> dict[str, str]:
        """Send what the server must know; what it enforces by its own word."""
        plan = self.plan
        visible = [*plan.interpreter.readable, *plan.packages, *plan.visible]
        paths = {"visible": visible, "packages": plan.packages, "loading": plan.loading}
        config = {"kind": plan.kind, "wanted": plan.wanted, "base": self._base, "scratch_mb": plan.scratch_mb}
        self.link.settimeout(_START_S)
        try:
            send_packet(self.link, {**config, **paths})
            hello, _ = receive_packet(self.link)
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
    def child(self, job_fd: int, request: dict[str, Any]) -> Iterator[int]:
        """A child started for `request`: the reading end of its result pipe. ServerLost where it can't be."""
        reading, writing = os.pipe()
        try:
            try:
                send_packet(self.link, request, (job_fd, writing))
            except OSError as error:
                raise ServerLost from error
            finally:
                os.close(writing)
            os.set_blocking(reading, False)
            yield reading
        finally:
            os.close(reading)

    def kill_child(self) -> None:
        """Have the running child killed, if it still runs."""
        with contextlib.suppress(OSError):
            send_packet(self.link, {"kill": True})

    def ending(self, timeout: float) -> dict[str, Any]:
        """How the child ended: its wait status, CPU seconds and peak KiB. ServerLost where nobody says it in time."""
        self.link.settimeout(timeout)
        try:
            packet, _ = receive_packet(self.link)
        except (EOFError, OSError) as error:
            raise ServerLost from error
        return dict(packet)

    def interrupt(self) -> None:
        """Cut the link from another thread: whoever waits for an answer finds the server lost."""
        with contextlib.suppress(OSError):
            self.link.shutdown(socket.SHUT_RDWR)

    def hang_up(self) -> None:
        """Ask the process to end, without waiting for it."""
        self.link.close()

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
        self.link.close()
        self._process.kill()
        self._process.wait()
        self._forget()

    def _forget(self) -> None:
        """Remove what the process leaves on the host."""
        self.link.close()
        if self._log >= 0:
            os.close(self._log)
            self._log = -1
        shutil.rmtree(self._base, ignore_errors=True)
