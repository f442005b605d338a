"""The loop of a server: a child for each request, forked and confined before the request comes.

One child waits while another runs, so that neither the fork nor the confinement is in a run's way. The server never
reads a job: it passes the job's descriptor on to the child, so that nothing of one job is in the memory that the next
one's child inherits.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import socket
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tdgen.sandbox.inside import frames, scratch, trial
from tdgen.sandbox.inside.confine import Confinement

_NOT_CONFINED = 71
_MOST_DESCRIPTORS = 64


class Request(NamedTuple):
    """What a child is to do: a job, from which probe on, in which folder, and how to tell what came of it."""

    job: Any
    start: int
    folder: Path
    emit: Callable[[Any], None]


class _Accepted(Exception):
    """Raised in a child that is confined and has its request: the way out of the server's loop."""

    def __init__(self, request: Request) -> None:
        super().__init__()
        self.request = request


class Child(NamedTuple):
    """A process that waits for a request, or works at one: its id, a handle on it, and where to hand a request in."""

    pid: int
    handle: int
    hatch: socket.socket

    def forget(self) -> None:
        """Close what the server holds of it."""
        os.close(self.handle)
        self.hatch.close()


class Forker:
    """Serves one host over `link`, one request at a time. `marker` is a path outside, for trials."""

    def __init__(self, link: socket.socket, confinement: Confinement, marker: str) -> None:
        self._link, self._confinement, self._marker = link, confinement, marker
        self._spare: Child | None = None
        self._warm: Callable[[], None] | None = None
        self._harmless: list[int] = []
        self._kept: BaseException | None = None
        self.is_child = False

    @property
    def folder(self) -> Path:
        """The scratch folder, the same for all requests and empty before each."""
        return self._confinement.scratch

    def serve(self, warm: Callable[[], None] | None = None) -> Request | None:
        """Like `fork`, it returns often: a request in each child that has one, and None when the host is gone.

        A child calls `warm` while it waits. It must end by `os._exit`, whatever happens to it.
        """
        self._warm, self._harmless = warm, _leading_nowhere()
        gc.collect()
        gc.freeze()
        try:
            self._loop()
        except _Accepted as accepted:
            self._kept = accepted  # and all that its frames hold: closed once more, it would close what others opened
            return accepted.request
        return None

    def _loop(self) -> None:
        """Until the host closes its end."""
        while True:
            self._spare = self._spare or self._fork()
            try:
                packet, descriptors = frames.receive_packet(self._link)
            except (EOFError, OSError):
                return
            if "start" in packet:
                self._serve_one(packet, descriptors)

    def _serve_one(self, packet: Any, descriptors: list[int]) -> None:
        """Hand a request in, prepare the next child meanwhile, tell how this one ended, and clean up."""
        child = self._hand_in(packet, descriptors)
        for fd in descriptors:
            os.close(fd)
        self._spare = self._fork()
        status, cpu_s, peak_kb = self._wait(child)
        used = {"cpu_s": cpu_s, "peak_kb": peak_kb, "written_kb": scratch.used_kb(self._confinement.scratch)}
        frames.send_packet(self._link, {"status": status, **used})
        self._sweep(child)

    def _hand_in(self, packet: Any, descriptors: list[int]) -> Child:
        """Give the request to the waiting child, or to a new one where that has died."""
        while True:
            child = self._spare or self._fork()
            self._spare = None
            try:
                frames.send_packet(child.hatch, packet, tuple(descriptors))
                return child
            except OSError:
                child.forget()
                os.waitpid(child.pid, 0)

    def _fork(self) -> Child:
        """A child that confines itself and waits."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        pid = os.fork()
        if pid == 0:
            self.is_child = True
            raise _Accepted(self._live(theirs))
        theirs.close()
        return Child(pid, os.pidfd_open(pid), ours)

    def _wait(self, child: Child) -> tuple[int, float, int]:
        """Its wait status, CPU seconds and peak KiB; it is killed when the host says so or goes away."""
        poll = select.poll()
        poll.register(child.handle, select.POLLIN)
        poll.register(self._link, select.POLLIN)
        while child.handle not in [fd for fd, _ in poll.poll()]:
            os.kill(child.pid, signal.SIGKILL)
            try:
                frames.receive_packet(self._link)
            except (EOFError, OSError):
                poll.unregister(self._link)
        _, status, usage = os.wait4(child.pid, 0)
        return status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss

    def _sweep(self, child: Child) -> None:
        """Kill what the child may have left running, and remove what it wrote."""
        child.forget()
        if not self._confinement.forbids_processes:
            self._kill_all(child)
        scratch.empty(self._confinement.scratch)

    def _kill_all(self, child: Child) -> None:
        """Kill all that runs here where this is a pid namespace's first process, else the child's session."""
        if os.getpid() != 1:
            with contextlib.suppress(OSError):
                os.killpg(child.pid, signal.SIGKILL)
            return
        with contextlib.suppress(OSError):
            os.kill(-1, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while True:
                os.waitpid(-1, 0)
        if self._spare:
            self._spare.forget()
            self._spare = None

    def _live(self, hatch: socket.socket) -> Request:
        """Be confined, and wait for a request."""
        failure = ""
        try:
            os.setsid()
            _close_all_but(hatch.fileno(), *self._confinement.descriptors, *self._harmless)
            self._confinement.enter_child()
            if self._warm:
                self._warm()
        except Exception as error:  # noqa: BLE001 - nothing may run after a layer has failed; the host is told why
            failure = f"{type(error).__name__}: {error}"
        packet, (job_fd, result_fd) = frames.receive_packet(hatch)
        hatch.close()
        job = json.loads(os.pread(job_fd, os.fstat(job_fd).st_size, 0))
        os.close(job_fd)

        def emit(content: Any) -> None:
            frames.write_all(result_fd, frames.frame(content))

        if failure:
            emit({"broken": failure})
            os._exit(_NOT_CONFINED)
        self._confinement.limit(job["limits"])
        emit({"confined": True})
        if packet.get("trial"):
            emit(trial.findings(self._marker, self._confinement.abi))
            os._exit(0)
        return Request(job, packet["start"], self.folder, emit)


def _leading_nowhere() -> list[int]:
    """Descriptors of the null device that loaded programs hold open (a log without a file) and will want to close."""
    null, found = os.fstat(0).st_rdev, []
    for fd in range(3, _MOST_DESCRIPTORS):
        with contextlib.suppress(OSError):
            facts = os.fstat(fd)
            if stat.S_ISCHR(facts.st_mode) and facts.st_rdev == null:
                found.append(fd)
    return found


def _close_all_but(*kept: int) -> None:
    """Close every descriptor but these and 0 to 2, which lead to the null device."""
    os.dup2(0, 2)
    start = 3
    for fd in sorted(kept):
        os.closerange(start, fd)
        start = fd + 1
    os.closerange(start, start + _MOST_DESCRIPTORS)
