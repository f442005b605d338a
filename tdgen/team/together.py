"""Jobs that several threads ask a sandbox for at once, run as one.

A process costs as much as some hundred small cases. Each thread goes its own way, as if it were alone with the sandbox;
when all of them wait for a job, those that may share a process do. Only what passes so counts: what does not may have
been in another's way, and is for the caller to judge by itself.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, NamedTuple, TypeVar

from tdgen.protocols import Sandbox
from tdgen.types import FileJob, FileReport, Job, Layer, Module, Report

MOST: Final = 64
"""Threads of a round."""
_SHARE: Final = 32
"""Jobs of a process: enough that what a process takes by itself no longer shows, and so few that two are at work."""
_SIDE_BY_SIDE: Final = 8
_MODULE: Final = "together"

T = TypeVar("T")


class _Asked(NamedTuple):
    sandbox: Joint
    job: Job
    report: Future[Report]


class Round:
    """Some threads, of whose jobs none is run before each of them waits for one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._working = 0
        self._asked: list[_Asked] = []

    def each(self, calls: Sequence[Callable[[], T]]) -> list[T]:
        """What the calls give, at most `MOST` of them, each made in a thread of its own; what one raises is raised."""
        self._working = len(calls)
        with ThreadPoolExecutor(MOST, thread_name_prefix="tdgen-together") as threads:
            return list(threads.map(self._until_done, calls))

    def report(self, sandbox: Joint, job: Job) -> Report:
        """What comes of a job, once all that still work wait for one."""
        mine = _Asked(sandbox, job, Future())
        with self._lock:
            self._asked.append(mine)
            due = self._due()
        _run(due)
        return mine.report.result()

    def _until_done(self, call: Callable[[], T]) -> T:
        try:
            return call()
        finally:
            with self._lock:
                self._working -= 1
                due = self._due()
            _run(due)

    def _due(self) -> list[_Asked]:
        """All that was asked for, where nobody works any more who could ask for something besides."""
        if len(self._asked) < self._working:
            return []
        due, self._asked = self._asked, []
        return due


class Joint:
    """A sandbox as the threads of a round have it. Implements `tdgen.protocols.Sandbox`.

    Jobs of one `company` share a process; with none, those alone do that are plain.
    """

    def __init__(self, inner: Sandbox, round_: Round, company: str = "") -> None:
        self.inner, self._round, self._company = inner, round_, company

    def company_of(self, job: Job) -> Hashable:
        """What is the same for all jobs that a job may share a process with; None where there are none.

        Scripts have a process for each case, and what is watched has the job's own module watched.
        """
        is_alone = job.watch or job.overlay or job.warnings_as_errors or not job.probes
        if is_alone or any(probe.world.script is not None for probe in job.probes):
            return None
        if not (self._company or job.is_plain):
            return None
        return id(self.inner), self._company, job.limits

    def run(self, job: Job) -> Report:
        """What comes of the job, whoever shares its process."""
        return self._round.report(self, job)

    def run_files(self, job: FileJob) -> FileReport:
        """As the sandbox does it, at once."""
        return self.inner.run_files(job)

    def layers(self) -> tuple[Layer, ...]:
        """The sandbox's."""
        return self.inner.layers()

    def describe(self) -> str:
        """The sandbox's."""
        return self.inner.describe()

    def close(self) -> None:
        """The sandbox is closed by whose it is."""


def _run(asked: Sequence[_Asked]) -> None:
    """Run what was asked for, and tell each thread what came of its job."""
    companies: dict[Hashable, list[_Asked]] = defaultdict(list)
    for place, one in enumerate(asked):
        companies[one.sandbox.company_of(one.job) or place].append(one)
    shares = [some[at : at + _SHARE] for some in companies.values() for at in range(0, len(some), _SHARE)]
    if len(shares) > 1:
        with ThreadPoolExecutor(_SIDE_BY_SIDE) as threads:
            list(threads.map(_run_share, shares))
    else:
        for share in shares:
            _run_share(share)


def _run_share(share: Sequence[_Asked]) -> None:
    """Run jobs that may share a process. What ends it, or never ends, ends its own job alone."""
    left = list(share)
    try:
        while left:
            reports = list(_joined(left[0].sandbox.inner, [one.job for one in left]))
            for one, report in zip(left, reports, strict=False):
                one.report.set_result(report)
            left = left[len(reports) :]
    except BaseException as error:  # noqa: BLE001 - raised by each that waits
        for one in left:
            one.report.set_exception(error)


def _joined(sandbox: Sandbox, jobs: Sequence[Job]) -> Iterator[Report]:
    """What comes of the first of the jobs, and of those after it as far as the process came."""
    if len(jobs) == 1:
        yield sandbox.run(jobs[0])
        return
    numbers: dict[str, int] = {}
    others, probes = [], []
    for job in jobs:
        key = repr((job.module, job.source, job.public))
        if key not in numbers:
            others.append(Module(name=job.module, source=job.source, public=job.public))
            numbers[key] = len(others)
        probes += [probe.model_copy(update={"module": numbers[key]}) for probe in job.probes]
    whole = Job(
        module=_MODULE,
        source="",
        probes=tuple(probes),
        limits=jobs[0].limits,
        stop_early=True,
        others=tuple(others),
    )
    observations = iter(sandbox.run(whole).observations)
    for job in jobs:
        mine = tuple(next(observations) for _ in job.probes)
        if job is jobs[0] or mine[0].is_evidence:
            yield Report(observations=mine)
        if not mine[-1].is_evidence:
            return
