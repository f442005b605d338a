"""A child's file descriptors: none that is another's, and an opening of its own behind each that it keeps.

Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import os
import stat

_STANDARD = (0, 1, 2)
_MOST = 64


def leading_nowhere() -> list[int]:
    """Those of the null device that loaded programs hold open (a log without a file) and will want to close."""
    null, found = os.fstat(0).st_rdev, []
    for fd in range(len(_STANDARD), _MOST):
        with contextlib.suppress(OSError):
            facts = os.fstat(fd)
            if stat.S_ISCHR(facts.st_mode) and facts.st_rdev == null:
                found.append(fd)
    return found


def open_anew(*descriptors: int) -> None:
    """Have the standard ones and these lead to the null device by an opening of this process' own.

    A lock, or a flag such as O_APPEND, belongs to the opening: by an inherited one it would outlive this process.
    """
    own = os.open(os.devnull, os.O_RDWR)
    for fd in (*_STANDARD, *descriptors):
        os.dup2(own, fd, inheritable=fd in _STANDARD)
    os.close(own)


def close_all_but(*kept: int) -> None:
    """Close every descriptor but these and the standard ones."""
    start = len(_STANDARD)
    for fd in sorted(kept):
        os.closerange(start, fd)
        start = fd + 1
    os.closerange(start, start + _MOST)
