"""Which sandbox `tdgen.runtime` takes, and what is said where none can be had."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import EntryPoint

import pytest

from tdgen.errors import InputError, SandboxError
from tdgen.extensions import SANDBOXES
from tdgen.sandbox.docker import DockerSandbox
from tdgen.sandbox.local import LocalSandbox, UnsafeSandbox
from tdgen.sandbox.observing import LAYERS, missing_layers
from tdgen.sandboxes import Wants, open_sandbox
from tdgen.settings import Settings
from tdgen.types import Layer


@pytest.mark.parametrize("kind", ["auto", "local"])
def test_local_is_taken_where_it_is_enforced(kind: str) -> None:
    """This machine grants what the local sandbox needs."""
    with open_sandbox(kind) as sandbox:
        assert type(sandbox) is LocalSandbox


def test_unsafe_is_taken_only_by_name() -> None:
    """Who names it gets it."""
    with open_sandbox("unsafe") as sandbox:
        assert type(sandbox) is UnsafeSandbox


TOO_LITTLE = (Layer(name="rlimits", enforced=True), Layer(name="Landlock", enforced=True))


def test_a_machine_that_enforces_too_little_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line names what is lacking and the ways out."""
    monkeypatch.setattr(LocalSandbox, "layers", lambda self: TOO_LITTLE)
    with pytest.raises(SandboxError, match=r"can't enforce seccomp, no_new_privs, .*--sandbox docker"):
        open_sandbox("local")


def test_auto_takes_docker_where_local_is_not_enforced(monkeypatch: pytest.MonkeyPatch, docker_client: object) -> None:
    """The next best that works."""
    monkeypatch.setattr(LocalSandbox, "layers", lambda self: TOO_LITTLE)
    with open_sandbox("auto") as sandbox:
        assert type(sandbox) is DockerSandbox


def test_auto_says_what_is_wrong_with_each_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where neither can be had, one line has the reasons of both, and the way that is left."""
    monkeypatch.setattr(LocalSandbox, "layers", lambda self: TOO_LITTLE)
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    with pytest.raises(SandboxError, match=r"can't enforce seccomp.*no docker daemon answers at .*--sandbox unsafe"):
        open_sandbox("auto")


def test_a_docker_sdk_that_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the line that installs it; where local works, nobody needs it."""
    monkeypatch.setitem(sys.modules, "docker", None)
    with pytest.raises(SandboxError, match=r"^the docker sandbox needs .*: pip install 'tdgen\[docker\]'$"):
        open_sandbox("docker")


def test_a_container_that_enforces_too_little_is_refused(
    monkeypatch: pytest.MonkeyPatch, docker_client: object
) -> None:
    """A container alone is not enough."""
    monkeypatch.setattr(DockerSandbox, "layers", lambda self: TOO_LITTLE)
    with pytest.raises(SandboxError, match=r"the docker sandbox can't enforce seccomp, .*--sandbox local"):
        open_sandbox("docker")


class Elsewhere:
    """A sandbox of another package, which enforces what it is told to."""

    enforced: tuple[Layer, ...] = ()

    def __init__(self, **wants: object) -> None:
        self.wants, self.is_closed = wants, False

    def layers(self) -> tuple[Layer, ...]:
        return self.enforced

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def elsewhere(register: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> type[Elsewhere]:
    """Another package's sandbox, registered as `elsewhere`."""
    point = EntryPoint("elsewhere", "its_package:Elsewhere", SANDBOXES)
    monkeypatch.setattr(EntryPoint, "load", lambda self: Elsewhere)
    register(tdgen_sandboxes=[point])
    return Elsewhere


def test_another_packages_sandbox_is_found_by_name(elsewhere: type[Elsewhere], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is given what is wished, and nothing else; the setting takes its name."""
    enforced = tuple(Layer(name=name, enforced=True) for name in LAYERS)
    monkeypatch.setattr(elsewhere, "enforced", enforced)
    sandbox = open_sandbox(Settings(sandbox="elsewhere").sandbox, Wants("3.12"))
    assert type(sandbox) is elsewhere
    assert sandbox.wants == {"python": "3.12"}


def test_another_packages_sandbox_is_held_to_the_same(elsewhere: type[Elsewhere]) -> None:
    """One that enforces too little is refused, whatever its name."""
    with pytest.raises(
        SandboxError, match=r"the elsewhere sandbox can't enforce seccomp, .* here: use --sandbox local"
    ):
        open_sandbox("elsewhere")


def test_another_packages_sandbox_that_is_broken(elsewhere: type[Elsewhere], monkeypatch: pytest.MonkeyPatch) -> None:
    """What it raises is a line that names it: no bug of ours, and no reason to stop looking at the others."""
    monkeypatch.setattr(elsewhere, "layers", None)
    with pytest.raises(SandboxError, match=r"elsewhere sandbox \(its_package:Elsewhere\) can't be opened: TypeError"):
        open_sandbox("elsewhere")
    monkeypatch.setattr(EntryPoint, "load", lambda self: import_module("no_such_package"))
    with pytest.raises(InputError, match=r"elsewhere of tdgen.sandboxes .* can't be loaded: ModuleNotFoundError"):
        open_sandbox("elsewhere")


def test_a_sandbox_that_nobody_brings(register: Callable[..., None]) -> None:
    """Docker's is no part of an installation that lost its entry points; that is a line, too."""
    register()
    with pytest.raises(SandboxError, match="no installed package has a docker sandbox"):
        open_sandbox("docker")


def test_another_system_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Off Linux there is no local sandbox."""
    monkeypatch.setattr("tdgen.runtime.sys.platform", "darwin")
    with pytest.raises(SandboxError, match="needs Linux"):
        open_sandbox("local")


@pytest.mark.parametrize("python", ["3.99", "no-such-python", "/dev/null"])
def test_a_python_that_is_none_is_told_so(python: str) -> None:
    """A version, a command, and a file that is no interpreter."""
    with pytest.raises(SandboxError, match=r"there is no|doesn't start"):
        open_sandbox("local", Wants(python))


@pytest.mark.parametrize(
    ("enforced", "lacking"),
    [
        ({"seccomp", "rlimits", "no_new_privs", "unprivileged user", "Landlock"}, ()),
        ({"seccomp", "rlimits", "no_new_privs", "unprivileged user", "mount namespace"}, ()),
        ({"seccomp", "rlimits", "no_new_privs", "unprivileged user"}, ("Landlock or mount namespace",)),
        ({"rlimits", "no_new_privs", "unprivileged user", "Landlock"}, ("seccomp",)),
    ],
)
def test_the_least_that_there_must_be(enforced: set[str], lacking: tuple[str, ...]) -> None:
    """seccomp, rlimits, no_new_privs, no root, and one of the two that hold files."""
    found = tuple(Layer(name=name, enforced=name in enforced) for name in LAYERS)
    assert missing_layers(found) == lacking
