"""Landlock: which files a candidate may use, no TCP unless opened, no signal or abstract socket out of its domain.

A ruleset is made once a server and put on by each child. Landlock knows nothing of a file's mode, owner or times, nor
of `stat`: those are the filter's and the mount namespace's to hold.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Callable
from pathlib import Path

from tdgen.sandbox.inside import kernel

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _REMOVE_DIR, _REMOVE_FILE = 1, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5
_MAKE_DIR, _MAKE_REGULAR, _MAKE_SOCKET, _MAKE_LINK = 1 << 7, 1 << 8, 1 << 9, 1 << 12
_REFER, _TRUNCATE, _IOCTL = 1 << 13, 1 << 14, 1 << 15
_READ = _READ_FILE | _READ_DIR
_WRITE = _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REGULAR | _MAKE_LINK | _REFER | _TRUNCATE
_ON_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
_OLDEST = (1 << 13) - 1
_TCP = 0b11  # bind, connect
_SCOPES = 0b11  # abstract sockets, signals


def abi() -> int:
    """The version that this kernel speaks; OSError where it speaks none."""
    return kernel.call("landlock_create_ruleset", None, 0, 1)


def _grant(ruleset: int, path: str, access: int) -> None:
    """Allow `access` on `path` and all below it; a path that isn't there is passed over."""
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not Path(path).is_dir():
            access &= _ON_FILES
        kernel.call("landlock_add_rule", ruleset, 1, ctypes.create_string_buffer(struct.pack("=Qi", access, fd)), 0)
    finally:
        os.close(fd)


def ruleset(
    readable: tuple[str, ...],
    devices: tuple[str, ...],
    scratch: str,
    programs: tuple[str, ...] = (),
    *,
    listed: tuple[str, ...] = (),
    tcp: bool = False,
    compiles: bool = False,
    browses: bool = False,
) -> int:
    """A file descriptor of the rules: read `readable`, read and write `devices` and, with all else, `scratch`.

    In the folders `listed`, and in all below these, names can be read too. Nothing can be executed but `programs`, and
    no port used unless `tcp` is allowed. What `compiles` may execute what is in `scratch` too, and read /proc; this may
    also what `browses`.
    """
    version = abi()
    # all file accesses that this version can restrict: what is handled and not granted is denied
    handled = _OLDEST | sum(bit for since, bit in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL)) if version >= since)
    refused = _TCP if version >= 4 and not tcp else 0
    attributes = struct.pack("=QQQ", handled, refused, _SCOPES if version >= 6 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    descriptor = kernel.call("landlock_create_ruleset", ctypes.create_string_buffer(attributes[:size]), size, 0)
    for path in readable:
        _grant(descriptor, path, _READ & handled)
    for path in listed:
        _grant(descriptor, path, _READ_DIR & handled)
    for path in programs:
        _grant(descriptor, path, _EXECUTE | _READ_FILE)
    for path in devices:
        _grant(descriptor, path, (_READ_FILE | _WRITE_FILE) & handled)
    more = (_EXECUTE if compiles else 0) | (_MAKE_SOCKET if browses else 0)
    _grant(descriptor, scratch, (_READ | _WRITE | more) & handled)
    if compiles or browses:
        _grant(descriptor, "/proc", _READ & handled)
    return descriptor


def ready(descriptor: int) -> Callable[[], int]:
    """What puts the rules on the process that calls it, for good. Needs no_new_privs."""
    return kernel.ready("landlock_restrict_self", descriptor, 0)
