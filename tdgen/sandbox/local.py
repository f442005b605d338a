"""The local sandbox: warm servers on this machine, confined by the Linux kernel's own means."""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import ClassVar, Self, TypeVar

from tdgen.errors import SandboxError
from tdgen.sandbox import interpreter, layers, pytest_home
from tdgen.sandbox.conversation import Ending
from tdgen.sandbox.evaluation import Evaluation
from tdgen.sandbox.observing import denials
from tdgen.sandbox.pool import Pool, processors
from tdgen.sandbox.pytest_run import PytestRun
from tdgen.sandbox.server import Kind, Plan, Server, ServerLost
from tdgen.types import FileJob, FileReport, Job, Layer, Report, Resources

T = TypeVar("T")


class LocalSandbox:
    """Runs jobs in confined children of warm servers on this machine (Linux).

    A child can't read or write this machine's files (it sees the interpreter, read-only, and a scratch folder of its
    own), open a socket, start a process, signal or trace another, gain a privilege, or outlive its run; memory, CPU
    time, wall time, threads, files and output are bounded. `layers` tells which of the means are in force here.

    It does not protect against a flaw in the kernel itself (the container kinds with their own kernel do), against
    what can be learnt by timing (processors and caches are shared), nor against slowness: all runs share this
    machine's processors, and memory is bounded for each process, not for all together. Where neither a user
    namespace nor root is granted, files are held by Landlock alone: names and sizes of files can then be asked for, and
    what a run writes is bounded for each file only. `run_files` runs tests and candidate in one process, which a
    candidate can forge: use it to take a green away, never to grant one. aarch64 is covered by table and untested.
    """

    kind: ClassVar[str] = "local"
    wanted: ClassVar[tuple[str, ...]] = layers.ALL

    def __init__(self, python: str = "", *, without: tuple[str, ...] = (), packages_dir: str | None = None) -> None:
        """`python` is a path, a command or a version (empty: the Python that runs this); `without` leaves layers out.

        `packages_dir` is a folder of packages that candidates may import. Servers start with the first run.
        SandboxError where there is no such Python.
        """
        self._interpreter = interpreter.find(python)
        self._wanted = tuple(layer for layer in self.wanted if layer not in without)
        self._packages = (packages_dir,) if packages_dir else ()
        self._pool = Pool(processors())
        weakref.finalize(self, self._pool.close)
        self._found: tuple[Layer, ...] | None = None

    def run(self, job: Job) -> Report:
        """Evaluate the job's probes: one observation each, in order, whatever the candidate does.

        SandboxError where no server can be started, or one died twice on this job.
        """
        began = time.monotonic()

        def work(server: Server, job_fd: int) -> Evaluation:
            evaluation = Evaluation(job)
            evaluation.complete(server, job_fd)
            return evaluation

        done = self._on_server(self._plan("probes", 0), job.model_dump_json(), work)
        return Report(
            observations=tuple(done.observations),
            denied=denials(done.observations),
            resources=_resources(began, done.endings),
        )

    def run_files(self, job: FileJob) -> FileReport:
        """Run pytest on the job's files. Tests and candidate share a process: never take this for a proof.

        SandboxError where no server can be started, or one died twice on this job.
        """
        plan = self._plan("files", job.hash_seed)
        return self._on_server(plan, job.model_dump_json(), PytestRun(job).report)

    def layers(self) -> tuple[Layer, ...]:
        """What is enforced here: tried in a child that is confined as for any job."""
        if self._found is None:
            self._found = self._on_server(self._plan("probes", 0), layers.TRIAL_JOB, layers.found)
        return self._found

    def describe(self) -> str:
        """One line for people: the kind and what it enforces."""
        return layers.describe(self.kind, self.layers())

    def _on_server(self, plan: Plan, job: str, work: Callable[[Server, int], T]) -> T:
        """Do `work` with a server and a descriptor of the job; once more with another where the first is lost."""
        with _anonymous_file(job) as job_fd:
            for _ in range(2):
                try:
                    with self._pool.lease(plan) as server:
                        return work(server, job_fd)
                except ServerLost:
                    continue
        raise SandboxError("the sandbox's server died twice on one run: `tdgen doctor` tells more")

    def _plan(self, kind: Kind, hash_seed: int) -> Plan:
        """What a server of that kind is started with."""
        home = pytest_home.find() if kind == "files" else pytest_home.NONE
        return Plan(
            kind=kind,
            interpreter=self._interpreter,
            wanted=self._wanted,
            packages=self._packages,
            visible=home.visible,
            loading=home.loading,
            hash_seed=hash_seed,
        )

    def close(self) -> None:
        """End all servers and remove what they wrote. Closing twice is allowed."""
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class UnsafeSandbox(LocalSandbox):
    """The same servers without any confinement: candidates may do all that the user may. Never chosen by itself."""

    kind: ClassVar[str] = "unsafe"
    wanted: ClassVar[tuple[str, ...]] = ()


@contextmanager
def _anonymous_file(text: str) -> Iterator[int]:
    """A read-only descriptor of a file without a name that holds `text`."""
    writing = os.memfd_create("tdgen-job")
    try:
        with open(writing, "w", encoding="utf-8", closefd=False) as file:
            file.write(text)
        reading = os.open(f"/proc/self/fd/{writing}", os.O_RDONLY)
    finally:
        os.close(writing)
    try:
        yield reading
    finally:
        os.close(reading)


def _resources(began: float, endings: list[Ending]) -> Resources:
    """What all children together used."""
    return Resources(
        wall_s=time.monotonic() - began,
        cpu_s=sum(ending.cpu_s for ending in endings),
        peak_kb=max((ending.peak_kb for ending in endings), default=0),
    )
