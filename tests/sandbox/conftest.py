"""A sandbox of each kind for all tests of a session, and shorthands for jobs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tdgen.errors import SandboxError
from tdgen.sandbox.docker import IMAGE, DockerSandbox, image
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.programs import awkward, hostile, hostile_classes
from tdgen.sandbox.warm import WarmSandbox
from tdgen.types import Job, Limits, Observation, Probe

STEP = 1 if os.environ.get("TDGEN_HOSTILE") == "all" else 16
QUICK = Limits(wall_s=2.0, cpu_s=4.0, memory_mb=256)


@pytest.fixture(scope="session")
def local() -> Iterator[LocalSandbox]:
    """The local sandbox with every layer that this machine grants."""
    with LocalSandbox() as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def docker_client() -> Iterator[Any]:
    """A client of the docker daemon, where there is one that has the sandbox's image."""
    from docker.errors import ImageNotFound

    try:
        client = image.connect()
    except SandboxError as error:
        pytest.skip(str(error))
    try:
        client.images.get(IMAGE)
    except ImageNotFound:
        client.close()
        pytest.skip(f"docker has no image {IMAGE}: .ci/docker makes one")
    yield client
    client.close()


@pytest.fixture(scope="session")
def docker(docker_client: Any) -> Iterator[DockerSandbox]:
    """The docker sandbox on this machine's daemon."""
    with DockerSandbox() as sandbox:
        yield sandbox


@pytest.fixture(params=["local", "docker"])
def sandbox(request: pytest.FixtureRequest) -> WarmSandbox:
    """A sandbox of each kind in turn: what a test says of one holds for the other."""
    found: WarmSandbox = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def observe(sandbox: WarmSandbox) -> Callable[..., Observation]:
    """Runs one probe on a module's source: `observe(source, call=…)`."""

    def run(source: str, limits: Limits = QUICK, **probe: Any) -> Observation:
        job = Job(module="candidate", source=source, probes=(Probe(name="probe", **probe),), limits=limits)
        return sandbox.run(job).observations[0]

    return run


@pytest.fixture
def sampled(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Has the conformance suite try every sixteenth program and all whose name matches; with TDGEN_HOSTILE=all each.

    For variants of a sandbox: the sandboxes themselves are tried with all programs.
    """

    def choose(pattern: str) -> None:
        for kind in (hostile, hostile_classes, awkward):
            programs = kind()
            chosen = [one for n, one in enumerate(programs) if n % STEP == 0 or re.search(pattern, one.name)]
            monkeypatch.setattr(f"tdgen.sandbox.conformance.{kind.__name__}", lambda chosen=chosen: chosen)

    return choose
