"""Jobs that several calls ask a sandbox for, run as one.

A process costs as much as some hundred small cases. Each call goes its own way, as if it were alone with the sandbox.
Where it asks for a job it is left there; when all of them are, those jobs that may share a process do, and each call is
made again, with what came of its jobs. A thread for each call would cost more than what is done again. Only what passes
so counts: what does not may have been in another's way, and is for the caller to judge by itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from tdgen.protocols import Sandbox
from tdgen.types import FileJob, FileReport, Job, Layer, Module, Report

MOST: Final = 64
"""Calls of a round."""
_SHARE: Final = 64
"""Jobs of a process: of 64 one takes four fifths of the processor time that it takes of 32 (`bench_cluster.py`, C)."""
_SIDE_BY_SIDE: Final = 8
_MODULE: Final = "together"

T = TypeVar("T")


class _Waits(BaseException):
    """Ends a call that asks for a job which was not run yet."""


@dataclass(eq=False)
class _Asked:
    """A job that was asked for, and what came of it: a report, or what the sandbox raised."""

    sandbox: Joint
    job: Job
    came: Report | BaseException = field(default_factory=_Waits)


@dataclass(eq=False)
class _Call(Generic[T]):
    """One call of a round: all jobs that it asked for, and what it gave in the end."""

    call: Callable[[], T]
    asked: list[_Asked] = field(default_factory=list)
    given: list[T] = field(default_factory=list)


@dataclass(eq=False)
class Round:
    """Some calls, of whose jobs none is run before each of them waits for one. Used by one thread."""

    _asked: list[_Asked] = field(default_factory=list)

    def each(self, calls: Sequence[Callable[[], T]]) -> list[T]:
        """What the calls give; what one raises is raised. However often it is made, one asks for the same jobs."""
        every = [_Call(call) for call in calls]
        while left := [one for one in every if not one.given]:
            due: list[_Asked] = []
            for one in left:
                self._asked = one.asked
                try:
                    one.given.append(one.call())
                except _Waits:
                    due.append(one.asked[-1])
            _run(due)
        return [one.given[0] for one in every]

    def report(self, sandbox: Joint, job: Job) -> Report:
        """What came of a job that the call asked for before; else it is run when all other calls wait for one too."""
        asked = next((one for one in self._asked if one.sandbox is sandbox and one.job == job), None)
        if asked is None:
            asked = _Asked(sandbox, job)
            self._asked.append(asked)
        if isinstance(asked.came, BaseException):
            raise asked.came
        return asked.came


class Joint:
    """A sandbox as the calls of a round have it. Implements `tdgen.protocols.Sandbox`.

    Jobs of one `company` share a process; with none, those alone do that are plain. Of such, and of a company that
    `may_know` its cases, a process is told all probes at once.
    """

    def __init__(self, inner: Sandbox, round_: Round, company: str = "", *, may_know: bool = False) -> None:
        self.inner, self._round, self._company = inner, round_, company
        self.may_know = may_know or not company

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
    """Run what was asked for, and put down what came of it."""
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
            reports = list(_joined(left[0].sandbox, [one.job for one in left]))
            for one, report in zip(left, reports, strict=False):
                one.came = report
            left = left[len(reports) :]
    except BaseException as error:  # noqa: BLE001 - raised in each call that waits for it
        for one in left:
            one.came = error


def _joined(sandbox: Joint, jobs: Sequence[Job]) -> Iterator[Report]:
    """What comes of the first of the jobs, and of those after it as far as the process came."""
    if len(jobs) == 1:
        yield sandbox.inner.run(jobs[0])
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
        at_once=sandbox.may_know,
    )
    observations = iter(sandbox.inner.run(whole).observations)
    for job in jobs:
        mine = tuple(next(observations) for _ in job.probes)
        if job is jobs[0] or mine[0].is_evidence:
            yield Report(observations=mine)
        if not mine[-1].is_evidence:
            return
