"""Which sandbox there is to be, by what the user wants and what this machine can enforce.

The local one is part of what every solve needs. Any other is a back end that is found by its entry point, as docker's
is, and imported when it is asked for.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from tdgen import extensions
from tdgen.errors import SandboxError, TdgenError
from tdgen.protocols import Sandbox

if TYPE_CHECKING:
    from tdgen.sandbox.interpreter import Mounted
    from tdgen.sandbox.packages import Supply
    from tdgen.sandbox.server import Opened

_TRUST = "--sandbox unsafe for code that you trust"
_INSTEAD = "docker"
"""What `auto` takes where the local sandbox can't be had; no back end of others is taken unasked."""


class Wants(NamedTuple):
    """What a sandbox is to have beside its kind; a back end is called with what is wished, by name.

    `python` is a version, for the local kinds also a path or a command; empty is that of the project which is
    `mounted`, else the Python that runs this, or the back end's. `runtime` is the name of one of docker's.
    """

    python: str = ""
    packages: Supply | None = None
    runtime: str = ""
    opened: Opened | None = None
    mounted: Mounted | None = None


def open_sandbox(kind: str = "auto", wants: Wants = Wants()) -> Sandbox:  # noqa: B008 - immutable
    """The sandbox of that kind.

    `auto` takes local where it is enforced, else docker (docker alone where a runtime is named), and never the unsafe
    one. SandboxError where it can't be had, with the ways out; InputError where the project can't be mounted.
    """
    if kind == "auto" and wants.runtime:
        kind = _INSTEAD
    if wants.mounted:
        wants.mounted.check()
    is_local_alone = wants.opened and (wants.opened.compiles or wants.opened.browses)
    if is_local_alone and kind not in ("auto", "local"):
        raise SandboxError("compiled code and pages run in the local sandbox alone: take --sandbox local")
    if kind == "unsafe" and wants.mounted:
        raise SandboxError("a project's code runs in a sandbox alone: take --sandbox local or --sandbox docker")
    if kind == "unsafe":
        from tdgen.sandbox.local import UnsafeSandbox

        return UnsafeSandbox(wants.python, packages=wants.packages)
    if kind not in ("auto", "local"):
        return _back_end(kind, wants)
    try:
        return _local(wants)
    except _NotHere as not_local:
        if kind == "local":
            raise SandboxError(f"{not_local}: use --sandbox {_INSTEAD}, or {_TRUST}") from not_local
        try:
            return _back_end(_INSTEAD, wants)
        except SandboxError as also_not:
            reasons = f"{not_local}; and for --sandbox {_INSTEAD}, {also_not}"
            raise SandboxError(f"{reasons}; or use {_TRUST}") from also_not


class _NotHere(Exception):
    """Why this machine can't have the local sandbox."""


def _local(wants: Wants) -> Sandbox:
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


def _back_end(name: str, wants: Wants) -> Sandbox:
    """The sandbox that is found by that name, if the least that it must have is found in force."""
    point = extensions.registered(extensions.SANDBOXES).get(name)
    if point is None:
        raise SandboxError(f"no installed package has a {name} sandbox: install tdgen anew")
    make = extensions.load(point)
    wished = {wish: value for wish, value in wants._asdict().items() if value not in ("", None)}
    try:
        sandbox: Sandbox = make(**wished)
        lacking = _lacking(sandbox)
    except TdgenError:
        raise
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise SandboxError(f"the {name} sandbox ({point.value}) can't be opened: {why}: mend its package") from error
    if lacking:
        raise SandboxError(f"the {name} sandbox can't enforce {lacking} here: use --sandbox local, or {_TRUST}")
    return sandbox


def _lacking(sandbox: Sandbox) -> str:
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
