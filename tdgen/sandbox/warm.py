"""Servers kept warm: as many at work as there are processors, one job each, replaced when they end.

What every kind of sandbox does with its warm servers: lease one, run the job on it, tell what was seen.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
import time
import weakref
from abc import abstractmethod
from collections.abc import Callable, Iterator
from functools import partial, reduce
from typing import ClassVar, TypeVar

from tdgen.errors import SandboxError
from tdgen.protocols import Closing
from tdgen.sandbox.interpreter import Mounted
from tdgen.sandbox.observing import LAYERS, Evaluation, denials, described, enforced_layers
from tdgen.sandbox.pytest_run import pytest_report
from tdgen.sandbox.server import NOTHING, Kind, Opened, Plan, Server, ServerGone, ServerLost, Used
from tdgen.types import FileJob, FileReport, Job, Layer, Report, Resources

_KINDS = 4
"""How many kinds of server one solve uses by turns: for probes, for test files under each of two hash seeds, and for a
project's own tests."""


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0))


class Pool:
    """Leases servers, which `start` starts. Safe to use from several threads."""

    def __init__(self, capacity: int, start: Callable[[Plan], Server]) -> None:
        self._capacity, self._start = capacity, start
        self._at_work: set[Server] = set()
        self._reserved = 0
        self._idle: list[Server] = []
        self._free = threading.Condition()
        self._closed = False

    @property
    def most(self) -> int:
        """How many servers there may be, those at work and idle ones."""
        return (1 + _KINDS) * self._capacity

    @contextlib.contextmanager
    def lease(self, plan: Plan) -> Iterator[Server]:
        """A server for `plan`, alone; one that was left by an exception is ended, any other is kept for the next."""
        server = self._take(plan)
        try:
            yield server
        except BaseException:
            self._drop(server)
            raise
        self._give_back(server)

    def _take(self, plan: Plan) -> Server:
        """An idle server for `plan`, or a new one as soon as fewer than `capacity` are at work."""
        with self._free:
            while not self._closed and self._reserved >= self._capacity:
                self._free.wait()
            if self._closed:
                raise SandboxError("the sandbox was closed: open another one")
            self._reserved += 1
            server = next((idle for idle in reversed(self._idle) if idle.plan == plan), None)
            if server is not None:
                self._idle.remove(server)
                self._at_work.add(server)
                return server
        try:
            server = self._start(plan)
        except BaseException:
            with self._free:
                self._reserved -= 1
                self._free.notify()
            raise
        with self._free:
            self._at_work.add(server)
        return server

    def _give_back(self, server: Server) -> None:
        """Keep `server` for the next job; too many idle ones are ended, the longest idle first."""
        with self._free:
            self._at_work.discard(server)
            self._reserved -= 1
            self._idle.append(server)
            surplus = self._idle if self._closed else self._idle[: -_KINDS * self._capacity]
            self._idle = self._idle[len(surplus) :]
            self._free.notify()
        _end(surplus)

    def _drop(self, server: Server) -> None:
        """End `server`: what state it is in isn't known. Its place is free afterwards, whatever its end raises."""
        try:
            server.kill()
        finally:
            with self._free:
                self._at_work.discard(server)
                self._reserved -= 1
                self._free.notify()

    def close(self) -> None:
        """End all servers; those at work lose their job. Closing twice is allowed."""
        with self._free:
            self._closed = True
            idle, self._idle = self._idle, []
            for server in self._at_work:
                server.interrupt()
            self._free.notify_all()
        _end(idle)


def _end(servers: list[Server]) -> None:
    """End all of `servers` at once rather than one after the other; an error of one is raised when all have ended."""
    with contextlib.ExitStack() as ends:  # the last callback is called first
        for server in servers:
            ends.callback(server.wait)
        for server in servers:
            ends.callback(server.hang_up)


T = TypeVar("T")
_MOST_LOST = 2  # a server may die by chance once; twice on one job it is the job
_HYPOTHESIS = re.compile(r"^[ \t]*(?:from|import)\s+hypothesis\b", re.MULTILINE)


class WarmSandbox(Closing):
    """Runs jobs in children of warm servers; where these run, and how they are confined, is each kind's own."""

    kind: ClassVar[str]
    layer_names: ClassVar[tuple[str, ...]] = LAYERS
    opened: Opened = NOTHING
    mounted: Mounted | None = None
    lends_pytest: bool = True
    """Whether tests run by the pytest that runs here: an old interpreter inside may have one of its own for them."""

    def __init__(self, capacity: int, start: Callable[[Plan], Server]) -> None:
        """At most `capacity` jobs run at once, each on a server that `start` starts when one is first needed."""
        self._pool = Pool(capacity, start)
        weakref.finalize(self, self._pool.close)
        self._found: tuple[Layer, ...] | None = None

    @abstractmethod
    def _plan(self, kind: Kind, hash_seed: int) -> Plan:
        """What a server of that kind is started with."""

    def run(self, job: Job) -> Report:
        """Evaluate the job's probes: one observation each, in order, whatever the candidate does.

        SandboxError where no server can be started, or one died twice on this job.
        """
        began = time.monotonic()
        whole = job.model_copy(update={"overlay": {**self._laid, **job.overlay}})
        done = self._on_server("probes", 0, lambda server: Evaluation(whole).completed(server))
        used = reduce(Used.and_then, (ending.used for ending in done.endings), Used())
        return Report(
            observations=tuple(done.observations),
            denied=denials(done.observations),
            resources=Resources(wall_s=time.monotonic() - began, **used._asdict()),
        )

    def run_files(self, job: FileJob) -> FileReport:
        """Run pytest on the job's files. Tests and candidate share a process: never take this for a proof.

        SandboxError where no server can be started, or one died twice on this job.
        """
        kind: Kind = "properties" if any(_HYPOTHESIS.search(text) for text in job.files.values()) else "files"
        if job.project_tests and self.mounted is None:
            raise SandboxError("no project is mounted whose tests could be run: open the sandbox with one")
        if job.project_tests or not self.lends_pytest:
            kind = "project"
        whole = job.model_copy(update={"overlay": {**self._laid, **job.overlay}})
        return self._on_server(kind, job.hash_seed, partial(pytest_report, whole, time.monotonic()))

    @property
    def _laid(self) -> dict[str, str]:
        return self.mounted.laid if self.mounted else {}

    def layers(self) -> tuple[Layer, ...]:
        """What is enforced here: tried in a child that is confined as for any job."""
        if self._found is None:
            self._found = self._on_server("probes", 0, lambda server: enforced_layers(server, self.layer_names))
        return self._found

    def describe(self) -> str:
        """One line for people: the kind and what it enforces."""
        return described(self.kind, self.layers(), self.opened)

    def _on_server(self, kind: Kind, hash_seed: int, work: Callable[[Server], T]) -> T:
        """Do `work` with a server; with another where the first is lost, and once more where that is lost at work."""
        gone, lost = 0, 0
        while lost < _MOST_LOST and gone <= self._pool.most:
            try:
                with self._pool.lease(self._plan(kind, hash_seed)) as server:
                    return work(server)
            except ServerGone:
                gone += 1
                self._after_loss()
            except ServerLost:
                lost += 1
                self._after_loss()
        raise SandboxError(self._death())

    def _after_loss(self) -> None:
        """A server was lost."""
        return

    def _death(self) -> str:
        """What to say when a job has lost two servers."""
        return "the sandbox's server died twice on one run: `tdgen doctor` tells more"

    def close(self) -> None:
        """End all servers and remove what they wrote. Closing twice is allowed."""
        self._pool.close()
