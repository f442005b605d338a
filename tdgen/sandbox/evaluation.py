"""A job of probes on one server: child after child until each probe has its observation."""

from __future__ import annotations

from typing import Any

from tdgen.sandbox.conversation import Ending, converse
from tdgen.sandbox.observing import failure, observation
from tdgen.sandbox.server import Server
from tdgen.types import Job, Observation


class Evaluation:
    """One job's observations so far, in order, and how the children ended that made them."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._child_is_done = False
        self.observations: list[Observation] = []
        self.endings: list[Ending] = []

    def complete(self, server: Server, job: bytes) -> None:
        """Start children until every probe was observed; each of them observes at least one."""
        probes, limits = self._job.probes, self._job.limits
        while len(self.observations) < len(probes):
            self._child_is_done = False
            request = {"start": len(self.observations)}
            ending = converse(server, job, request, self._accept, wall_s=limits.wall_s, restart=True)
            self.endings.append(ending)
            if not self._child_is_done:
                self.observations.append(failure(probes[len(self.observations)], ending, limits))

    def _accept(self, content: dict[str, Any]) -> bool:
        """Take one frame: it must be the next probe's, and nothing may follow one that calls itself the last."""
        place, probes = len(self.observations), self._job.probes
        if self._child_is_done or content.get("index") != place:
            return False
        self.observations.append(observation(probes[place], content))
        self._child_is_done = content.get("last") is True or place + 1 == len(probes)
        return True
