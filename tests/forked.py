"""Python programs in processes of their own, forked from one that has imported tdgen: none imports it anew.

    forker = Forker()
    process = forker.start([sys.executable, "-m", "tdgen", "--version"], stdout=subprocess.PIPE)  # a subprocess.Popen

What such a process does, is told by signals and leaves behind is its own; what is there before its first line is not.
Whether tdgen can be started from nothing is for tests that use `subprocess`.
"""

from __future__ import annotations

import inspect
import json
import os
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_SERVER = """
import gc, importlib, json, os, runpy, select, signal, socket, sys, types, warnings

control = socket.socket(fileno=int(sys.argv[1]))
os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"  # as the command has it
for name in sys.argv[2:]:
    importlib.import_module(name)
gc.collect()
gc.freeze()
statuses = {}
wake, waking = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
signal.signal(signal.SIGCHLD, lambda *_: None)
signal.set_wakeup_fd(waking, warn_on_full_buffer=False)

def reap():
    while statuses:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        os.write(statuses[pid], str(os.waitstatus_to_exitcode(status)).encode())
        os.close(statuses.pop(pid))

def serve():
    '''The order of a process that was forked; in the first one None, when nobody is there to give orders.'''
    while True:
        ready, _, _ = select.select([control, wake], [], [])
        if wake in ready:
            os.read(wake, 4096)
            reap()
        if control not in ready:
            continue
        data, given, _, _ = socket.recv_fds(control, 1 << 20, 4)
        if not data:
            return None
        *streams, status = given
        pid = os.fork()
        if not pid:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
            for other in (*streams, status, wake, waking, *statuses.values()):
                os.close(other)
            control.close()
            return json.loads(data)
        statuses[pid] = status
        for stream in streams:
            os.close(stream)
        control.send(str(pid).encode())

def streams():
    sys.stdin = sys.__stdin__ = open(0, closefd=False)
    sys.stdout = sys.__stdout__ = open(1, "w", 1 if os.isatty(1) else -1, closefd=False)
    sys.stderr = sys.__stderr__ = open(2, "w", 1, errors="backslashreplace", closefd=False)

def run(order):
    streams()
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    if order["umask"] >= 0:
        os.umask(order["umask"])
    words = order["words"]
    if words[0] == "-W":
        warnings.simplefilter(words[1])
        words = words[2:]
    if words[0] == "-P":
        words = words[1:]
    else:
        sys.path.insert(0, "" if words[0] == "-c" else os.getcwd())
    how, what, *rest = words
    if how == "-m":
        sys.argv = [what, *rest]
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        sys.argv = ["-c", *rest]
        sys.modules["__main__"] = main = types.ModuleType("__main__")
        exec(compile(what, "<string>", "exec"), vars(main))

if order := serve():
    run(order)
"""
_LOADED = (
    *("tdgen.cli.app", "tdgen.client", "tdgen.runtime", "tdgen.pipeline", "tdgen.build", "tdgen.languages.python"),
    *("tdgen.sandbox.local", "tdgen.models.scripted", "tdgen.endpoint", "tdgen.pytest_files", "tdgen.outputs"),
    "pip._internal.commands.install",
)


class Forker:
    """A process that forks others, begun with the first of them."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def start(self, words: Sequence[str], **more: Any) -> subprocess.Popen[Any]:
        """Start Python with `-m` or `-c`, and before it with `-P` or a `-W`; `more` is as for `subprocess.Popen`."""
        return _Forked(words, forker=self, **more)

    def forked(self, order: bytes, streams: Sequence[int]) -> int:
        """Have a process be forked that has these streams: its number."""
        with self._lock:
            if self._process is None:
                self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                command = [sys.executable, "-c", _SERVER, str(theirs.fileno()), *_LOADED]
                self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()])
                theirs.close()
            socket.send_fds(self._control, [order], streams)
            return int(self._control.recv(64))

    def run(self, words: Sequence[str], **more: Any) -> subprocess.CompletedProcess[str]:
        """What a program came to, and what it said as text."""
        with self.start(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more) as process:
            out, err = process.communicate(timeout=100)
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def close(self) -> None:
        """End it."""
        if self._process:
            self._control.close()
            self._process.wait(30)


class _Forked(subprocess.Popen[Any]):
    """A process that another one forked, of which it is told how it ended."""

    def __init__(self, words: Sequence[str], *, forker: Forker, **more: Any) -> None:
        self._forker = forker
        super().__init__(words, **more)

    def _execute_child(self, *given: Any) -> None:
        told = inspect.signature(subprocess.Popen._execute_child).bind(self, *given).arguments
        theirs = [told[name] for name in ("p2cread", "c2pwrite", "errwrite")]
        streams = [number if stream == -1 else stream for number, stream in enumerate(theirs)]
        self._status, status = os.pipe()
        environment = dict(os.environ if told["env"] is None else told["env"])
        place = {"folder": str(told["cwd"] or Path.cwd()), "environment": environment, "umask": told["umask"]}
        order = json.dumps({"words": list(told["args"])[1:], **place}).encode()
        self.pid = self._forker.forked(order, [*streams, status])
        self._child_created = True
        ours = [told[name] for name in ("p2cwrite", "c2pread", "errread")]
        made = {one for one, other in zip(theirs, ours, strict=True) if other != -1}
        for stream in {*made, status, getattr(self, "_devnull", status)}:
            os.close(stream)

    def _internal_poll(self, *_given: Any, **_more: Any) -> int | None:
        if self.returncode is None and select.select([self._status], [], [], 0)[0]:
            self._take()
        return self.returncode

    def _wait(self, timeout: float | None) -> int:
        if self.returncode is None:
            if not select.select([self._status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            self._take()
        return self.returncode

    def _take(self) -> None:
        self.returncode = int(os.read(self._status, 64))
        os.close(self._status)
