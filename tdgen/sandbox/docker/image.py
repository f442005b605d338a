"""The docker daemon, and the image that the sandbox's container is made from.

The image has a Python of the user's choice, with this machine's pytest and hypothesis. Both are copied in rather than
installed: what runs inside is then the very version that runs here, and a build needs no network but for the base
image. Where this machine's hypothesis, a part of which is compiled, does not fit the image's Python, a wheel that does
is fetched; where that can't be had either, the image goes without. Short tasks (to ask an image for its Python, to
compile packages with it) have a container each.
"""

from __future__ import annotations

import io
import json
import os
import socket
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from tdgen.errors import InputError, MissingExtra, SandboxError
from tdgen.sandbox import interpreter, pytest_run
from tdgen.sandbox.interpreter import Interpreter, find
from tdgen.sandbox.packages import COMPILE, Target
from tdgen.sandbox.wheels import install

_TIMEOUT_S = 60  # for one request to the daemon; a judgement
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
    try:
        import docker
        from docker.errors import DockerException
    except ModuleNotFoundError as error:
        raise SandboxError(str(MissingExtra("the docker sandbox", "docker"))) from error

    host = os.environ.get("DOCKER_HOST") or _HOST
    try:
        # OSError where nobody listens at a socket of this machine: the SDK would not say why
        if host.startswith("unix://"):
            with socket.socket(socket.AF_UNIX) as link:
                link.connect(host.removeprefix("unix://"))
        return docker.from_env(timeout=_TIMEOUT_S)
    except PermissionError as error:
        raise SandboxError(f"the docker daemon at {host} refuses this user: add it to the group docker") from error
    except (DockerException, OSError) as error:
        raise SandboxError(f"no docker daemon answers at {host}: install docker and start it") from error


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
    with starting(image, runtime):
        said = client.containers.run(image, command, runtime=runtime or None, user="65534:65534", **_LOCKED)
    try:
        image_python = interpreter.from_answer(json.loads(said))
    except ValueError as error:
        raise SandboxError(f"the image's python3 does not start: {said[-200:]!r}") from error
    return Target(image_python, lambda folder: _compile(client, image, image_python, folder))


def _compile(client: Any, image: str, image_python: Interpreter, folder: Path) -> None:
    """Compile the packages in a folder of this machine; left out where the daemon can't see or write it."""
    from docker.errors import DockerException

    command = [image_python.program, *COMPILE, _FOLDER]
    user = f"{os.getuid()}:{os.getgid()}"
    volumes = {str(folder): {"bind": _FOLDER, "mode": "rw"}}
    try:
        client.containers.run(image, command, user=user, volumes=volumes, tmpfs={"/tmp": ""}, **_LOCKED)  # noqa: S108
    except DockerException:
        return


IMAGE = "tdgen-sandbox"
BASE = "python:3.12-slim"
PYTEST = "/opt/tdgen/site-packages"
_DOCKERFILE = Path(__file__).parents[1] / "image" / "Dockerfile"


def build_image(base: str = BASE, tag: str = IMAGE) -> str:
    """Build the image `tag` on the image `base` (one with a python3 of 3.9 or later); the id of what was built.

    SandboxError where no daemon answers, or the base can't be had.
    """
    client = connect()
    from docker.errors import BuildError

    try:
        with told(), tempfile.TemporaryDirectory(prefix="tdgen-image-") as folder:
            besides = _hypothesis(client, base, Path(folder))
            try:
                built, _ = client.images.build(
                    fileobj=context(besides),
                    custom_context=True,
                    tag=tag,
                    buildargs={"BASE": base},
                    rm=True,
                    forcerm=True,
                )
            except BuildError as error:
                raise SandboxError(f"the image can't be built on {base}: {explanation(error)}") from error
        return str(built.id)
    finally:
        client.close()


def context(besides: Sequence[str] = ()) -> io.BytesIO:
    """What the daemon needs for the build, as a tar archive: the Dockerfile, pytest's packages and those `besides`."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        tar.add(_DOCKERFILE, "Dockerfile")
        for path in (*pytest_run.find().whole, *besides):
            tar.add(path, f"site-packages/{Path(path).name}", filter=_plain)
    archive.seek(0)
    return archive


def _hypothesis(client: Any, base: str, folder: Path) -> tuple[str, ...]:
    """The paths of hypothesis for the Python of the image `base`, fetched into `folder` where need be."""
    own = pytest_run.hypothesis()
    try:
        fits = target(client, base, "")
        there, here = fits.interpreter, find("")
        # What is compiled for one then loads in the other, wheels being built for glibc's older versions.
        is_alike = there.target[:-1] == here.target[:-1] and there.libc[:5] == here.libc[:5]
        if not own or is_alike:
            return own
        fetched = Path(install([f"hypothesis=={version('hypothesis')}"], fits, folder).folder)
    except (SandboxError, InputError):  # where it is the base that can't be had, the build says so
        return ()
    return tuple(str(fetched / Path(path).name) for path in own)


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """`entry` as anybody's readable source; compiled files are left out."""
    if entry.name.endswith(("__pycache__", ".pyc")):
        return None
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o755 if entry.isdir() else 0o644
    return entry
