"""A local sandbox for all tests of a session, and shorthands for jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tdgen.sandbox.local import LocalSandbox
from tdgen.types import Job, Limits, Observation, Probe

QUICK = Limits(wall_s=2.0, cpu_s=4.0, memory_mb=256)


@pytest.fixture(scope="session")
def local() -> Iterator[LocalSandbox]:
    """The local sandbox with every layer that this machine grants."""
    with LocalSandbox() as sandbox:
        yield sandbox


@pytest.fixture
def observe(local: LocalSandbox) -> Callable[..., Observation]:
    """Runs one probe on a module's source: `observe(source, call=…)`."""

    def run(source: str, limits: Limits = QUICK, **probe: Any) -> Observation:
        job = Job(module="candidate", source=source, probes=(Probe(name="probe", **probe),), limits=limits)
        return local.run(job).observations[0]

    return run
