"""Where runs lie: what the service needs of it, whether its runs are one process's or shared by many.

A run is worked on by who has claimed it, and by nobody else; anybody may read it, end it or answer its questions. A
claim that is released, or lost with its holder, can be claimed again: the run goes on from its journal.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final, Literal, NamedTuple, Protocol

from tdgen.solution import Solution
from tdgen.types import Asked, digest
from tdgen.web.orders import RunRecord

ALL: Final = "all"


class Line(NamedTuple):
    """An event of a run: its number, from 1, and its JSON."""

    number: int
    text: str


class News(NamedTuple):
    """Something happened in the run of that id, or in any where that is "".

    A run was `queued`, or may be had again; it was `said` something from outside; its record or its events, `event`,
    are others.
    """

    identity: str
    kind: Literal["queued", "said", "event"]


class Said(NamedTuple):
    """What was said to a run from outside: that it is to end, and answers by `question_key`."""

    stopping: bool
    answers: Mapping[str, str]


class Reader(Protocol):
    """Reads a run's events a piece at a time, and holds no more than that piece."""

    def read(self) -> list[Line]:
        """The next events, one at the least; none where there are no more yet."""


class Claim(Protocol):
    """A run that its holder alone works on. Safe to use from several threads.

    Each writing raises StoreError where that can't be, and LostLock where another holder took the run over.
    """

    record: RunRecord

    @property
    def is_lost(self) -> bool:
        """Whether another holder may have taken it over."""

    def save(self, record: RunRecord) -> None:
        """Keep the record as it is now."""

    def append(self, event: Mapping[str, Any]) -> None:
        """Keep an event, for whoever looks on."""

    def deliver(self, solution: Solution) -> None:
        """Keep what came of it."""

    def release(self) -> None:
        """Work on it no more. Releasing twice is allowed."""


class RunStore(Protocol):
    """All runs of a service. Safe to use from several threads; StoreError where it can't be used."""

    def add(self, record: RunRecord, waiting: int) -> None:
        """Queue a run; Full where so many wait already."""

    def claim(self, identity: str = "", *, orphaned: bool = False) -> Claim | None:
        """The next run that nobody works on, or the one of that id; None where there is none.

        An `orphaned` one was worked on before, by somebody who died, stood still or let go of it.
        """

    def record(self, identity: str) -> RunRecord | None:
        """How a run stands; None where there is no such run."""

    def records(self) -> list[RunRecord]:
        """All runs, the newest first."""

    def solution(self, identity: str) -> Solution | None:
        """What came of a run; None where nothing did, or not yet."""

    def reader(self, identity: str, after: int = 0) -> Reader:
        """A reader of a run's events behind number `after`."""

    def stop(self, identity: str) -> None:
        """Tell whoever works on a run that it is to end."""

    def answer(self, identity: str, question: str, answer: str) -> bool:
        """Tell them the answer to a question, by its `question_key`; False where it is answered already."""

    def said(self, identity: str) -> Said:
        """What was said to a run since it was claimed first."""

    def listening(self, listener: Callable[[News], None]) -> AbstractContextManager[None]:
        """Have `listener` called, in whatever thread, with what happens in runs."""

    def book(self, name: str, in_a_minute: int) -> bool:
        """Book a turn of that name, so many in any minute; False where there is none now."""

    def alone(self, name: str) -> AbstractContextManager[None]:
        """Do alone what is done under that name."""

    def keep_work(self, identity: str, status: str, seconds: float) -> None:
        """Keep for so long how work stands that is no run, for whoever else is asked. It hears `stop` as runs do."""

    def work(self, identity: str) -> str | None:
        """How such work stands elsewhere; None where there is none."""

    def count(self, about: str, figures: Mapping[str, float]) -> None:
        """Add figures to those that are kept `about` a day, ISO 8601, or about `ALL` days."""

    def counts(self, about: str) -> dict[str, float]:
        """The figures about a day, or about `ALL`."""

    def close(self) -> None:
        """Let go of it. Closing twice is allowed."""


def question_key(question: Asked) -> str:
    """By what a question is known again, wherever among others it is asked."""
    return digest(question.model_dump(mode="json", exclude={"place", "total"}))


def events_of(reader: Reader) -> Iterator[dict[str, Any]]:
    """All events that a reader has now, in order."""
    while lines := reader.read():
        for line in lines:
            yield json.loads(line.text)


class Listeners:
    """Who is told of what happens in runs. Safe to use from several threads."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._all: list[Callable[[News], None]] = []

    @contextmanager
    def listening(self, listener: Callable[[News], None]) -> Iterator[None]:
        """Have `listener` called with what happens."""
        with self._guard:
            self._all.append(listener)
        try:
            yield
        finally:
            with self._guard:
                self._all.remove(listener)

    def tell(self, news: News) -> None:
        """Something happened."""
        with self._guard:
            listeners = tuple(self._all)
        for listener in listeners:
            listener(news)
