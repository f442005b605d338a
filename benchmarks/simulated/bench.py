"""Where the simulated model and the benchmarks try code: run in one sandbox, judged against values from another."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress

from simulated.problems import Problem, is_literal
from tdgen.errors import SandboxError
from tdgen.judge import Expected, Oracle, candidate_probe
from tdgen.protocols import Sandbox
from tdgen.sandboxes import open_sandbox
from tdgen.types import Case, FunctionSpec, Job, Limits, Probe, Verdict
from tdgen.values.decode import decode

MODULE = "candidate"


class Bench:
    """Judges sources on cases; safe to use from several threads.

    `seconds` bounds one call, `hurried` one that is only tried.
    """

    def __init__(self, sandbox: Sandbox, apart: Sandbox, seconds: float = 0.5, hurried: float = 0.2) -> None:
        self.sandbox = sandbox
        self._apart = apart
        self._limits = Limits(wall_s=seconds, cpu_s=2 * seconds)
        self._hurried = Limits(wall_s=hurried, cpu_s=2 * seconds)
        self._lock = threading.Lock()
        self._expected: dict[str, Mapping[str, Expected]] = {}
        self._judged: dict[tuple[str, str, bool], tuple[Verdict, ...]] = {}

    @classmethod
    def open(cls, seconds: float = 0.5) -> Bench:
        """A bench with sandboxes of its own, the kind that this machine can enforce."""
        return cls(open_sandbox("auto"), open_sandbox("auto"), seconds)

    def on_problem(self, problem: Problem, source: str, *, hurried: bool = False) -> tuple[Verdict, ...]:
        """The verdicts on all of a problem's calls, remembered; none where the source can't be run at all."""
        key = (problem.name, source, hurried)
        with self._lock:
            known = self._judged.get(key)
        if known is None:
            limits = self._hurried if hurried else self._limits
            known = self.on_cases(source, problem.spec, problem.cases(), problem.name, limits)
            with self._lock:
                self._judged[key] = known
        return known

    def on_cases(
        self, source: str, spec: FunctionSpec, cases: Sequence[Case], name: str = "", limits: Limits | None = None
    ) -> tuple[Verdict, ...]:
        """The verdicts on cases; with a `name` what they expect is evaluated once for all."""
        oracle = Oracle(self._apart, MODULE, "")
        with self._lock:
            expected = self._expected.get(name) if name else None
        if expected is None:
            expected = oracle.expectations(cases)
            with self._lock:
                self._expected[name] = expected
        probes = tuple(candidate_probe(case) for case in cases)
        # One after the other stops at the first that hangs: what hangs on one call is wrong already.
        job = Job(module=MODULE, source=source, probes=probes, limits=limits or self._limits, stop_early=True)
        with suppress(SandboxError):
            return oracle.verdicts(spec, cases, self.sandbox.run(job).observations, expected)
        return ()

    def values(self, source: str, calls: Sequence[str]) -> list[str | None]:
        """What each call gives, as source; None where it raises, or gives what can't be written down."""
        probes = tuple(Probe(name=str(n), call=f"repr({call})") for n, call in enumerate(calls))
        job = Job(module=MODULE, source=source, probes=probes, limits=self._limits)
        seen = self.sandbox.run(job).observations if probes else ()
        texts = [decode(one.value) if one.status == "returned" else None for one in seen]
        return [text if isinstance(text, str) and is_literal(text) else None for text in texts]

    def close(self) -> None:
        """End both sandboxes."""
        self.sandbox.close()
        self._apart.close()


def passes(verdicts: Sequence[Verdict]) -> bool:
    """Whether there is a verdict and all of them passed."""
    return bool(verdicts) and all(verdict.passed for verdict in verdicts)
