"""Where generated code runs, and never anywhere else: warm server processes that fork a confined child for each run.

`open_sandbox` picks the kind; `LocalSandbox` confines by the kernel's own means on Linux; `DockerSandbox` does the same
once more in a locked container; `UnsafeSandbox` does not confine at all and is never picked by itself. `inside/` holds
the programs that run on the other side of the wall.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tdgen.sandbox.choose import open_sandbox
    from tdgen.sandbox.docker import DockerSandbox, build_image
    from tdgen.sandbox.local import LocalSandbox, UnsafeSandbox

__all__ = ["DockerSandbox", "LocalSandbox", "UnsafeSandbox", "build_image", "open_sandbox"]

_HOMES = {
    "DockerSandbox": "docker",
    "LocalSandbox": "local",
    "UnsafeSandbox": "local",
    "build_image": "docker",
    "open_sandbox": "choose",
}


def __getattr__(name: str) -> Any:
    """The public names, imported where first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
