"""A process that has loaded what servers run, and forks one for each that the host asks for.

To start an interpreter and load its modules takes several times what a server's namespaces take, so it is done once.
The launcher is as privileged as the host: it reads no job, imports nothing of a project and runs nothing of a
candidate, and what it hands down to a server is loaded modules and a few descriptors.

Packets from the host: {"start": n} with the descriptors of a server's link, of its log and of a pipe that it holds open
as long as it lives; {"kill": n}. There are none to the host.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import socket
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tdgen.sandbox.inside import loading, messages, scratch, server
from tdgen.sandbox.inside.messages import ExitWatcher

_ERRORS = 2


def main(control_fd: int, room: str, kinds: Sequence[str], folders: Sequence[str]) -> None:
    """Load what servers of these `kinds` run, and serve the host until it goes away.

    `room` is a folder to do so in, which is removed. Servers say what can't be loaded, each to who asked for it.
    """
    control = server.lowest(control_fd)
    programs: dict[str, loading.Serve] = {}
    fault = ""
    try:
        programs = loading.load(kinds, folders, Path(room))
    except Exception as error:  # noqa: BLE001 - whatever it is, the host says it in its own words
        fault = str(error)
    scratch.remove(Path(room))
    gc.collect()
    gc.freeze()

    def program(config: dict[str, Any]) -> loading.Serve:
        if fault:
            raise RuntimeError(fault)
        return programs[config["kind"]]

    with contextlib.suppress(EOFError, OSError):
        Launcher(control, program).serve()


class Launcher:
    """Forks servers and reaps them."""

    def __init__(self, control: socket.socket, program: server.Program) -> None:
        self._control, self._program = control, program
        self._exits = ExitWatcher()
        self._servers: dict[int, tuple[int, int]] = {}  # process and handle, by the host's number

    def serve(self) -> None:
        """Do what the host asks until it goes away (EOFError, or OSError)."""
        while True:
            poll = select.poll()
            poll.register(self._control, select.POLLIN)
            for _, handle in self._servers.values():
                poll.register(self._exits.fd(handle), select.POLLIN)
            ready = [fd for fd, _ in poll.poll()]
            for number, (pid, handle) in list(self._servers.items()):
                if self._exits.has_ended(pid):
                    os.waitpid(pid, 0)
                    self._exits.forget(handle)
                    del self._servers[number]
            if self._control.fileno() in ready:
                packet, descriptors = messages.receive_packet(self._control)
                if "start" in packet:
                    self._start(packet["start"], *descriptors)
                elif packet["kill"] in self._servers:
                    os.kill(self._servers[packet["kill"]][0], signal.SIGKILL)

    def _start(self, number: int, link: int, log: int, life: int) -> None:
        """Fork a server, which holds `life` until it ends."""
        pid = os.fork()
        if pid == 0:
            try:
                # Be a server in a session of its own, with no descriptor but its own
                self._exits.forget_all()
                os.setsid()
                os.dup2(log, _ERRORS)
                messages.close_all_but(link, life)
                server.main(link, self._program)
                os._exit(0)
            except BaseException:  # noqa: BLE001 - the last line that the host finds in the log
                traceback.print_exc()
            finally:
                os._exit(1)
        self._servers[number] = pid, self._exits.handle(pid)
        for descriptor in (link, log, life):
            os.close(descriptor)
