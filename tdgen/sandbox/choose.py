"""Which sandbox to take: the one that was named, or the one that this machine can really enforce."""

from __future__ import annotations

import sys

from tdgen.errors import SandboxError
from tdgen.protocols import Sandbox
from tdgen.sandbox.layers import missing
from tdgen.sandbox.local import LocalSandbox, UnsafeSandbox
from tdgen.settings import SandboxKind

_WAYS_OUT = "use --sandbox docker, or --sandbox unsafe for code that you trust"


def open_sandbox(kind: SandboxKind = "auto", python: str = "", *, packages_dir: str | None = None) -> Sandbox:
    """The sandbox of that kind for that Python (a path, a command, or a version; empty for the one running).

    `auto` never takes the unsafe one. SandboxError where it can't be had, with the ways out.
    """
    if kind == "unsafe":
        return UnsafeSandbox(python, packages_dir=packages_dir)
    if kind == "docker":
        raise SandboxError("the docker sandbox isn't built yet: use --sandbox local")
    return _local(python, packages_dir)


def _local(python: str, packages_dir: str | None) -> LocalSandbox:
    """The local sandbox, if the least that it must have is found in force."""
    if sys.platform != "linux":
        raise SandboxError(f"the local sandbox needs Linux: {_WAYS_OUT}")
    sandbox = LocalSandbox(python, packages_dir=packages_dir)
    try:
        lacking = missing(sandbox.layers())
    except SandboxError:
        sandbox.close()
        raise
    if lacking:
        sandbox.close()
        raise SandboxError(f"this machine can't enforce {', '.join(lacking)}: {_WAYS_OUT}")
    return sandbox
