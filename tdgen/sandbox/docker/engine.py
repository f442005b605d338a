"""The docker daemon: reached, and its errors told in one line each."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

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


def facts(client: Any) -> dict[str, Any]:
    """What the daemon tells of itself and its machine."""
    with told():
        return dict(client.api.info())


def check_runtime(daemon: dict[str, Any], runtime: str) -> None:
    """SandboxError where the daemon (its `info`) knows no such runtime; an empty name is its own choice."""
    known = sorted(daemon.get("Runtimes") or {})
    if runtime and runtime not in known and not runtime.startswith(_SHIM):
        some = ", ".join(name for name in known if not name.startswith(_SHIM))
        raise SandboxError(
            f"docker has no runtime {runtime} here (it has {some}): install it and make it known to the daemon, "
            "or leave docker_runtime out"
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
