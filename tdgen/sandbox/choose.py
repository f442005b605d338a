"""Which sandbox to take: the one that was named, or the one that this machine can really enforce."""

from __future__ import annotations

import sys

from tdgen.errors import SandboxError
from tdgen.protocols import Sandbox
from tdgen.sandbox.docker import DockerSandbox
from tdgen.sandbox.layers import missing
from tdgen.sandbox.local import LocalSandbox, UnsafeSandbox
from tdgen.sandbox.warm import WarmSandbox
from tdgen.settings import SandboxKind

_TRUST = "--sandbox unsafe for code that you trust"


def open_sandbox(kind: SandboxKind = "auto", python: str = "", *, packages_dir: str | None = None) -> Sandbox:
    """The sandbox of that kind for that Python (a path, a command, or a version; empty for the one running).

    `auto` takes local where it is enforced, else docker, and never the unsafe one. SandboxError where it can't be had,
    with the ways out.
    """
    if kind == "unsafe":
        return UnsafeSandbox(python, packages_dir=packages_dir)
    if kind == "docker":
        return _docker(python, packages_dir)
    try:
        return _local(python, packages_dir)
    except _NotHere as not_local:
        if kind == "local":
            raise SandboxError(f"{not_local}: use --sandbox docker, or {_TRUST}") from not_local
        try:
            return _docker(python, packages_dir)
        except SandboxError as not_docker:
            raise SandboxError(f"{not_local}; and for --sandbox docker, {not_docker}; or use {_TRUST}") from not_docker


class _NotHere(Exception):
    """Why this machine can't have the local sandbox."""


def _local(python: str, packages_dir: str | None) -> LocalSandbox:
    """The local sandbox, if the least that it must have is found in force."""
    if sys.platform != "linux":
        raise _NotHere("the local sandbox needs Linux")
    sandbox = LocalSandbox(python, packages_dir=packages_dir)
    lacking = _lacking(sandbox)
    if lacking:
        raise _NotHere(f"this machine can't enforce {lacking}")
    return sandbox


def _docker(python: str, packages_dir: str | None) -> DockerSandbox:
    """The docker sandbox, if the least that it must have is found in force."""
    sandbox = DockerSandbox(python, packages_dir=packages_dir)
    lacking = _lacking(sandbox)
    if lacking:
        raise SandboxError(f"a container here can't enforce {lacking}: use --sandbox local, or {_TRUST}")
    return sandbox


def _lacking(sandbox: WarmSandbox) -> str:
    """What `sandbox` lacks of the least that there must be; it is closed where that is anything."""
    try:
        lacking = missing(sandbox.layers())
    except SandboxError:
        sandbox.close()
        raise
    if lacking:
        sandbox.close()
    return ", ".join(lacking)
