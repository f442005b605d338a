"""A pytest run's frames, gathered to a FileReport that is complete only if all of it was seen to the end."""

from __future__ import annotations

import time
from typing import Any

from tdgen.sandbox.conversation import Ending, converse
from tdgen.sandbox.observing import printable
from tdgen.sandbox.server import Server
from tdgen.types import FileJob, FileReport, Resources

_MAX_TESTS = 100_000
_ENDED_BY_ITSELF = (0, 1)


class PytestRun:
    """One file job on one server."""

    def __init__(self, job: FileJob) -> None:
        self._job = job
        self._collected: list[str] = []
        self._outcomes: dict[str, str] = {}
        self._final: dict[str, Any] | None = None
        self._began = time.monotonic()

    def report(self, server: Server, job: bytes) -> FileReport:
        """Have it run, and tell what was seen of it."""
        limits = self._job.limits
        ending = converse(server, job, {"start": 0}, self._accept, wall_s=limits.wall_s, restart=False)
        wall_s = time.monotonic() - self._began
        return FileReport(
            outcomes=self._outcomes,
            complete=self._is_complete(ending),
            log=self._log(ending),
            resources=Resources(
                wall_s=wall_s, cpu_s=ending.cpu_s, peak_kb=ending.peak_kb, written_kb=ending.written_kb
            ),
        )

    def _accept(self, content: dict[str, Any]) -> bool:
        """Take one frame: the tests collected, a test's outcome, or the end, after which nothing may come."""
        if self._final is not None:
            return False
        collected, test, outcome = content.get("collected"), content.get("test"), content.get("outcome")
        if isinstance(collected, list):
            self._collected = [printable(name) for name in collected[:_MAX_TESTS] if isinstance(name, str)]
        elif isinstance(test, str) and isinstance(outcome, str) and len(self._outcomes) < _MAX_TESTS:
            self._outcomes[printable(test)] = printable(outcome)
        elif isinstance(content.get("log"), str):
            self._final = content
        else:
            return False
        return True

    def _is_complete(self, ending: Ending) -> bool:
        """Whether it ended by itself, in order, with an outcome for each test that there is."""
        final = self._final or {}
        return (
            not ending.fault
            and ending.status == 0
            and final.get("finished") is True
            and final.get("code") in _ENDED_BY_ITSELF
            and set(self._collected) == set(self._outcomes)
        )

    def _log(self, ending: Ending) -> str:
        """What pytest printed, or why there is nothing of it."""
        if self._final is not None:
            return str(printable(self._final["log"]))
        if ending.fault == "timeout":
            pending = [name for name in self._collected if name not in self._outcomes]
            return f"no end within {self._job.limits.wall_s:g} s" + (f"; it hung in {pending[0]}" if pending else "")
        if ending.fault == "garbled":
            return "the run's process told nonsense"
        return f"the run did not end: {ending.manner}"
