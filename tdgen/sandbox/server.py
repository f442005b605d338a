"""What every kind of sandbox has in common: servers that are started by a plan, and bounds of what they tell.

How much a job's children may tell in all: what this process holds of a job does not grow with its probes.

JSON takes up to thirty times its own size when it is read: an empty list is three characters and 64 bytes. So
what counts is an estimate of what a frame will take, made before it is read.

What a user opens in a sandbox: the loopback of a run's own network, and programs that may be started.

What every kind of sandbox has in common: warm servers, each started by a plan, with one child at a time.

Where a server runs, and how jobs and answers travel there and back, is each kind's own.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict

from tdgen.sandbox.inside.orders import Order
from tdgen.sandbox.interpreter import Interpreter

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
    """Nothing, unless the user names it."""

    model_config = ConfigDict(frozen=True)

    loopback: bool = False
    programs: tuple[str, ...] = ()

    def __str__(self) -> str:
        """It in words, as the end of a sandbox's description: `network off`, `network off but for its own loopback`."""
        network = "network off but for its own loopback" if self.loopback else "network off"
        return network + (f"; may start {', '.join(self.programs)}" if self.programs else "")


NOTHING = Opened()


Kind = Literal["probes", "files", "properties"]
Answers = Callable[[float], bytes | None]
"""Reads what a child has written: some bytes, none at its end, and None where nothing comes within so many seconds."""

STAND_INS = {
    "tdgen": "",
    "tdgen.sandbox": "sandbox",
    "tdgen.sandbox.inside": "sandbox/inside",
    "tdgen.source": "source",
    "tdgen.values": "values",
}
"""Packages that the inside needs to be there, whose own `__init__` is never run, and their folders."""


class ServerLost(Exception):
    """The server process ended, or no longer answers."""


class ServerGone(ServerLost):
    """It ended before it was given a job, which says nothing of that one."""


class Plan(BaseModel):
    """All that makes one server different from another.

    `packages` are folders to import from, `visible` paths to read besides, `loading` folders to import from only while
    the server loads what it needs, `place` is where it is to run if there are several such places, `opened` what the
    user lets candidates reach.
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

    def config(self, base: str) -> dict[str, Any]:
        """What a server is told of it; `base` is its folder."""
        return {
            "kind": self.kind,
            "wanted": self.wanted,
            "base": base,
            "scratch_mb": self.scratch_mb,
            "visible": [*self.interpreter.readable, *self.packages, *self.visible],
            "packages": self.packages,
            "loading": self.loading,
            "programs": self.opened.programs,
            "loopback": self.opened.loopback,
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
        ...

    @property
    def enforced(self) -> dict[str, str]:
        """Layers that are in force, and what there is to say of each."""
        ...

    def child(self, order: Order) -> AbstractContextManager[Answers]:
        """A child that does as ordered: what reads its answers. ServerGone where there is none to be had."""
        ...

    def kill_child(self) -> None:
        """Have the last child killed, if it still runs."""
        ...

    def has_ended(self, seconds: float) -> bool:
        """Whether the server says within `seconds` how the child ended; `ending` then tells."""
        ...

    def ending(self, timeout: float) -> dict[str, Any]:
        """How the last child ended: its wait status, what it used, and whether it had `began` (or why it is `broken`).

        ServerLost where nobody says it in time. The next child waits for this one's end.
        """
        ...

    def interrupt(self) -> None:
        """Cut the link from another thread: whoever waits for an answer finds the server lost."""
        ...

    def hang_up(self) -> None:
        """Ask the server to end, without waiting for it."""
        ...

    def wait(self) -> None:
        """Wait for its end after `hang_up`, and end it by force where that takes too long."""
        ...

    def kill(self) -> None:
        """End it at once."""
        ...
