"""Launchers: processes that fork the servers of this machine, one for each interpreter, kind and environment.

A launcher starts with the first server that needs it, and ends when no server of it is held any more.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import tempfile
import threading
import weakref
from itertools import count
from pathlib import Path
from typing import NamedTuple

from tdgen.errors import SandboxError
from tdgen.sandbox.inside import messages
from tdgen.sandbox.server import STAND_INS, Plan

_END_S = 2.0
_BOOT = """
import sys, types
sys.path[:] = [path for path in sys.path if path]
control, room, kinds, folders, *stand_ins = sys.argv[1:]
for entry in stand_ins:
    name, _, path = entry.partition("=")
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [path]
from tdgen.sandbox.inside import launcher
launcher.main(int(control), room, kinds.split(), [folder for folder in folders.split(":") if folder])
"""
_TOGETHER = ("probes", "project")
"""Kinds that load no more than each other: one launcher has both."""


class Wanted(NamedTuple):
    """What makes one launcher different from another; `owner` is this process: its forks have their own."""

    owner: int
    program: str
    kinds: tuple[str, ...]
    folders: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]


class Launcher:
    """A process that forks servers, started by the constructor. SandboxError where it can't be."""

    def __init__(self, wanted: Wanted) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._numbers = count(1)
        log = os.memfd_create("tdgen-sandbox-launcher")
        try:
            process = _started(wanted, theirs.fileno(), log)
        except OSError as error:
            self._control.close()
            raise SandboxError(f"{wanted.program} can't be started: {error.strerror}") from error
        finally:
            theirs.close()
            os.close(log)
        self.end = weakref.finalize(self, _end, self._control, process)

    def start(self, link: int, log: int, life: int) -> int:
        """Have a server be forked with these descriptors: its number. OSError where the launcher is gone."""
        number = next(self._numbers)
        messages.send_packet(self._control, {"start": number}, (link, log, life))
        return number

    def kill(self, number: int) -> None:
        """Have a server be killed, if it still runs; where the launcher is gone, it ends as its link is cut."""
        with contextlib.suppress(OSError):
            messages.send_packet(self._control, {"kill": number})


def _started(wanted: Wanted, control: int, log: int) -> subprocess.Popen[bytes]:
    """The process, with the socket as its only descriptor and next to no environment."""
    root = Path(__file__).parents[1]
    stand_ins = [f"{name}={root / folder}" for name, folder in STAND_INS.items()]
    room = tempfile.mkdtemp(prefix="tdgen-sandbox-")
    given = [str(control), room, " ".join(wanted.kinds), ":".join(wanted.folders), *stand_ins]
    try:
        return subprocess.Popen(  # noqa: S603 - the sandbox's own program
            [wanted.program, "-s", "-S", "-c", _BOOT, *given],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            pass_fds=(control,),
            env=dict(wanted.environment),
            cwd="/",
            start_new_session=True,
        )
    except OSError:
        Path(room).rmdir()
        raise


def _end(control: socket.socket, process: subprocess.Popen[bytes]) -> None:
    """Have the process end, as nobody is at the other end of its socket."""
    control.close()
    try:
        process.wait(_END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


_open: weakref.WeakValueDictionary[Wanted, Launcher] = weakref.WeakValueDictionary()
_opening = threading.Lock()


def launcher(plan: Plan) -> Launcher:
    """The launcher for such a server: one that there is, or a new one. SandboxError where it can't be started."""
    wanted = _wanted(plan)
    with _opening:
        open_launcher = _open.get(wanted)
        if open_launcher is None:
            open_launcher = _open[wanted] = Launcher(wanted)
        return open_launcher


def lost(plan: Plan, gone: Launcher) -> None:
    """Have another launcher take the place of one that is gone."""
    with _opening:
        if _open.get(_wanted(plan)) is gone:
            del _open[_wanted(plan)]


def _wanted(plan: Plan) -> Wanted:
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
    environment = {**plan.environment(), **kept}
    kinds = _TOGETHER if plan.kind in _TOGETHER else (plan.kind,)
    return Wanted(os.getpid(), plan.interpreter.program, kinds, plan.loading, tuple(sorted(environment.items())))
