"""A sandbox that runs a job once a session, and tells it to each test that asks again."""

from __future__ import annotations

import math
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tdgen.protocols import Sandbox
from tdgen.sandbox.local import LocalSandbox
from tdgen.types import FileJob, FileReport, Job, Layer, Report


class Reports:
    """What jobs were seen to do this session, by all that they depend on: each run of one, in turn."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], list[Any]] = {}
        self._lock = threading.Lock()

    def of(self, key: tuple[str, ...], turn: int, run: Callable[[], Any], seconds: float = math.inf) -> Any:
        """What is known of that turn, if it took no longer, or comes of a run.

        What ran out of time or died is not kept: that may have been the machine's fault.
        """
        known = self._known.setdefault(key, [])
        if turn < len(known) and (seconds == math.inf or known[turn].resources.wall_s < seconds):
            return known[turn]
        report = run()
        with self._lock:
            if turn == len(known) and _has_ended(report):
                known.append(report)
        return report


def _has_ended(report: Report | FileReport | tuple[Layer, ...]) -> bool:
    """Whether nothing was cut off."""
    if isinstance(report, FileReport):
        return report.complete
    if isinstance(report, Report):
        return all(seen.status in ("returned", "raised") for seen in report.observations)
    return True


class Remembering:
    """A sandbox that runs a job once a session: what another test ran is told from then.

    Of the same job again in one test each run counts for itself, as two runs of a job may differ. In a project a job is
    the same where each of the project's files holds the same, too.
    """

    def __init__(self, sandbox: LocalSandbox, reports: Reports) -> None:
        self._sandbox, self._reports = sandbox, reports
        self._turns: Counter[tuple[str, ...]] = Counter()
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sandbox, name)

    def __enter__(self) -> Remembering:
        return self

    def __exit__(self, *given: object) -> None:
        self._sandbox.close()

    def begin(self) -> None:
        """Another test: what is known is told from the first run on."""
        self._turns.clear()

    def run(self, job: Job) -> Report:
        """As the sandbox itself."""
        return self._once(("run", repr(job)), lambda: self._sandbox.run(job))

    def run_files(self, job: FileJob) -> FileReport:
        """As the sandbox itself. What a project's tests are given is what is left of all their time."""
        limits = job.limits.model_copy(update={"wall_s": 0.0, "cpu_s": 0.0})
        asked = ("run_files", repr(job.model_copy(update={"limits": limits})))
        return self._once(asked, lambda: self._sandbox.run_files(job), min(job.limits.wall_s, job.limits.cpu_s))

    def layers(self) -> tuple[Layer, ...]:
        """As the sandbox itself: what holds in one project holds in the next."""
        return self._reports.of(("layers", repr(self._sandbox.opened)), 0, self._sandbox.layers)

    def _once(self, asked: tuple[str, ...], run: Callable[[], Any], seconds: float = math.inf) -> Any:
        mounted = self._sandbox.mounted
        held = _held(mounted.root) if mounted else ()
        key = (*asked, repr(self._sandbox._plan("probes", 0)), *held)
        with self._lock:
            turn = self._turns[key]
            self._turns[key] += 1
        return self._reports.of(key, turn, run, seconds)


def _held(root: str) -> Iterator[str]:
    """The files of a project, and what each of them holds."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(set(folders) - {".git"})
        for path in (Path(folder, name) for name in sorted(names)):
            yield str(path)
            yield str(path.readlink()) if path.is_symlink() else path.read_text("latin-1")


class Lent:
    """A sandbox of the session's, which a command that closes it leaves as it is."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sandbox, name)

    def close(self) -> None:
        pass
