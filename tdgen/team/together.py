"""Modules of several solutions judged in one job, where their code and cases can do nothing to each other.

A process costs as much as some hundred small cases. Only what passes here counts: what does not may have been in
another's way, and is for the caller to judge by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tdgen.errors import TdgenError
from tdgen.judge.oracle import Oracle
from tdgen.judge.probes import candidate_probe
from tdgen.protocols import Sandbox
from tdgen.team.harmless import is_harmless, is_harmless_case
from tdgen.types import Case, Job, Limits, Observation, Plan, Suite

_MODULE = "together"
"""Harmless code can't tell what its module is called."""


class Judged(NamedTuple):
    """A module's source, its plan, and its suites."""

    source: str
    plan: Plan
    suites: Sequence[Suite]

    @property
    def cases(self) -> Iterator[Case]:
        """Those of all suites."""
        return (case for suite in self.suites for case in suite.cases)

    @property
    def is_harmless(self) -> bool:
        """Whether neither its code nor what its cases do can do anything to a process that others share.

        One with types of its own, which are classes, is never.
        """
        names = [spec.name for spec in self.plan.functions]
        cases = (is_harmless_case(case, names) for case in self.cases)
        return not self.plan.types and is_harmless(self.source) and all(cases)


def passing_together(modules: Iterable[Judged], sandbox: Sandbox, oracle: Sandbox, limits: Limits) -> set[int]:
    """The places of those modules that pass all of their cases together with the others; of no other code than that.

    `sandbox` is where candidates run, `oracle` where none does.
    """
    sharing = {place: module for place, module in enumerate(modules) if module.is_harmless}
    probes = [
        candidate_probe(case).model_copy(update={"source": module.source})
        for module in sharing.values()
        for case in module.cases
    ]
    if not probes:
        return set()
    # What ends the process, or never ends, is found out alone: here the others wait for it.
    job = Job(module=_MODULE, source="", probes=tuple(probes), limits=limits, stop_early=True)
    observations = iter(sandbox.run(job).observations)
    return {
        place
        for place, module in sharing.items()
        if _passes(module, [next(observations) for _ in module.cases], oracle)
    }


def _passes(module: Judged, seen: Iterable[Observation], oracle: Sandbox) -> bool:
    """Whether what was seen of its cases is what they expect."""
    oracles, observations = Oracle.of(oracle, module.plan, ""), iter(seen)
    try:
        for suite in module.suites:
            mine = [next(observations) for _ in suite.cases]
            expected = oracles.expectations(suite.cases)
            verdicts = oracles.verdicts(module.plan.spec(suite.function), suite.cases, mine, expected)
            if not all(verdict.passed for verdict in verdicts):
                return False
    except TdgenError:
        raise
    except Exception:  # noqa: BLE001 - what breaks a rule of cases is told of by who judges it alone
        return False
    return True
