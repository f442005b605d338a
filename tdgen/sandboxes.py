"""Which sandbox there is to be, by what the user wants and what this machine can enforce."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from tdgen.errors import SandboxError
from tdgen.protocols import Sandbox
from tdgen.settings import SandboxKind

if TYPE_CHECKING:
    from tdgen.sandbox.docker import DockerSandbox
    from tdgen.sandbox.local import LocalSandbox
    from tdgen.sandbox.mounted import Mounted
    from tdgen.sandbox.packages import Supply
    from tdgen.sandbox.server import Opened
    from tdgen.sandbox.warm import WarmSandbox

_TRUST = "--sandbox unsafe for code that you trust"


class Wants(NamedTuple):
    """What a sandbox is to have beside its kind: a version of Python, packages, a runtime of docker's, what is opened.

    `python` may also be a path or a command for the local kinds; empty is that of the project which is `mounted`, else
    the Python that runs this, or the image's.
    """

    python: str = ""
    packages: Supply | None = None
    runtime: str = ""
    opened: Opened | None = None
    mounted: Mounted | None = None


def open_sandbox(kind: SandboxKind = "auto", wants: Wants = Wants()) -> Sandbox:  # noqa: B008 - immutable
    """The sandbox of that kind.

    `auto` takes local where it is enforced, else docker (docker alone where a runtime is named), and never the unsafe
    one. SandboxError where it can't be had, with the ways out; InputError where the project can't be mounted.
    """
    if wants.mounted:
        wants.mounted.check()
    if wants.opened and wants.opened.compiles and kind in ("docker", "unsafe"):
        raise SandboxError("code that is compiled runs in the local sandbox alone: take --sandbox local")
    if kind == "unsafe" and wants.mounted:
        raise SandboxError("a project's code runs in a sandbox alone: take --sandbox local or --sandbox docker")
    if kind == "unsafe":
        from tdgen.sandbox.local import UnsafeSandbox

        return UnsafeSandbox(wants.python, packages=wants.packages)
    if kind == "docker" or (kind == "auto" and wants.runtime):
        return _docker(wants)
    try:
        return _local(wants)
    except _NotHere as not_local:
        if kind == "local":
            raise SandboxError(f"{not_local}: use --sandbox docker, or {_TRUST}") from not_local
        try:
            return _docker(wants)
        except SandboxError as not_docker:
            raise SandboxError(f"{not_local}; and for --sandbox docker, {not_docker}; or use {_TRUST}") from not_docker


class _NotHere(Exception):
    """Why this machine can't have the local sandbox."""


def _local(wants: Wants) -> LocalSandbox:
    """The local sandbox, if the least that it must have is found in force."""
    from tdgen.sandbox.local import LocalSandbox
    from tdgen.sandbox.server import NOTHING

    if sys.platform != "linux":
        raise _NotHere("the local sandbox needs Linux")
    python = wants.python or (wants.mounted.python if wants.mounted else "")
    opened = wants.opened or NOTHING
    sandbox = LocalSandbox(python, packages=wants.packages, opened=opened, mounted=wants.mounted)
    lacking = _lacking(sandbox)
    if lacking:
        raise _NotHere(f"this machine can't enforce {lacking}")
    return sandbox


def _docker(wants: Wants) -> DockerSandbox:
    """The docker sandbox, if the least that it must have is found in force."""
    from tdgen.sandbox.docker import DockerSandbox
    from tdgen.sandbox.server import NOTHING

    opened = wants.opened or NOTHING
    sandbox = DockerSandbox(
        wants.python, runtime=wants.runtime, packages=wants.packages, opened=opened, mounted=wants.mounted
    )
    lacking = _lacking(sandbox)
    if lacking:
        raise SandboxError(f"a container here can't enforce {lacking}: use --sandbox local, or {_TRUST}")
    return sandbox


def _lacking(sandbox: WarmSandbox) -> str:
    """What `sandbox` lacks of the least that there must be; it is closed where that is anything."""
    from tdgen.sandbox.observing import missing_layers

    try:
        lacking = missing_layers(sandbox.layers())
    except SandboxError:
        sandbox.close()
        raise
    if lacking:
        sandbox.close()
    return ", ".join(lacking)
