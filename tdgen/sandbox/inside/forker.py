"""The loop of a server: children forked and confined before there is a request for them, one at work at a time.

The server sends the host the descriptors of a child that waits, and never sees what the host asks of it: so nothing of
one job is in the memory that the next one's child inherits, and a request goes straight to who runs it. A second child
waits behind the one whose descriptors were sent, so that no run waits for a fork or a confinement.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import resource
import select
import signal
import socket
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tdgen.sandbox.inside import layer_probe, messages, scratch
from tdgen.sandbox.inside.confine import Confinement
from tdgen.sandbox.inside.messages import ExitWatcher
from tdgen.sandbox.inside.project import Project

_NOT_CONFINED = 71
_SPARES = 2
_TRIES = 3
_usage = resource.getrusage


class Request(NamedTuple):
    """What a child is to do: how and within which limits (`asked`), a job, in which folder, and how to send results.

    `probes` gives one probe after the other, each when all that was answered before has been read.
    """

    asked: dict[str, Any]
    job: Any
    probes: Iterator[Any]
    folder: Path
    emit: Callable[[Any], Any]


class _Accepted(Exception):
    """Raised in a child that is confined and has its request, to leave the server's loop."""

    def __init__(self, request: Request) -> None:
        super().__init__()
        self.request = request


class Child(NamedTuple):
    """A process that waits for a request, or works at one.

    Its id, a handle on it, the socket by which it is sent a request and sends its state, the pipe by which its job and
    probes are sent, and the one by which its answers come.
    """

    pid: int
    handle: int
    control: socket.socket
    probes: int
    answers: int

    def message(self, flags: int = 0) -> Any:
        """The next message that it sends of its own state; None after its last."""
        try:
            if not self.control.recv(1, flags | socket.MSG_PEEK):
                return None
            return json.loads(messages.take(self.control.fileno()))
        except (EOFError, OSError):
            return None

    def forget(self) -> None:
        """Close what the server holds of it."""
        ExitWatcher.forget(self.handle)
        os.close(self.probes)
        os.close(self.answers)
        self.control.close()


class Forker:
    """Serves one host over `link`, one request at a time. `marker` is a path outside, for the probe of the layers.

    `project` is the one that children work in, which each has to enter by itself: nothing of it runs in the server.
    In a child `confinement` says whether it may fork itself for each probe; each copy calls `enter_copy` there, and so
    does who makes none. Its scratch folder is the same for all requests, and empty before each.
    `warming` has the `source` that a child may run while it waits, and the `limits` that a job will mostly have.
    """

    def __init__(
        self,
        link: socket.socket,
        confinement: Confinement,
        marker: str,
        project: Project | None,
        warming: dict[str, Any],
    ) -> None:
        self._link, self.confinement, self._marker = link, confinement, marker
        self.project, self._warming = project, warming
        self._spares: list[Child] = []
        self._harmless: list[int] = []
        self._exits = ExitWatcher()
        self._kept: BaseException | None = None
        self._run = 0
        self._prepare: Callable[[], None] = lambda: None
        self.is_child = False

    def warm(self) -> None:
        """Start programs ahead, in a child that waits. One that can't be started a job starts for itself."""
        if self._warming["source"]:
            limit = partial(self.confinement.limit, self._warming["limits"])
            with contextlib.suppress(Exception):
                exec(self._warming["source"], {"limit": limit, "scratch": str(self.confinement.scratch)})  # noqa: S102 - a language's own, and no candidate's

    def serve(self, prepare: Callable[[], None] = lambda: None) -> Request:
        """Like `fork`, it returns often: a request in each child that has one. The server ends as the host is gone.

        `prepare` is called in each child while it waits. A child must end by `os._exit`, whatever happens to it.
        """
        self._harmless, self._prepare = messages.leading_nowhere(), prepare
        gc.collect()
        gc.freeze()
        try:
            self._loop()
        except _Accepted as accepted:
            self._kept = accepted  # and all that its frames hold: closed once more, it would close what others opened
            return accepted.request
        self.confinement.leave()
        os._exit(0)  # what this is called from may take long to wind down

    def _loop(self) -> None:
        """Until the host closes its end. OSError where a run left the scratch folder as no other must find it."""
        while True:
            scratch.put_in_order(self.confinement.scratch)
            child = self._offer_child()
            while child and len(self._spares) < _SPARES - 1:
                self._spares.append(self._fork())
            if not self._wait_for_end(child):
                return
            if child:
                # Report how a child ended and what it used, and kill what it may have left running
                _, status, usage = os.wait4(child.pid, 0)
                report: dict[str, Any] = {"run": self._run, "status": status}
                report.update(
                    _used(usage, self.confinement.scratch), **(child.message(socket.MSG_DONTWAIT) or {"began": False})
                )
                if not self.confinement.forbids_processes:
                    self._kill_all(child)
                messages.send_packet(self._link, report)
                child.forget()

    def _offer_child(self) -> Child | None:
        """Give the host the descriptors of a confined child; None where none can be had, and the host was told why."""
        self._run += 1
        why = "no process stays alive"
        for _ in range(_TRIES):
            child = self._spares.pop(0) if self._spares else self._fork()
            message = child.message()
            if message is not None and "broken" not in message and self._is_next(child):
                report = {"run": self._run, "pid": child.pid}
                messages.send_packet(self._link, report, (child.control.fileno(), child.probes, child.answers))
                return child
            child.forget()
            os.waitpid(child.pid, 0)
            if message is not None and "broken" in message:
                why = message["broken"]
                break
        messages.send_packet(self._link, {"run": self._run, "broken": why})
        return None

    def _is_next(self, child: Child) -> bool:
        """Tell a child that keeps files that its turn has come; whether it still lives to hear it."""
        if self.confinement.browses:
            try:
                _send_state(child.control, {"next": True})
            except OSError:
                return False
        return True

    def _fork(self) -> Child:
        """A child that confines itself and waits."""
        ours, theirs = socket.socketpair()
        probes_in, probes = os.pipe()
        answers, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            self.is_child = True
            raise _Accepted(self._become_child(theirs, probes_in, writing))
        theirs.close()
        os.close(probes_in)
        os.close(writing)
        return Child(pid, self._exits.handle(pid), ours, probes, answers)

    def _wait_for_end(self, child: Child | None) -> bool:
        """Wait until `child` ends; it is killed when the host says so or goes away. Whether the host is there."""
        poll = select.poll()
        poll.register(self._link, select.POLLIN)
        ends = self._exits.fd(child.handle) if child else -1
        if child:
            poll.register(ends, select.POLLIN)
        while True:
            if child and self._exits.has_ended(child.pid):
                return True
            ready = [fd for fd, _ in poll.poll()]
            if ends in ready:
                continue
            try:
                packet, _ = messages.receive_packet(self._link)
            except (EOFError, OSError):
                packet = None
            if child and (packet is None or packet.get("kill") == self._run):
                os.kill(child.pid, signal.SIGKILL)
            if packet is None or (child and packet.get("kill") == self._run):
                return packet is not None

    def _kill_all(self, child: Child) -> None:
        """Kill the child's session, with all that it started.

        Where it may have left that, or stopped what waits, and this is a pid namespace's first process, all is killed.
        """
        is_all = os.getpid() == 1 and bool(self.confinement.programs) and not self.confinement.keeps_apart
        whom = -1 if is_all else -child.pid
        with contextlib.suppress(OSError):
            os.kill(whom, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while True:
                os.waitpid(whom, 0)
        while is_all and self._spares:
            self._spares.pop().forget()

    def _become_child(self, control: socket.socket, probes_in: int, answers: int) -> Request:
        """Be confined, and wait for a request."""
        try:
            self._exits.forget_all()
            os.setsid()
            needed = (control.fileno(), probes_in, answers, *self.confinement.descriptors)
            messages.close_all_but(*needed, *self._harmless)
            messages.open_anew(*self._harmless)
            self.confinement.enter_child()
        except Exception as error:  # noqa: BLE001 - nothing may run after a layer has failed; the host is told why
            _give_up(control, error)
        _send_state(control, {"confined": True})
        try:
            if self.confinement.browses:  # a browser that waits keeps files in the scratch folder, which is another's
                messages.take(control.fileno())
            self._prepare()
            asked = json.loads(messages.take(control.fileno()))
        except (EOFError, OSError):
            os._exit(0)  # there is no host any more
        try:
            self.confinement.limit(asked["limits"])
        except Exception as error:  # noqa: BLE001 - as above
            _give_up(control, error)
        _send_state(control, {"began": True})
        control.close()
        emit = self._emitter(answers)
        if asked.get("layers"):
            self.confinement.enter_copy()
            emit(layer_probe.findings(self._marker, self.confinement))
            os._exit(0)
        return Request(asked, json.loads(messages.take(probes_in)), _probes(probes_in), self.confinement.scratch, emit)

    def _emitter(self, answers: int) -> Callable[[Any], None]:
        """What sends a child's frames; the last of them tells what was used."""

        def emit(content: Any) -> None:
            if content.get("last") or "finished" in content:
                with contextlib.suppress(Exception):  # of whatever a candidate may have put in their place
                    content["used"] = _used(_usage(resource.RUSAGE_SELF), self.confinement.scratch)
            messages.write_all(answers, messages.frame(content))

        return emit


def _probes(probes_in: int) -> Iterator[Any]:
    """The probes as they come, until there is no host any more."""
    while True:
        try:
            text = messages.take(probes_in)
        except (EOFError, OSError):
            os._exit(0)
        yield json.loads(text)


def _send_state(control: socket.socket, content: Any) -> None:
    """Send the server this child's state."""
    messages.write_all(control.fileno(), messages.frame(content))


def _give_up(control: socket.socket, error: Exception) -> None:
    """End, as a layer can't be put on."""
    _send_state(control, {"broken": f"{type(error).__name__}: {error}"})
    os._exit(_NOT_CONFINED)


def _used(usage: Any, folder: Path) -> dict[str, Any]:
    """CPU seconds, peak KiB of memory, and KiB of files."""
    return {
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "peak_kb": usage.ru_maxrss,
        "written_kb": scratch.used_kb(folder),
    }
