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


@contextmanager
def told() -> Iterator[None]:
    """Whatever docker or the connection to it says, as a SandboxError of one line."""
    import requests
    from docker.errors import DockerException

    try:
        yield
    except (DockerException, requests.RequestException, OSError) as error:
        raise SandboxError(f"docker says: {explanation(error)}") from error


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
