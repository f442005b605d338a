"""What every kind of sandbox has in common: servers that are started by a plan, and bounds of what they tell.

One child's frames are read on the host, with a clock that a child can't stop and bounds that it can't exceed. A child
that has said all that was asked of it is not waited for: it is killed, and reaped while the host goes on.

JSON takes up to thirty times its own size when it is read: an empty list is three characters and 64 bytes. So what
counts is an estimate of what a frame will take, made before it is read; what this process holds of a job does not grow
with its probes. Where a server runs, and how jobs and answers travel there and back, is each kind's own.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict

from tdgen.errors import SandboxError
from tdgen.sandbox.inside.messages import HEADER, MAX_FRAME, Order
from tdgen.sandbox.interpreter import Interpreter, Mounted
from tdgen.types import Limits

if TYPE_CHECKING:
    from tdgen.language import Language

_GRACE_S = 5.0  # for a killed child's end to be told; a judgement, for a busy machine
_INCREDIBLE = 1 << 40  # more CPU seconds or KiB than any machine has

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

    `fault` says what went wrong: it was too late, sent what is no frame, or sent one for which its job has no room. It
    is empty where the child ended by itself.

    What was used is the kernel's word. A child that finished all that was asked of it is not waited for: there it is
    the child's own word.
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


def converse(
    server: Server,
    order: Order,
    accept: Accept,
    allowance: Allowance,
    *,
    wall_s: float,
    restart: bool,
    is_done: Callable[[], bool] = lambda: False,
) -> Ending:
    """Have `server` start a child for the order, and hand each of its frames to `accept` until that says False.

    All that it says counts for `allowance`. The child has `wall_s` seconds for all its frames, or for each one where
    the clock is to `restart`. Once `is_done` holds after a frame, the child's end is not waited for.
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
            # What a child says that it used, as far as it says so in numbers
            used = content.get("used")
            figures = used if isinstance(used, dict) else {}
            # Where one is no number that can be, it counts as nothing.
            cpu_s, peak_kb, written_kb = (
                value if isinstance(value, int | float) and value is not True and 0 <= value < _INCREDIBLE else 0.0
                for value in map(figures.get, Used._fields)
            )
            self.used = Used(cpu_s, int(peak_kb), int(written_kb))
        return ""


WHOLE = 128 * 1024 * 1024
"""Bytes for all that is told of one job: what two of the largest values take, or sixteen of the largest texts."""
_VALUE, _ITEM = 64, 128
"""What a value takes besides its characters in CPython, and what an object's item takes more."""


class Allowance:
    """What is left (`room`) of the bytes that one job's children may have this process take, of `whole` at first."""

    def __init__(self, whole: int = WHOLE) -> None:
        self.whole = self.room = whole

    def cost(self, body: bytes) -> int:
        """The bytes that a frame takes when it is read, roughly; of one that takes too much, more than `whole`."""
        plain = body.replace(rb"\\", b"").replace(rb"\"", b"")
        texts = _VALUE * (plain.count(b'"') // 2)
        if texts > self.whole // 2:
            return len(body) + 2 * texts
        marks = b"".join(plain.split(b'"')[::2])
        return len(body) + _VALUE * _count(marks, b",[{") + _ITEM * _count(marks, b":")


def _count(text: bytes, wanted: bytes) -> int:
    """How many bytes of `text` are among `wanted`: where most are, `bytes.count` takes ten times as long."""
    return len(text) - len(text.translate(None, wanted))


class Opened(BaseModel):
    """What the user lets candidates reach: nothing by default."""

    model_config = ConfigDict(frozen=True)

    loopback: bool = False
    programs: tuple[str, ...] = ()
    compiles: bool = False
    """Whether what these programs make may be started too: see `tdgen.sandbox.inside.confine`."""
    browses: bool = False
    """Whether one of them is a browser: see there, too."""
    shown: tuple[str, ...] = ()
    """What these programs read besides."""
    warming: str = ""
    """What a child runs while it waits, confined, to have a program ready: see `tdgen.sandbox.inside.forker`."""
    limits: Limits = Limits()
    """Those that jobs mostly have, for what is started before there is a job."""

    @classmethod
    def to_run(cls, language: Language, limits: Limits) -> Opened:
        """What code in a language is run by, within these limits."""
        return cls(
            programs=language.programs,
            compiles=language.compiles,
            browses=language.browses,
            shown=language.shown,
            warming=language.warming,
            limits=limits if language.warming else Limits(),
        )

    def __str__(self) -> str:
        """It in words, as the end of a sandbox's description: `network off`, `network off but for its own loopback`."""
        network = "network off but for its own loopback" if self.loopback else "network off"
        compiled = " and what they compile" * self.compiles
        return network + (f"; may start {', '.join(self.programs)}{compiled}" if self.programs else "")


NOTHING = Opened()


Kind = Literal["probes", "files", "properties", "project"]
"""What a server runs: jobs of probes, files for pytest, such files that import hypothesis, or a project's own tests."""


Answers = Callable[[float], bytes | None]
"""Reads what a child has written: some bytes, none at its end, and None where nothing comes within so many seconds."""

STAND_INS = {
    "tdgen": "",
    "tdgen.sandbox": "sandbox",
    "tdgen.sandbox.inside": "sandbox/inside",
    "tdgen.sandbox.in_project": "sandbox/in_project",
    "tdgen.source": "source",
    "tdgen.values": "values",
}
"""Packages that the programs inside import from, with their folders; no `__init__` of theirs runs there."""


class ServerLost(Exception):
    """The server process ended, or no longer answers."""


class ServerGone(ServerLost):
    """It ended before it was given a job, which says nothing of that one."""


class Plan(BaseModel):
    """All that makes one server different from another.

    `packages` are folders to import from, `visible` paths to read besides, `loading` folders to import from only while
    the server loads what it needs, `place` is where it is to run if there are several such places, `opened` what the
    user lets candidates reach, `kept` a folder of programs that they may start, `mounted` the project that they run in.
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
    place: str = ""
    opened: Opened = NOTHING
    kept: str = ""
    mounted: Mounted | None = None

    def config(self, base: str) -> dict[str, Any]:
        """What a server is told of it; `base` is its folder."""
        shown = self.mounted.shown_to(self.kind) if self.mounted else ()
        return {
            "kind": self.kind,
            "wanted": self.wanted,
            "base": base,
            "scratch_mb": self.scratch_mb,
            "visible": [*self.interpreter.readable, *self.packages, *self.visible, *shown, *self.opened.shown],
            "listed": (self.mounted.root,) if self.mounted and self.kind != "probes" else (),
            "packages": self.packages,
            "loading": self.loading,
            "programs": self.opened.programs,
            "compiles": self.opened.compiles,
            "kept": self.kept,
            "browses": self.opened.browses,
            "loopback": self.opened.loopback,
            "warming": {"source": self.opened.warming, "limits": self.opened.limits.model_dump()},
            "project": self.mounted
            and {
                "root": self.mounted.root,
                "imports": self.mounted.imports,
                "names": self.mounted.names,
                "packages": self.packages,
                "lent": self.visible if self.kind == "project" else (),  # to its own tests
            },
        }

    def environment(self) -> dict[str, str]:
        """What a server's environment has at least; a run's own is made inside."""
        return {
            "LANG": "C.UTF-8",
            "PATH": "/usr/bin:/bin",
            "TZ": "UTC",
            "PYTHONHASHSEED": str(self.hash_seed),
            "MALLOC_ARENA_MAX": "1",
        }


class Server(Protocol):
    """One server, started. `enforced` are layers that it tells of by its own word."""

    @property
    def plan(self) -> Plan:
        """What it was started with."""

    @property
    def enforced(self) -> dict[str, str]:
        """Layers that are in force, and what there is to say of each."""

    def child(self, order: Order) -> AbstractContextManager[Answers]:
        """A child that does as ordered: what reads its answers. ServerGone where there is none to be had."""

    def kill_child(self) -> None:
        """Have the last child killed, if it still runs."""

    def has_ended(self, seconds: float) -> bool:
        """Whether the server says within `seconds` how the child ended; `ending` then tells."""

    def ending(self, timeout: float) -> dict[str, Any]:
        """How the last child ended: its wait status, what it used, and whether it had `began` (or why it is `broken`).

        ServerLost where nobody says it in time. The next child waits for this one's end.
        """

    def interrupt(self) -> None:
        """Cut the link from another thread: whoever waits for an answer finds the server lost."""

    def hang_up(self) -> None:
        """Ask the server to end, without waiting for it."""

    def wait(self) -> None:
        """Wait for its end after `hang_up`, and end it by force where that takes too long."""

    def kill(self) -> None:
        """End it at once."""
