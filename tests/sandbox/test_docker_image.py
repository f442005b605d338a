"""What the daemon is given to build the image from."""

from __future__ import annotations

import tarfile
from importlib.metadata import version
from pathlib import Path

import pytest

from tdgen.errors import SandboxError
from tdgen.sandbox import pytest_run
from tdgen.sandbox.docker import image, kernel_detail
from tdgen.sandbox.interpreter import find
from tdgen.sandbox.packages import Packages, Target


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


@pytest.mark.parametrize(
    ("found", "runtime", "known", "told"),
    [
        ("", "runc", {"runc"}, "the runtime is runc; runsc is not installed"),
        ("", "runc", {"runc", "runsc"}, "the runtime is runc; runsc is there: --docker-runtime runsc"),
        ("4.4.0", "runsc", {"runc", "runsc"}, "4.4.0, by the runtime runsc"),
    ],
    ids=["none of its own kernel", "one to choose", "chosen"],
)
def test_the_runtime_is_told(found: str, runtime: str, known: set[str], told: str) -> None:
    """Which one is in force, and whether gVisor's could be."""
    assert kernel_detail(found, runtime, frozenset(known)) == told


def test_the_base_is_the_users_choice() -> None:
    """The Dockerfile takes it as an argument, with Python 3.12 where none is given, and no root at the end."""
    with tarfile.open(fileobj=image.context()) as archive:
        file = archive.extractfile("Dockerfile")
        assert file is not None
        lines = file.read().decode().splitlines()
    assert f"ARG BASE={image.BASE}" in lines
    assert "FROM ${BASE}" in lines
    assert "USER 65534:65534" in lines


@pytest.mark.parametrize("minor", [0, 1], ids=["the same Python", "another one"])
def test_hypothesis_is_this_machines_where_it_fits_the_image(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, minor: int
) -> None:
    """A part of it is compiled: for another Python the wheels that fit are fetched, of the very same version."""
    here = find("")
    there = here.model_copy(update={"version": (here.version[0], here.version[1] + minor, 0), "libc": "glibc 2.31"})
    asked: list[str] = []

    def fetched(wanted: list[str], target: Target, cache: Path) -> Packages:
        asked.extend(wanted)
        return Packages(str(cache / "fetched"))

    monkeypatch.setattr(image, "target", lambda *_: Target(there, lambda folder: None))
    monkeypatch.setattr(image, "install", fetched)
    found = image._hypothesis(None, "base", tmp_path)
    names = [Path(path).name for path in pytest_run.hypothesis()]
    assert found == (tuple(str(tmp_path / "fetched" / name) for name in names) if minor else pytest_run.hypothesis())
    assert asked == [f"hypothesis=={version('hypothesis')}"] * minor


def test_an_image_is_built_without_what_can_not_be_had(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No network, or a base that is not there: the build goes on, and says itself what it lacks."""

    def nothing(*_: object) -> Target:
        raise SandboxError("docker has no image base")

    monkeypatch.setattr(image, "target", nothing)
    assert image._hypothesis(None, "base", tmp_path) == ()
