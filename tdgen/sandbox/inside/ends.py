"""Learning that a child has ended, while something else is waited for too.

The kernel gives a descriptor for a process (since 5.3); where it does not (gVisor's), the signal that tells of a
child's end wakes the poll. Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket

_NO_HANDLE = -1


def by_handle() -> bool:
    """Whether this kernel gives descriptors for processes."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return False
    return True


class Ends:
    """Tells of the ends of this process' children: `handle` before a child is waited for, `fd` to poll, `has_ended`."""

    def __init__(self) -> None:
        self._woken: socket.socket | None = None
        if not by_handle():
            self._woken, self._waking = socket.socketpair()
            for end in (self._woken, self._waking):
                end.settimeout(0)
            signal.set_wakeup_fd(self._waking.fileno(), warn_on_full_buffer=False)
            signal.signal(signal.SIGCHLD, _nothing)

    def handle(self, pid: int) -> int:
        """A descriptor for a child, to be closed by `forget`; a number that is none where the kernel has no such."""
        return os.pidfd_open(pid) if self._woken is None else _NO_HANDLE

    @staticmethod
    def forget(handle: int) -> None:
        """Close what `handle` gave."""
        if handle != _NO_HANDLE:
            os.close(handle)

    def fd(self, handle: int) -> int:
        """What becomes readable when the child ends, or another one."""
        return handle if self._woken is None else self._woken.fileno()

    def has_ended(self, pid: int) -> bool:
        """Whether the child has ended; it still has to be waited for."""
        if self._woken is not None:
            with contextlib.suppress(BlockingIOError):
                while self._woken.recv(64):
                    pass
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def forget_all(self) -> None:
        """In a child: be told of nothing, as at an interpreter's start."""
        if self._woken is not None:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self._woken.close()
            self._waking.close()
            self._woken = None


def _nothing(*_: object) -> None:
    """What a signal calls that is only to wake."""
