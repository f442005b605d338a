"""What the daemon is given to build the image from."""

from __future__ import annotations

import tarfile

from tdgen.sandbox.docker import image


def test_the_context_is_the_dockerfile_and_pytest() -> None:
    """Readable by anybody, owned by nobody here, and nothing else of this machine."""
    with tarfile.open(fileobj=image.context()) as archive:
        entries = archive.getmembers()
    names = {entry.name for entry in entries}
    assert {"Dockerfile"} | {
        f"site-packages/{name}" for name in ("pytest/__init__.py", "_pytest/main.py", "pluggy/__init__.py")
    } <= names
    assert {name.split("/")[0] for name in names} == {"Dockerfile", "site-packages"}
    assert not [name for name in names if name.endswith(".pyc")]
    assert {(entry.uid, entry.uname) for entry in entries if entry.name != "Dockerfile"} == {(0, "")}


def test_the_base_is_the_users_choice() -> None:
    """The Dockerfile takes it as an argument, with Python 3.12 where none is given, and no root at the end."""
    with tarfile.open(fileobj=image.context()) as archive:
        file = archive.extractfile("Dockerfile")
        assert file is not None
        lines = file.read().decode().splitlines()
    assert f"ARG BASE={image.BASE}" in lines
    assert "FROM ${BASE}" in lines
    assert "USER 65534:65534" in lines
