"""Work in threads, of which any process of a service tells."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from pydantic import BaseModel

from tdgen.errors import Cancelled
from tdgen.mcp.work import ENDED_LIVES_S, LIVES_S, Works
from tdgen.web.run_folder import RunFolder


class Outcome(BaseModel):
    """What comes of work."""

    value: int


class Shared(RunFolder):
    """Runs that two processes share: what is told of work is found by both, and for how long."""

    def __init__(self, folder) -> None:
        super().__init__(folder)
        self.texts: dict[str, str] = {}
        self.lives: dict[str, float] = {}

    def keep_work(self, identity: str, status: str, seconds: float) -> None:
        self.texts[identity], self.lives[identity] = status, seconds

    def work(self, identity: str) -> str | None:
        return self.texts.get(identity)


@pytest.fixture
def runs(tmp_path) -> Iterator[Shared]:
    """Where two processes meet."""
    runs = Shared(tmp_path)
    yield runs
    runs.close()


@pytest.fixture
def both(runs) -> Iterator[tuple[Works, Works]]:
    """The work of two processes."""
    one, other = Works(runs), Works(runs)
    yield one, other
    one.close()
    other.close()


def test_another_process_tells_how_it_stands_and_what_came_of_it(runs, both):
    """While it goes on for a little longer than until it is told anew; then for a day."""
    one, other = both
    going_on, ended = threading.Event(), threading.Event()
    work = one.begin("judge", lambda: going_on.wait(20) and Outcome(value=3), ended=ended.set)
    assert (other.status(work.id).state, runs.lives[work.id]) == ("running", LIVES_S)
    going_on.set()
    assert ended.wait(20)
    one.close()
    assert (other.status(work.id).state, other.status(work.id).result) == ("done", {"value": 3})
    assert runs.lives[work.id] == ENDED_LIVES_S


def test_another_process_ends_it(both):
    """By what it is told from there."""
    one, other = both
    stopped = threading.Event()

    def call() -> BaseModel:
        stopped.wait(20)
        raise Cancelled

    work = one.begin("judge", call, stopped.set)
    other.cancel(work.id)
    assert stopped.is_set()
    one.close()
    assert other.status(work.id).state == "cancelled"


def test_there_is_none_of_an_unknown_id(both):
    """Neither here nor elsewhere."""
    assert both[0].status("w1") is None
