"""The pool of servers: a place at work is never lost, however a server ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tdgen.sandbox.docker.server import DockerServer
from tdgen.sandbox.interpreter import Interpreter
from tdgen.sandbox.server import Plan
from tdgen.sandbox.warm import Pool

PLAN = Plan(
    kind="probes",
    interpreter=Interpreter(program="python3", version=(3, 12, 0), readable=()),
    wanted=(),
)


class Stubborn:
    """A server whose end raises."""

    plan = PLAN

    def __init__(self) -> None:
        self.hung_up = False

    def kill(self) -> None:
        raise OSError("the process can't be killed")

    def hang_up(self) -> None:
        self.hung_up = True
        raise OSError("the link is gone")

    def wait(self) -> None:
        pass


@pytest.fixture
def started() -> list[Any]:
    return []


@pytest.fixture
def pool(started: list[Any]) -> Pool:
    """A pool with one place at work, whose servers are hard to end."""

    def start(_: Plan) -> Any:
        started.append(Stubborn())
        return started[-1]

    return Pool(1, start)


def test_a_place_is_free_again_when_killing_fails(pool: Pool) -> None:
    """The next lease finds the one place that there is."""
    with pytest.raises(OSError, match="can't be killed"), pool.lease(PLAN):
        raise ValueError("the job failed")
    assert pool._reserved == 0
    with pool.lease(PLAN):
        pass


def test_all_servers_are_ended_though_one_fails(pool: Pool, started: list[Any]) -> None:
    """The error is raised when every server has been told."""
    pool._idle.extend(pool._start(PLAN) for _ in range(3))
    with pytest.raises(OSError, match="the link is gone"):
        pool.close()
    assert [server.hung_up for server in started] == [True] * 3


@pytest.mark.parametrize("failing", ["end_input", "has_ended"])
def test_a_containers_server_ends_as_far_as_it_can(failing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its line is closed always, and its slot given back where the program was seen to end."""
    line, container = Recorder(failing), Recorder()
    server = DockerServer.__new__(DockerServer)
    vars(server).update(_line=line, _container=container, _slot=("/scratch/1", 1001))
    with pytest.raises(ValueError, match=failing):
        server.kill()
    assert line.called[-1] == "close"
    assert container.called == ([] if failing == "has_ended" else ["give_back"])


class Recorder:
    """Notes which of its methods are called; `failing` raises, all others give True."""

    def __init__(self, failing: str = "") -> None:
        self.called: list[str] = []
        self._failing = failing

    def __getattr__(self, name: str) -> Callable[..., bool]:
        def method(*_: object) -> bool:
            self.called.append(name)
            if name == self._failing:
                raise ValueError(f"{name} failed")
            return True

        return method
