"""The docker daemon: reached, and its errors told in one line each."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from tdgen.errors import SandboxError

_TIMEOUT_S = 60
_HOST = "unix:///var/run/docker.sock"
_SHIM = "io.containerd."  # such a runtime is started by its full name without being listed


@contextmanager
def told() -> Iterator[None]:
    """Whatever docker or the connection to it says, as a SandboxError of one line."""
    import requests
    from docker.errors import DockerException

    try:
        yield
    except (DockerException, requests.RequestException, OSError) as error:
        raise SandboxError(f"docker says: {explanation(error)}") from error


@contextmanager
def starting(image: str, runtime: str = "") -> Iterator[None]:
    """What docker says of a container that it starts, with the ways out where image or runtime are what is missing."""
    from docker.errors import APIError, ImageNotFound

    try:
        with told():
            yield
    except SandboxError as error:
        cause = error.__cause__
        if isinstance(cause, ImageNotFound):
            raise SandboxError(f"docker has no image {image}: `tdgen sandbox build` makes it") from cause
        if runtime and isinstance(cause, APIError) and "runtime" in str(cause):
            raise SandboxError(f"docker has no working runtime {runtime} here: {explanation(cause)}") from cause
        raise


class Daemon(NamedTuple):
    """What a daemon tells of itself and its machine: `runtime` is its own choice of those it knows."""

    runtime: str
    runtimes: frozenset[str]
    processors: int
    kernel: str

    def check_runtime(self, wanted: str) -> None:
        """SandboxError where it knows no such runtime; an empty name is its own choice."""
        if wanted and wanted not in self.runtimes and not wanted.startswith(_SHIM):
            some = ", ".join(name for name in sorted(self.runtimes) if not name.startswith(_SHIM))
            raise SandboxError(
                f"docker has no runtime {wanted} here (it has {some}): install it and make it known to the daemon, "
                "or leave docker_runtime out"
            )


def daemon(client: Any) -> Daemon:
    """The daemon that a client speaks to."""
    with told():
        info = client.api.info()
    return Daemon(
        runtime=str(info.get("DefaultRuntime", "")),
        runtimes=frozenset(info.get("Runtimes") or ()),
        processors=int(info["NCPU"]),
        kernel=str(info.get("KernelVersion", "")),
    )


def explanation(error: Exception) -> str:
    """The daemon's own words where it has any, else the error's, in one line."""
    said = getattr(error, "explanation", None) or error
    return " ".join((said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)).split())


def connect() -> Any:
    """A client of the daemon that DOCKER_HOST names, or of this machine's. SandboxError where none answers."""
    import docker
    from docker.errors import DockerException

    host = os.environ.get("DOCKER_HOST") or _HOST
    try:
        _knock(host)
        return docker.from_env(timeout=_TIMEOUT_S)
    except PermissionError as error:
        raise SandboxError(f"the docker daemon at {host} refuses this user: add it to the group docker") from error
    except (DockerException, OSError) as error:
        raise SandboxError(f"no docker daemon answers at {host}: install docker and start it") from error


def _knock(host: str) -> None:
    """OSError where nobody listens at a socket of this machine: the SDK would not say why."""
    if host.startswith("unix://"):
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(host.removeprefix("unix://"))
