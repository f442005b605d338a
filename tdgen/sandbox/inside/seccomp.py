"""The system call filter: a list of what a candidate may call; all else fails with EPERM, as an ordinary OSError.

The list is compiled to a binary search over ranges of numbers, because the kernel tries a new filter once for every
number there is: a chain of comparisons would cost ten times as much in every run.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import ctypes
import errno
import struct

from tdgen.sandbox.inside import kernel
from tdgen.sandbox.inside import kernel as syscalls

_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_LOAD, _JUMP, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x54, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_ALLOW, _ERROR, _KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
_CLONE_THREAD = 0x00010000
_CLONE_REFUSED = 0x7E028000  # every new namespace, and a parent that is not the caller
_AF_UNIX, _AF_INET, _AF_INET6, _SOCK_STREAM, _SOCK_DGRAM, _SOCK_SEQPACKET, _SOCK_TYPE_MASK = 1, 2, 10, 1, 2, 5, 0xF
_TCP, _UDP, _IPV6, _NODELAY, _V6ONLY = 6, 17, 41, 1, 26
_PID = 0xFFFFFFFE  # stands for the candidate's own process id until the filter is installed

_PRCTL = (3, 15, 16, 21, 39, 0x53564D41)  # get dumpable, set and get name, get seccomp, get no_new_privs, name memory
_PRCTL_OF_COPIES = (1, 22)  # die with the parent, put a filter on
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS TIOCGWINSZ FIONREAD FIONBIO FIONCLEX FIOCLEX
_SOL_SOCKET = 1
_SOCKET_OPTIONS = (2, 6, 7, 8, 9, 13, 15, 18, 20, 21)
"""REUSEADDR BROADCAST SNDBUF RCVBUF KEEPALIVE LINGER REUSEPORT RCVLOWAT RCVTIMEO SNDTIMEO: no filter, no program."""
_FCNTL_REFUSED = (8, 10, 15, 1024, 1026)  # F_SETOWN F_SETSIG F_SETOWN_EX F_SETLEASE F_NOTIFY

_Code = list[tuple[int, int, int, int]]


def _return(value: int) -> _Code:
    return [(_RETURN, 0, 0, value)]


_YES, _NO = _return(_ALLOW), _return(_ERROR | errno.EPERM)


def _one_of(argument: int, values: tuple[int, ...], then: _Code, otherwise: _Code) -> _Code:
    """`then` (one instruction) where the argument's lower half is among `values`, else `otherwise`."""
    code: _Code = [(_LOAD, 0, 0, _ARGUMENTS + 8 * argument)]
    for place, value in enumerate(values):
        code.append((_EQUAL, len(values) - place - 1 + len(otherwise), 0, value))
    return code + otherwise + then


def _by_value(argument: int, codes: dict[int, _Code], mask: int = 0xFFFFFFFF) -> _Code:
    """What decides by the value of an argument's lower half; refused for a value that has no code."""
    code: _Code = [(_LOAD, 0, 0, _ARGUMENTS + 8 * argument), (_AND, 0, 0, mask)]
    for value, then in codes.items():
        code += [(_EQUAL, 0, len(then), value), *then]
    return code + _NO


def _checks(*, processes: bool, signals: bool, loopback: bool, copies: bool, browses: bool) -> dict[str, _Code]:
    """What decides about the calls whose arguments matter."""
    clone = [(_ANY_BIT, 2, 0, _CLONE_REFUSED), (_ANY_BIT, 0, 1, _CLONE_THREAD), *_YES, *_NO]
    if processes or copies:
        clone = [(_ANY_BIT, 1, 0, _CLONE_REFUSED), *_YES, *_NO]
    kill = _YES if signals else _one_of(0, (_PID,), _YES, _NO)
    options = {_SOL_SOCKET: _one_of(2, _SOCKET_OPTIONS, _YES, _NO)}
    if loopback:
        options.update({_TCP: _by_value(2, {_NODELAY: _YES}), _IPV6: _by_value(2, {_V6ONLY: _YES})})
    pairs = (_SOCK_STREAM, _SOCK_SEQPACKET) if browses else (_SOCK_STREAM,)
    return {
        "clone": [(_LOAD, 0, 0, _ARGUMENTS), *clone],
        "clone3": _return(_ERROR | errno.ENOSYS),  # its flags lie in memory; the C library falls back to clone
        "fcntl": _one_of(1, _FCNTL_REFUSED, _NO, _YES),
        "prctl": _one_of(0, (*_PRCTL, *(_PRCTL_OF_COPIES if copies else ())), _YES, _NO),
        "ioctl": _one_of(1, _IOCTL, _YES, _return(_ERROR | errno.ENOTTY)),
        "kill": kill,
        "tgkill": kill,
        "prlimit64": _one_of(0, (0, _PID), _YES, _NO),
        "setsockopt": _by_value(1, options),
        # An event loop wakes itself through a pair of its own.
        "socketpair": _by_value(0, {_AF_UNIX: _by_value(1, dict.fromkeys(pairs, _YES), _SOCK_TYPE_MASK)}),
    }


def _decisions(
    architecture: str,
    *,
    attributes: bool,
    processes: bool = False,
    signals: bool = False,
    loopback: bool = False,
    copies: bool = False,
    browses: bool = False,
) -> list[tuple[int, _Code]]:
    """Where each range of numbers starts, and what is decided within it; the first starts at 0."""
    allowed = set(syscalls.numbers(syscalls.PLAIN, architecture).values())
    allowed.update(syscalls.numbers(syscalls.STARTING, architecture).values() if processes else ())
    allowed.update(syscalls.numbers(syscalls.BROWSING, architecture).values() if browses else ())
    checks = _checks(processes=processes, signals=signals, loopback=loopback, copies=copies, browses=browses)
    special = {number: checks[name] for name, number in syscalls.numbers(syscalls.CHECKED, architecture).items()}
    modes = _YES if attributes else _return(_ERROR)  # an error of 0: nothing is done, and success is said
    special.update(dict.fromkeys(syscalls.numbers(syscalls.MODES, architecture).values(), modes))
    if loopback:
        talking = syscalls.numbers(syscalls.TALKING, architecture)
        allowed.update(talking.values())
        protocol = _one_of(2, (0, _TCP, _UDP), _YES, _NO)
        kind = _by_value(1, {_SOCK_STREAM: protocol, _SOCK_DGRAM: protocol}, _SOCK_TYPE_MASK)
        special[talking["socket"]] = _by_value(0, {_AF_INET: kind, _AF_INET6: kind})
    elif browses:
        special[syscalls.numbers(syscalls.BROWSING, architecture)["socket"]] = checks["socketpair"]
    starts: list[tuple[int, _Code]] = []
    for number in range(syscalls.NEWEST + 1):
        code = special.get(number, _YES if number in allowed else _NO)
        if not starts or starts[-1][1] is not code:
            starts.append((number, code))
    starts.append((syscalls.NEWEST + 1, _return(_ERROR | errno.ENOSYS)))
    return starts


def _search(starts: list[tuple[int, _Code]]) -> _Code:
    """A binary search for the range of the loaded number."""
    if len(starts) == 1:
        return starts[0][1]
    middle = len(starts) // 2
    below, above = _search(starts[:middle]), _search(starts[middle:])
    return [(_AT_LEAST, 0, 1, starts[middle][0]), (_JUMP, 0, 0, len(below)), *below, *above]


class Filter:
    """The compiled filter, made once and installed by each child with its own process id filled in.

    With `attributes` a file's mode and times may be changed (only where nothing of the host is mounted writable);
    without, such calls do nothing and say that they did, as on a file system that has no modes. With `processes` others
    may be started, with `signals` sent to any that there is. Processes can't leave the session that they start in.
    With `loopback` there are sockets of the internet's families; that they lead nowhere is the network namespace's.
    With `copies` the process may fork, and filter what it forked further. What `browses` may share memory, and send
    messages in pairs of sockets: there is no way to a socket that it did not make itself.
    """

    def __init__(
        self,
        *,
        attributes: bool,
        processes: bool = False,
        signals: bool = False,
        loopback: bool = False,
        copies: bool = False,
        browses: bool = False,
    ) -> None:
        architecture = syscalls.machine()
        if architecture not in syscalls.COLUMNS:
            raise OSError(errno.ENOSYS, f"no system call table for {architecture}")
        decisions = _decisions(
            architecture,
            attributes=attributes,
            processes=processes,
            signals=signals,
            loopback=loopback,
            copies=copies,
            browses=browses,
        )
        code: _Code = [
            (_LOAD, 0, 0, _ARCHITECTURE),
            (_EQUAL, 1, 0, _AUDIT_ARCH[architecture]),
            *_return(_KILL_PROCESS),
            (_LOAD, 0, 0, _NUMBER),
            *_search(decisions),
        ]
        self._memory = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in code))
        program = ctypes.create_string_buffer(struct.pack("@HP", len(code), ctypes.addressof(self._memory)))
        self._put_on = kernel.ready_prctl(kernel.PR_SET_SECCOMP, 2, program)
        self._pids = [8 * place + 4 for place, line in enumerate(code) if line[0] == _EQUAL and line[3] == _PID]

    @property
    def program(self) -> bytes:
        """The instructions as the kernel reads them."""
        return self._memory.raw[:-1]

    def install(self, pid: int) -> None:
        """Filter this process from now on. Needs no_new_privs; can't be undone."""
        for place in self._pids:
            struct.pack_into("=I", self._memory, place, pid)
        self._put_on()
