"""System calls that Python has no function for, with the kernel's error as an OSError.

Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

from tdgen.sandbox.inside import syscalls

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 4, 22, 24
PR_SET_SECUREBITS, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS = 28, 36, 38, 39
PR_CAP_AMBIENT = 47
CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000


def _checked(result: int, what: str) -> int:
    """`result`, or the error that the kernel left behind."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def call(name: str, *arguments: Any) -> int:
    """The system call `name` (one of the sandbox's own) with integers, bytes, None or ctypes objects."""
    return ready(name, *arguments)()


def ready(name: str, *arguments: Any) -> Callable[[], int]:
    """`call` with all that it needs at hand: who calls this has little more to do than the system call."""
    number = ctypes.c_long(syscalls.own(syscalls.machine())[name])
    converted = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return lambda: _checked(_libc.syscall(number, *converted), name)


def prctl(option: int, *arguments: Any) -> int:
    """The system call prctl; missing arguments are 0."""
    return ready_prctl(option, *arguments)()


def ready_prctl(option: int, *arguments: Any) -> Callable[[], int]:
    """`prctl` as `ready` has it."""
    first, name = ctypes.c_int(option), f"prctl {option}"
    padded = [ctypes.c_ulong(a) if isinstance(a, int) else a for a in (*arguments, 0, 0, 0, 0)[:4]]
    return lambda: _checked(_libc.prctl(first, *padded), name)


def unshare(flags: int) -> None:
    """Leave the namespaces that `flags` (CLONE_NEW…) name, for new ones."""
    _checked(_libc.unshare(ctypes.c_int(flags)), "unshare")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """The system call mount."""
    texts = [text.encode() if text else None for text in (source, target, kind)]
    _checked(_libc.mount(*texts, ctypes.c_ulong(flags), options.encode() or None), f"mount on {target}")


def detach(target: str) -> None:
    """Unmount `target` as soon as nobody uses it, and hide it at once."""
    _checked(_libc.umount2(target.encode(), ctypes.c_int(2)), f"umount {target}")
