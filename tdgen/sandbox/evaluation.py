"""A job of probes on one server: child after child until each probe has its observation."""

from __future__ import annotations

import json
from typing import Any

from tdgen.sandbox.conversation import Ending, converse
from tdgen.sandbox.inside.orders import Order
from tdgen.sandbox.observing import failure, not_run, observation
from tdgen.sandbox.server import Allowance, Server
from tdgen.types import Job, Observation


class Evaluation:
    """One job's observations so far, in order, and how the children ended that made them."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._texts = tuple(_as_json(probe.model_dump(mode="python", exclude={"name"})) for probe in job.probes)
        self._allowance = Allowance()
        self._start, self._child_is_done = 0, False
        self.observations: list[Observation] = []
        self.endings: list[Ending] = []

    def complete(self, server: Server) -> None:
        """Start children until every probe was observed; each of them observes at least one.

        Where the job stops early, a probe whose child had to be given up is the last that is run.
        """
        probes, limits = self._job.probes, self._job.limits
        while len(self.observations) < len(probes):
            self._start, self._child_is_done = len(self.observations), False
            ending = converse(
                server,
                self._order(),
                self._accept,
                self._allowance,
                wall_s=limits.wall_s,
                restart=True,
                is_done=self._is_done,
            )
            self.endings.append(ending)
            if not self._child_is_done:
                self.observations.append(failure(probes[len(self.observations)], ending, limits))
                if self._job.stop_early:
                    self.observations.extend(not_run(probe) for probe in probes[len(self.observations) :])

    def _order(self) -> Order:
        """What a child is to do from `start` on. It learns of each probe when that is due, and of no name."""
        job, start = self._job, self._start
        request = {"start": start, "count": len(job.probes), "limits": job.limits.model_dump()}
        content = job.model_dump(include={"module", "source", "watch", "public"})
        content["apart"] = any(probe.world.script is not None for probe in job.probes)
        return Order(request, _as_json(content), self._texts[start:])

    def _is_done(self) -> bool:
        """Whether the child has told all that it ever will."""
        return self._child_is_done

    def _accept(self, content: dict[str, Any]) -> bool:
        """Take one frame: it must be the next probe's, and nothing may follow one that calls itself the last.

        A probe that found no place in a child that had run others is left to the next child.
        """
        place, probes = len(self.observations), self._job.probes
        if self._child_is_done or content.get("index") != place:
            return False
        seen = observation(probes[place], content, self._job.limits)
        self._child_is_done = content.get("last") is True or place + 1 == len(probes)
        if seen.is_evidence or place == self._start or not self._child_is_done:
            self.observations.append(seen)
        return True


def _as_json(content: dict[str, Any]) -> bytes:
    """ASCII, as pydantic's own JSON refuses the lone surrogates that a candidate may have returned."""
    return json.dumps(content).encode("ascii")
