"""What every kind of sandbox does with its warm servers: lease one, run the job on it, tell what was seen."""

from __future__ import annotations

import re
import time
import weakref
from abc import abstractmethod
from collections.abc import Callable
from functools import reduce
from typing import ClassVar, TypeVar

from tdgen.closing import Closing
from tdgen.errors import SandboxError
from tdgen.sandbox import layers
from tdgen.sandbox.conversation import Ending, Used
from tdgen.sandbox.evaluation import Evaluation
from tdgen.sandbox.observing import denials
from tdgen.sandbox.opened import NOTHING, Opened
from tdgen.sandbox.pool import Pool
from tdgen.sandbox.pytest_run import PytestRun
from tdgen.sandbox.server import Kind, Plan, Server, ServerGone, ServerLost
from tdgen.types import FileJob, FileReport, Job, Layer, Report, Resources

T = TypeVar("T")
_MOST_LOST = 2
_HYPOTHESIS = re.compile(r"^[ \t]*(?:from|import)\s+hypothesis\b", re.MULTILINE)


class WarmSandbox(Closing):
    """Runs jobs in children of warm servers; where these run, and how they are confined, is each kind's own."""

    kind: ClassVar[str]
    layer_names: ClassVar[tuple[str, ...]] = layers.ALL
    opened: Opened = NOTHING

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

        def work(server: Server) -> Evaluation:
            evaluation = Evaluation(job)
            evaluation.complete(server)
            return evaluation

        done = self._on_server("probes", 0, work)
        return Report(
            observations=tuple(done.observations),
            denied=denials(done.observations),
            resources=_resources(began, done.endings),
        )

    def run_files(self, job: FileJob) -> FileReport:
        """Run pytest on the job's files. Tests and candidate share a process: never take this for a proof.

        SandboxError where no server can be started, or one died twice on this job.
        """
        kind: Kind = "properties" if _wants_hypothesis(job) else "files"
        return self._on_server(kind, job.hash_seed, PytestRun(job).report)

    def layers(self) -> tuple[Layer, ...]:
        """What is enforced here: tried in a child that is confined as for any job."""
        if self._found is None:
            self._found = self._on_server("probes", 0, lambda server: layers.found(server, self.layer_names))
        return self._found

    def describe(self) -> str:
        """One line for people: the kind and what it enforces."""
        return layers.describe(self.kind, self.layers(), self.opened)

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


def _resources(began: float, endings: list[Ending]) -> Resources:
    """What all children together used."""
    used = reduce(Used.and_then, (ending.used for ending in endings), Used())
    return Resources(wall_s=time.monotonic() - began, **used._asdict())


def _wants_hypothesis(job: FileJob) -> bool:
    """Whether one of the files imports hypothesis, as far as a glance tells."""
    return any(_HYPOTHESIS.search(text) for text in job.files.values())
