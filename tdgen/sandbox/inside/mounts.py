"""A root of its own for the server: an empty tmpfs, what an interpreter needs bound read-only, and a small scratch.

Nothing of /proc, /sys, /home or /etc is in it. It needs a mount namespace and the right to mount within it.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import ctypes
import os
import struct
from pathlib import Path

from tdgen.sandbox.inside import kernel

SCRATCH, PROCESSES, KEPT = "/scratch", "/proc", "/kept"
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_RDONLY, _NOSUID, _NODEV, _NOEXEC, _REMOUNT, _BIND = 0x1, 0x2, 0x4, 0x8, 0x20, 0x1000
_REC, _PRIVATE = 0x4000, 0x40000
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_INODES = 8192


def enter_new_root(
    base: str,
    visible: tuple[str, ...],
    scratch_mb: int,
    owner: tuple[int, int],
    *,
    compiles: bool = False,
    kept: str = "",
    browses: bool = False,
) -> None:
    """Make `base` (an empty folder) the root of this process' mount namespace, with `visible` read-only in it.

    The folder SCRATCH belongs to `owner` (uid, gid) and holds at most `scratch_mb` MiB. The old root is gone after.
    What `compiles` may start what is in it, and what is in the folder `kept`, which is shown at KEPT. It and what
    `browses` have a /proc of their own pid namespace: sanitizers read their maps there, and a browser where it lies
    itself.
    """
    kernel.mount("", "/", "", _REC | _PRIVATE)
    kernel.mount("tmpfs", base, "tmpfs", _NOSUID | _NODEV, "size=1m,mode=755")
    for path in _outermost(visible):
        _bind_read_only(path, base + path)
    if kept:
        _bind_read_only(kept, base + KEPT)
    for device in DEVICES:
        if Path(device).exists():
            _bind(device, base + device)
    Path(base + SCRATCH).mkdir()
    options = f"size={scratch_mb}m,nr_inodes={_INODES},mode=700,uid={owner[0]},gid={owner[1]}"
    kernel.mount("tmpfs", base + SCRATCH, "tmpfs", _NOSUID | _NODEV | (0 if compiles else _NOEXEC), options)
    if compiles or browses:
        Path(base + PROCESSES).mkdir()
        try:
            kernel.mount("proc", base + PROCESSES, "proc", _NOSUID | _NODEV | _NOEXEC | _RDONLY)
        except OSError as error:
            why = f"this machine grants no /proc of its own ({error})"
            raise RuntimeError(f"such code can't be run here: {why}") from error
    os.chdir(base)
    kernel.call("pivot_root", b".", b".")
    kernel.detach(".")
    os.chdir("/")
    kernel.mount("", "/", "", _REMOUNT | _BIND | _RDONLY | _NOSUID | _NODEV)


def _outermost(paths: tuple[str, ...]) -> list[str]:
    """Those of `paths` that exist and lie within none of the others."""
    kept: list[str] = []
    for path in sorted({os.path.normpath(path) for path in paths if Path(path).exists()}):
        if not any(path == other or path.startswith(other + "/") for other in kept):
            kept.append(path)
    return kept


def _bind(source: str, target: str) -> None:
    """Show `source` at `target` too, with all that is mounted below it."""
    if Path(source).is_dir():
        Path(target).mkdir(parents=True, exist_ok=True)
    else:
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        Path(target).touch()
    kernel.mount(source, target, "", _BIND | _REC)


def _bind_read_only(source: str, target: str) -> None:
    """`_bind`, then read-only all the way down; where the kernel can't do that (before 5.12) its top at least."""
    _bind(source, target)
    try:
        attributes = ctypes.create_string_buffer(struct.pack("=QQQQ", _RDONLY | _NOSUID | _NODEV, 0, 0, 0))
        kernel.call("mount_setattr", _AT_FDCWD, target.encode(), _AT_RECURSIVE, attributes, 32)
    except OSError:
        kernel.mount("", target, "", _REMOUNT | _BIND | _RDONLY | _NOSUID | _NODEV)
