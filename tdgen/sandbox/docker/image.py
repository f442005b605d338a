"""The image that containers are made from: a Python of the user's choice, with this machine's pytest and hypothesis.

Both are copied in rather than installed: what runs inside is then the very version that runs here, and a build needs
no network but for the base image. Where this machine's hypothesis, a part of which is compiled, does not fit the
image's Python, a wheel that does is fetched; where that can't be had either, the image goes without.
"""

from __future__ import annotations

import io
import tarfile
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tdgen.errors import InputError, SandboxError
from tdgen.sandbox import pytest_home
from tdgen.sandbox.docker import engine, once
from tdgen.sandbox.interpreter import Interpreter, find
from tdgen.sandbox.packages import install

IMAGE = "tdgen-sandbox"
BASE = "python:3.12-slim"
PYTEST = "/opt/tdgen/site-packages"
_DOCKERFILE = Path(__file__).parents[1] / "image" / "Dockerfile"


def build_image(base: str = BASE, tag: str = IMAGE) -> str:
    """Build the image `tag` on the image `base` (one with a python3 of 3.9 or later); the id of what was built.

    SandboxError where no daemon answers, or the base can't be had.
    """
    from docker.errors import BuildError

    client = engine.connect()
    try:
        with engine.told(), tempfile.TemporaryDirectory(prefix="tdgen-image-") as folder:
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
                raise SandboxError(f"the image can't be built on {base}: {engine.explanation(error)}") from error
        return str(built.id)
    finally:
        client.close()


def context(besides: Sequence[str] = ()) -> io.BytesIO:
    """What the daemon needs for the build, as a tar archive: the Dockerfile, pytest's packages and those `besides`."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        tar.add(_DOCKERFILE, "Dockerfile")
        for path in (*pytest_home.find().whole, *besides):
            tar.add(path, f"site-packages/{Path(path).name}", filter=_plain)
    archive.seek(0)
    return archive


def _hypothesis(client: Any, base: str, folder: Path) -> tuple[str, ...]:
    """The paths of hypothesis for the Python of the image `base`, fetched into `folder` where need be."""
    own = pytest_home.hypothesis()
    try:
        target = once.target(client, base, "")
        if not own or _is_alike(target.interpreter, find("")):
            return own
        fetched = Path(install([f"hypothesis=={version('hypothesis')}"], target, folder).folder)
    except (SandboxError, InputError):  # where it is the base that can't be had, the build says so
        return ()
    return tuple(str(fetched / Path(path).name) for path in own)


def _is_alike(one: Interpreter, other: Interpreter) -> bool:
    """Whether what is compiled for one loads in the other, wheels being built for glibc's older versions."""
    return one.target[:-1] == other.target[:-1] and one.libc[:5] == other.libc[:5]


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """`entry` as anybody's readable source; compiled files are left out."""
    if entry.name.endswith(("__pycache__", ".pyc")):
        return None
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o755 if entry.isdir() else 0o644
    return entry
