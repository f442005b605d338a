"""How long a limit case may take here: a time that is stated for a known machine, calibrated on this one."""

from __future__ import annotations

import time

from tdgen.protocols import Sandbox
from tdgen.types import Job, Limits, Probe

LIMIT_S = 2.0
"""What a limit case may take on a machine that needs REFERENCE_S for the yardstick."""

REFERENCE_S = 0.05
YARDSTICK = "sum(number * number % 7 for number in range(500_000))"
SLOWEST = 10.0


def limit_seconds(sandbox: Sandbox, module: str) -> float:
    """The seconds that a limit case may take, by how long a yardstick of pure Python takes here.

    The faster of two runs counts; a machine is never taken for more than SLOWEST times slower than the known one, nor
    for faster.
    """
    job = Job(module=module, source="", probes=(Probe(name="yardstick", call=YARDSTICK),), limits=Limits(wall_s=10.0))
    fastest = min(_seconds(sandbox, job) for _ in range(2))
    return LIMIT_S * min(max(fastest / REFERENCE_S, 1.0), SLOWEST)


def _seconds(sandbox: Sandbox, job: Job) -> float:
    began = time.monotonic()
    sandbox.run(job)
    return time.monotonic() - began
