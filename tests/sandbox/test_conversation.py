"""What the host makes of a child's frames and end, with a server that plays its part."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tdgen.errors import SandboxError
from tdgen.sandbox.conversation import Used, converse
from tdgen.sandbox.inside.messages import frame
from tdgen.sandbox.inside.orders import Order
from tdgen.sandbox.interpreter import Interpreter
from tdgen.sandbox.server import Allowance, Answers, Plan, ServerLost

ENDED = {"run": 1, "status": 0, "cpu_s": 0.5, "peak_kb": 10, "written_kb": 4, "began": True}


class Played:
    """A server whose children say what they are told to, and end as they are told to."""

    plan = Plan(kind="probes", interpreter=Interpreter(program="python", version=(3, 12, 0), readable=()), wanted=())

    def __init__(self, said: list[bytes], ended: dict[str, Any]) -> None:
        self._said, self._ended = said, ended
        self.enforced: dict[str, str] = {}
        self.killed, self.waited = False, False

    @contextmanager
    def child(self, order: Order) -> Iterator[Answers]:
        """A child that says its pieces, then nothing more."""
        pieces = iter([*self._said, b""])
        yield lambda seconds: next(pieces)

    def kill_child(self) -> None:
        """Take note."""
        self.killed = True

    def has_ended(self, seconds: float) -> bool:
        """It has."""
        return True

    def ending(self, timeout: float) -> dict[str, Any]:
        """As told, and take note."""
        self.waited = True
        return self._ended

    def interrupt(self) -> None:
        """Nothing to do."""

    hang_up = wait = kill = interrupt


def hear(server: Played, *, most: int = 9) -> Any:
    """Converse until there were `most` frames."""
    heard: list[Any] = []

    def accept(content: dict[str, Any]) -> bool:
        heard.append(content)
        return "bad" not in content

    order = Order({"start": 0}, b"{}")
    return converse(server, order, accept, Allowance(), wall_s=5, restart=False, is_done=lambda: len(heard) == most)


def test_a_child_that_has_said_all_is_not_waited_for() -> None:
    """It is killed, whatever it still does, and its own word is taken for what it used."""
    used = {"cpu_s": 0.25, "peak_kb": 7, "written_kb": 3}
    server = Played([frame({"n": 1}) + frame({"used": used}) + b"more"], ENDED)
    assert hear(server, most=2).used == Used(0.25, 7, 3)
    assert (server.killed, server.waited) == (True, False)


@pytest.mark.parametrize("used", [None, [], {"cpu_s": "1", "peak_kb": -1, "written_kb": True}, {"cpu_s": 10**400}])
def test_what_can_not_have_been_used_counts_as_nothing(used: Any) -> None:
    """A candidate may write its own last frame."""
    assert hear(Played([frame({"used": used})], ENDED), most=1).used == Used()


def test_a_child_that_ends_before_is_told_of_by_the_kernel() -> None:
    """Its frames may claim what they like."""
    server = Played([frame({"used": {"cpu_s": 9}})], {**ENDED, "status": 9})
    ending = hear(server)
    assert (ending.fault, ending.manner, ending.used) == ("", "killed by SIGKILL", Used(0.5, 10, 4))
    assert (server.killed, server.waited) == (False, True)


@pytest.mark.parametrize("said", [frame({"bad": 1}), frame([1]), b"\x01\0\0\0{", b"\xff\xff\xff\xff"])
def test_a_child_that_tells_nonsense_is_killed(said: bytes) -> None:
    """A frame that is refused, is no object, no JSON, or too large."""
    server = Played([said], ENDED)
    assert hear(server).fault == "garbled"
    assert server.killed


def test_a_child_that_never_began_says_nothing_of_the_job() -> None:
    """A layer that can't be put on is an error; a child that ended before that is the server's fault."""
    with pytest.raises(SandboxError, match="OSError: no seccomp"):
        hear(Played([], {"run": 1, "broken": "OSError: no seccomp"}))
    with pytest.raises(ServerLost):
        hear(Played([], {**ENDED, "began": False}))
