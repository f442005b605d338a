"""Finding by trying what a container keeps from all that runs in it, before any layer of a child's own.

Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import errno
import socket
from pathlib import Path

NAMESPACES = ("pid", "net", "ipc", "uts", "user")
_MIB = 1024 * 1024
_GROUPS = Path("/sys/fs/cgroup")
_UNLIMITED = 1 << 50


def findings() -> dict[str, str]:
    """What is in force: namespaces as the kernel numbers them (`pid`, `net`, …), and layers with their details."""
    details: dict[str, str] = {}
    for name in NAMESPACES:
        with contextlib.suppress(OSError):
            details[name] = str(Path("/proc/self/ns", name).readlink())
    if _is_read_only("/"):
        details["read-only root"] = "the scratch folders alone can be written"
    if [name for _, name in socket.if_nameindex()] in ([], ["lo"]):
        details["no network"] = "no interface but its own loopback"
    bounds = list(_bounds())
    if len(bounds) == len(_LIMITS):
        details["cgroup limits"] = ", ".join(bounds)
    return details


def _is_read_only(folder: str) -> bool:
    """Whether nobody could write there, whatever the folder's mode."""
    probe = Path(folder, ".tdgen-probe")
    try:
        probe.touch(exist_ok=False)
    except OSError as error:
        return error.errno == errno.EROFS
    probe.unlink()
    return False


_LIMITS = {
    "{} MiB of memory": (("memory.max", "memory/memory.limit_in_bytes"), _MIB),
    "{} processes": (("pids.max", "pids/pids.max"), 1),
    "{} ms of CPU time in 100": (("cpu.max", "cpu/cpu.cfs_quota_us"), 1000),
}


def _bounds() -> list[str]:
    """Each limit of the container's group that is set, in words."""
    said = []
    for words, (names, unit) in _LIMITS.items():
        for name in names:
            with contextlib.suppress(OSError, ValueError, IndexError):
                number = int((_GROUPS / name).read_text().split()[0])
                if 0 < number < _UNLIMITED:
                    said.append(words.format(number // unit))
                    break
    return said
