"""Who the server is: namespaces of its own, an unprivileged user, no capability, no way to gain one.

As root it becomes a user id that nothing else on the machine has; as an ordinary user it keeps its id, mapped to
itself (never to root) in a user namespace, where the kernel grants one.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import signal
import socket
import struct
from collections.abc import Callable
from pathlib import Path

from tdgen.sandbox.inside import kernel

NAMESPACES = {
    "mount namespace": kernel.CLONE_NEWNS,
    "pid namespace": kernel.CLONE_NEWPID,
    "network namespace": kernel.CLONE_NEWNET,
    "ipc namespace": kernel.CLONE_NEWIPC,
    "uts namespace": kernel.CLONE_NEWUTS,
}
NOBODY = 65534
_OWN_IDS = 1 << 30  # above what people and services are given; a process id is added, which no two servers share
_CAP_VERSION_3 = 0x20080522
_SECUREBITS = 0b11100011  # the id 0 brings no capability, none is kept or made ambient, and all that is locked
_NO_NEW_SESSION = ("setgroups", "deny")
_SIOCSIFFLAGS, _IFF_UP = 0x8914, 1


def enter_user_namespace() -> None:
    """A user namespace in which this user is itself. OSError where it isn't granted, or grants nothing."""
    uid, gid = os.getuid(), os.getgid()
    kernel.unshare(kernel.CLONE_NEWUSER)
    for name, text in (_NO_NEW_SESSION, ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        Path("/proc/self", name).write_text(text, encoding="ascii")


def user_namespace_works(base: str) -> bool:
    """Whether one is granted in which something can be mounted, found in a process that ends at once."""
    pid = os.fork()
    if pid == 0:
        status = 1
        with contextlib.suppress(OSError):
            enter_user_namespace()
            kernel.unshare(kernel.CLONE_NEWNS)
            kernel.mount("", "/", "", 0x44000)
            kernel.mount("tmpfs", base, "tmpfs", 0, "size=1m")
            status = 0
        os._exit(status)
    return os.waitpid(pid, 0)[1] == 0


def enter_namespaces(wanted: tuple[str, ...]) -> list[str]:
    """Enter those of `wanted` (keys of NAMESPACES) that the kernel grants; which ones."""
    entered = []
    for name in wanted:
        with contextlib.suppress(OSError):
            kernel.unshare(NAMESPACES[name])
            entered.append(name)
    return entered


def unprivileged_ids(pid: int) -> tuple[int, int]:
    """The user and group that the server is to become: its own where it is an ordinary user's already.

    `pid` is a process of this server's as seen from outside its pid namespace: within, all have the same. Nobody's are
    those of a server whose own this machine, or the container that it is, does not have at all.
    """
    if os.geteuid() != 0:
        return os.getuid(), os.getgid()
    own = _OWN_IDS + pid
    with contextlib.suppress(OSError):
        lines = Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines()
        ranges = [[int(word) for word in line.split()] for line in lines]
        if any(start <= own < start + count for start, _, count in ranges):
            return own, own
    return NOBODY, NOBODY


def become(uid: int, gid: int) -> None:
    """Become that user and group for good, where this is root; an ordinary user stays who it is."""
    with contextlib.suppress(OSError):
        kernel.prctl(kernel.PR_SET_SECUREBITS, _SECUREBITS)
    _drop_bounding_set()
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(gid, gid, gid)
        os.setresuid(uid, uid, uid)


def _drop_bounding_set() -> None:
    """No program that is executed may bring a capability with it."""
    for capability in range(64):
        try:
            kernel.prctl(kernel.PR_CAPBSET_DROP, capability)
        except OSError:
            return  # past the last one, or not allowed to: then no_new_privs does the same


def drop_capabilities() -> None:
    """Give up every capability, those that could be taken up again too."""
    _drop_bounding_set()
    with contextlib.suppress(OSError):
        kernel.prctl(kernel.PR_CAP_AMBIENT, 4)
    header = ctypes.create_string_buffer(struct.pack("=Ii", _CAP_VERSION_3, 0))
    kernel.call("capset", header, ctypes.create_string_buffer(bytes(24)))


def capabilities() -> int:
    """The capabilities that this process has or could take, as a bit mask."""
    header = ctypes.create_string_buffer(struct.pack("=Ii", _CAP_VERSION_3, 0))
    data = ctypes.create_string_buffer(24)
    kernel.call("capget", header, data)
    low_effective, low_permitted, _, high_effective, high_permitted, _ = struct.unpack("=6I", data.raw)
    return int(low_effective | low_permitted | (high_effective | high_permitted) << 32)


def enter_own_network() -> None:
    """A network namespace of this process alone, with a loopback that is up and nothing else.

    The user namespace that brings the right to it gives no other: all capabilities are dropped again. OSError where it
    isn't granted.
    """
    kernel.unshare(kernel.CLONE_NEWUSER | kernel.CLONE_NEWNET)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP))
    drop_capabilities()


def dying_with_parent() -> Callable[[], int]:
    """What has the process that calls it killed as soon as the one that started it ends."""
    return kernel.ready_prctl(kernel.PR_SET_PDEATHSIG, int(signal.SIGKILL))
