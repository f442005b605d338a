"""The image that containers are made from: a Python of the user's choice, and pytest as this machine has it.

Pytest is copied in rather than installed: what runs inside is then the very version that runs here, and a build needs
no network but for the base image.
"""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

from tdgen.errors import SandboxError
from tdgen.sandbox import pytest_home
from tdgen.sandbox.docker import engine

IMAGE = "tdgen-sandbox"
BASE = "python:3.12-slim"
PYTEST = "/opt/tdgen/pytest"
_DOCKERFILE = Path(__file__).parents[1] / "image" / "Dockerfile"


def build_image(base: str = BASE, tag: str = IMAGE) -> str:
    """Build the image `tag` on the image `base` (one with a python3 of 3.9 or later); the id of what was built.

    SandboxError where no daemon answers, or the base can't be had.
    """
    from docker.errors import BuildError

    client = engine.connect()
    try:
        with engine.told():
            try:
                built, _ = client.images.build(
                    fileobj=context(), custom_context=True, tag=tag, buildargs={"BASE": base}, rm=True, forcerm=True
                )
            except BuildError as error:
                raise SandboxError(f"the image can't be built on {base}: {engine.explanation(error)}") from error
        return str(built.id)
    finally:
        client.close()


def context() -> io.BytesIO:
    """What the daemon needs for the build, as a tar archive: the Dockerfile and pytest's packages."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        tar.add(_DOCKERFILE, "Dockerfile")
        for path in pytest_home.find().whole:
            tar.add(path, f"pytest/{Path(path).name}", filter=_plain)
    archive.seek(0)
    return archive


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """`entry` as anybody's readable source; compiled files are left out."""
    if entry.name.endswith(("__pycache__", ".pyc")):
        return None
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o755 if entry.isdir() else 0o644
    return entry
