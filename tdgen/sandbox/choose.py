"""Which sandbox to take: the one that was named, or the one that this machine can really enforce."""

from __future__ import annotations

import sys
from typing import NamedTuple

from tdgen.errors import SandboxError
from tdgen.protocols import Sandbox
from tdgen.sandbox.docker import DockerSandbox
from tdgen.sandbox.layers import missing
from tdgen.sandbox.local import LocalSandbox, UnsafeSandbox
from tdgen.sandbox.server import NOTHING, Opened
from tdgen.sandbox.targets import Supply
from tdgen.sandbox.warm import WarmSandbox
from tdgen.settings import SandboxKind

_TRUST = "--sandbox unsafe for code that you trust"


class Wants(NamedTuple):
    """What a sandbox is to have beside its kind: a version of Python, packages, a runtime of docker's, what is opened.

    `python` may also be a path or a command for the local kinds; empty is the Python that runs this, or the image's.
    """

    python: str = ""
    packages: Supply | None = None
    runtime: str = ""
    opened: Opened = NOTHING


def open_sandbox(kind: SandboxKind = "auto", wants: Wants = Wants()) -> Sandbox:  # noqa: B008 - immutable
    """The sandbox of that kind.

    `auto` takes local where it is enforced, else docker (docker alone where a runtime is named), and never the unsafe
    one. SandboxError where it can't be had, with the ways out.
    """
    if kind == "unsafe":
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
    if sys.platform != "linux":
        raise _NotHere("the local sandbox needs Linux")
    sandbox = LocalSandbox(wants.python, packages=wants.packages, opened=wants.opened)
    lacking = _lacking(sandbox)
    if lacking:
        raise _NotHere(f"this machine can't enforce {lacking}")
    return sandbox


def _docker(wants: Wants) -> DockerSandbox:
    """The docker sandbox, if the least that it must have is found in force."""
    sandbox = DockerSandbox(wants.python, runtime=wants.runtime, packages=wants.packages, opened=wants.opened)
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
