"""A container for one short task: to ask an image for its Python, or to compile packages with it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from tdgen.errors import SandboxError
from tdgen.sandbox import interpreter
from tdgen.sandbox.docker import engine
from tdgen.sandbox.interpreter import Interpreter
from tdgen.sandbox.targets import COMPILE, Target

_FOLDER = "/packages"
_LOCKED = {
    "network_mode": "none",
    "cap_drop": ["ALL"],
    "security_opt": ["no-new-privileges"],
    "read_only": True,
    "remove": True,
    "stdout": True,
    "stderr": False,
}


def target(client: Any, image: str, runtime: str) -> Target:
    """What packages for that image are installed for. SandboxError where there is no such image, or no Python in it."""
    command = ["python3", "-I", "-S", "-c", interpreter.question()]
    with engine.starting(image, runtime):
        said = client.containers.run(image, command, runtime=runtime or None, user="65534:65534", **_LOCKED)
    try:
        found = interpreter.from_answer(json.loads(said))
    except ValueError as error:
        raise SandboxError(f"the image's python3 does not start: {said[-200:]!r}") from error
    return Target(found, lambda folder: _compile(client, image, found, folder))


def _compile(client: Any, image: str, found: Interpreter, folder: Path) -> None:
    """Compile the packages in a folder of this machine; left out where the daemon can't see or write it."""
    from docker.errors import DockerException

    command = [found.program, *COMPILE, _FOLDER]
    user = f"{os.getuid()}:{os.getgid()}"
    volumes = {str(folder): {"bind": _FOLDER, "mode": "rw"}}
    try:
        client.containers.run(image, command, user=user, volumes=volumes, tmpfs={"/tmp": ""}, **_LOCKED)  # noqa: S108
    except DockerException:
        return
