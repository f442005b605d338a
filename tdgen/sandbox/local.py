"""The local sandbox: warm servers on this machine, confined by the Linux kernel's own means.

The host and a server share one socket, over which only descriptors and a few numbers go: the server passes on the way
to a child that waits, and the job goes straight to that, its answers come back in a pipe.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import shutil
import socket
import tempfile
import time
import weakref
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

from tdgen.errors import SandboxError
from tdgen.sandbox import interpreter, launching, pytest_run
from tdgen.sandbox import packages as targets
from tdgen.sandbox.inside import messages, scratch
from tdgen.sandbox.inside.messages import Delivery, Order
from tdgen.sandbox.interpreter import Mounted
from tdgen.sandbox.observing import LAYERS
from tdgen.sandbox.packages import Supply
from tdgen.sandbox.server import NOTHING, Answers, Kind, Opened, Plan, ServerGone, ServerLost
from tdgen.sandbox.warm import WarmSandbox, processors

_START_S, _END_S, _GRACE_S = 20.0, 2.0, 5.0
_CHUNK = 1 << 18


class LocalServer:
    """One server process, forked by a launcher. SandboxError where it can't be."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._base = tempfile.mkdtemp(prefix="tdgen-sandbox-")
        self._link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._log = os.memfd_create("tdgen-sandbox-log")
        self._life, life = os.pipe()
        self._run = 0
        self._ended: dict[str, Any] | None = {}
        try:
            self._start(theirs.fileno(), life)
        except BaseException:
            self._forget()
            raise
        finally:
            theirs.close()
            os.close(life)
        try:
            self.enforced: dict[str, str] = self._shake_hands()
        except BaseException:
            self.kill()
            raise

    def _start(self, link: int, life: int) -> None:
        """Have the server be forked, by another launcher where the first is gone."""
        for is_last in (False, True):
            self._launcher = launching.launcher(self.plan)
            try:
                self._number = self._launcher.start(link, self._log, life)
            except OSError as error:
                launching.lost(self.plan, self._launcher)
                if is_last:
                    raise SandboxError("the sandbox's launcher does not start: `tdgen doctor` tells more") from error
            else:
                return

    def _shake_hands(self) -> dict[str, str]:
        """Send what the server must know; what it enforces by its own word."""
        self._link.settimeout(_START_S)
        try:
            messages.send_packet(self._link, self.plan.config(self._base))
            hello, _ = messages.receive_packet(self._link)
        except (EOFError, OSError) as error:
            lines = os.pread(self._log, 65536, 0).decode("utf-8", "replace").strip().splitlines()
            last_words = lines[-1] if lines else "it said nothing"
            raise SandboxError(f"the sandbox's server does not start: {last_words}") from error
        if "broken" in hello:
            raise SandboxError(f"the sandbox's server can't be set up: {hello['broken']}")
        return dict(hello["ready"])

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
        control, probes, reading = socket.socket(fileno=descriptors[0]), *descriptors[1:]
        try:
            with control:
                delivery = Delivery(control, probes, order)
            yield partial(_answer, reading, probes, delivery)
        except OSError as error:
            raise ServerLost from error
        finally:
            os.close(probes)
            os.close(reading)

    def has_ended(self, seconds: float) -> bool:
        """Whether the server says within `seconds` how the child ended; `ending` then tells."""
        return _can_be_read(self._link.fileno(), seconds)

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
        """Wait for the server's end after `hang_up`, and kill it where that takes too long."""
        if not _can_be_read(self._life, _END_S):  # it can as soon as the server, which holds the other end, is gone
            self._launcher.kill(self._number)
            _can_be_read(self._life, _END_S)
        self._forget()

    def kill(self) -> None:
        """End the server at once."""
        try:
            self._link.close()
            self._launcher.kill(self._number)
            _can_be_read(self._life, _END_S)
        finally:
            self._forget()

    def _forget(self) -> None:
        """Remove what the server leaves on the host."""
        self._link.close()
        for descriptor in (self._log, self._life):
            if descriptor >= 0:
                os.close(descriptor)
        self._log = self._life = -1
        scratch.remove(Path(self._base))


def _can_be_read(descriptor: int, seconds: float) -> bool:
    """Whether there is something to read within so many seconds, or nobody writes there any more."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _answer(reading: int, probes: int, delivery: Delivery, seconds: float) -> bytes | None:
    """Some of what a child wrote, nothing at its end, None where nothing comes in time; what it waits for is sent."""
    deadline = time.monotonic() + seconds
    while True:
        poll = select.poll()
        poll.register(reading, select.POLLIN)
        if delivery.is_pending:
            poll.register(probes, select.POLLOUT)
        ready = [fd for fd, _ in poll.poll(max(0.0, deadline - time.monotonic()) * 1000)]
        if not ready:
            return None
        if probes in ready:
            delivery.flush()
        if reading in ready:
            data = os.read(reading, _CHUNK)
            delivery.answered(data)
            return data


class LocalSandbox(WarmSandbox):
    """Runs jobs in confined children of warm servers on this machine (Linux).

    A child can't read or write this machine's files (it sees the interpreter, read-only, and a scratch folder of its
    own), open a socket, start a process, signal or trace another, gain a privilege, or outlive its run; memory, CPU
    time, wall time, threads, files and output are bounded. `layers` tells which of the means are in force here.

    What the user opens is there besides. The loopback: each run has a network namespace of its own, in which it may
    open TCP and UDP sockets, and where nothing else is. Programs: they start with the child's own confinement, in its
    session, and end with its run.

    It does not protect against a flaw in the kernel itself (the container kinds with their own kernel do), against
    what can be learnt by timing (processors and caches are shared), nor against slowness: all runs share this
    machine's processors, and memory is bounded for each process, not for all together. Where neither a user
    namespace nor root is granted, files are held by Landlock alone: names and sizes of files can then be asked for, and
    what a run writes is bounded for each file only. Where programs are opened, memory and CPU time are bounded for each
    process, and only their number for all. `run_files` runs tests and candidate in one process, which a candidate can
    forge: use it to take a green away, never to grant one. aarch64 is covered by table and untested.
    """

    kind: ClassVar[str] = "local"
    wanted: ClassVar[tuple[str, ...]] = LAYERS

    def __init__(
        self,
        python: str = "",
        *,
        without: tuple[str, ...] = (),
        packages: Supply | None = None,
        opened: Opened = NOTHING,
        mounted: Mounted | None = None,
    ) -> None:
        """`python` is a path, a command or a version (empty: the Python that runs this); `without` leaves layers out.

        `packages` tells the folder of packages that candidates may import, `opened` is what they may reach, `mounted`
        the project that they run in. Servers start with the first run. SandboxError where there is no such Python,
        InputError where the project can't be shown.
        """
        if mounted:
            mounted.check()
        self.mounted = mounted
        self.opened = opened if self.wanted else NOTHING  # without a wall there is nothing to open
        self._interpreter = interpreter.find(python)
        is_old = self._interpreter.version[:2] < pytest_run.OLDEST
        self.lends_pytest = not (is_old and mounted and mounted.brings("pytest"))
        self._wanted = tuple(layer for layer in self.wanted if layer not in without)
        folder = packages(targets.here(self._interpreter)) if packages else ""
        self._packages = (folder,) if folder else ()
        self.kept = ""
        """A folder of this machine's whose programs candidates that compile may start; they can't write or list it."""
        if self.opened.compiles:
            self.kept, number = _held_folder()
            self._forget_kept = weakref.finalize(self, _let_go, self.kept, number)
        super().__init__(processors(), LocalServer)

    def close(self) -> None:
        """End all servers and remove what they wrote, and what was kept. Closing twice is allowed."""
        super().close()
        if self.kept:
            self._forget_kept()

    def _plan(self, kind: Kind, hash_seed: int) -> Plan:
        """What a server of that kind is started with."""
        home = pytest_run.of(kind, self.mounted)
        return Plan(
            kind=kind,
            interpreter=self._interpreter,
            wanted=self._wanted,
            packages=self._packages,
            visible=home.visible,
            loading=home.loading,
            hash_seed=hash_seed,
            opened=self.opened,
            kept=self.kept,
            mounted=self.mounted,
        )


_PROGRAMS: Final = "tdgen-programs-"
_SETTLED_S: Final = 3600.0
"""So long a folder is let be: its process may be about to hold it."""


def _held_folder() -> tuple[str, int]:
    """A folder for programs, and what holds it while this process lives; those of processes that were killed go."""
    for old in Path(tempfile.gettempdir()).glob(f"{_PROGRAMS}*"):
        with contextlib.suppress(OSError):  # another user's, or one that is held
            if time.time() - old.stat().st_mtime > _SETTLED_S:
                _let_go(str(old), _hold(old))
    folder = Path(tempfile.mkdtemp(prefix=_PROGRAMS))
    folder.chmod(0o711)
    return str(folder), _hold(folder)


def _hold(folder: Path) -> int:
    """Hold a folder by its lock, under a number; OSError where another process does, or where it is a link."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(number)
        raise
    return number


def _let_go(folder: str, number: int) -> None:
    """Remove a folder that is held."""
    shutil.rmtree(folder, ignore_errors=True)
    os.close(number)


class UnsafeSandbox(LocalSandbox):
    """The same servers without any confinement: candidates may do all that the user may. Never chosen by itself."""

    kind: ClassVar[str] = "unsafe"
    wanted: ClassVar[tuple[str, ...]] = ()
