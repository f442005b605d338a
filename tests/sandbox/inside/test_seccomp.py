"""The compiled filter, interpreted here as the kernel would, says of each call what the tables mean."""

from __future__ import annotations

import errno
import struct

import pytest

from tdgen.sandbox.inside import kernel, seccomp
from tdgen.sandbox.inside.kernel import CHECKED, MODES, OWN, PLAIN, numbers

ALLOW, REFUSE, PRETEND = 0x7FFF0000, 0x50000 | errno.EPERM, 0x50000
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def decide(code: bytes, number: int, *arguments: int, audit: int) -> int:
    """What the filter returns for one system call."""
    data = struct.pack("=IIQ6Q", number, audit, 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    accumulator, place = 0, 0
    while True:
        operation, true, false, constant = struct.unpack_from("=HBBI", code, 8 * place)
        place += 1
        if operation == 0x20:
            (accumulator,) = struct.unpack_from("=I", data, constant)
        elif operation == 0x54:
            accumulator &= constant
        elif operation == 0x05:
            place += constant
        elif operation == 0x06:
            return int(constant)
        else:
            holds = {0x15: accumulator == constant, 0x35: accumulator >= constant, 0x45: bool(accumulator & constant)}
            place += true if holds[operation] else false


@pytest.fixture(params=sorted(ARCHITECTURES))
def architecture(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each architecture that there is a table for, as if it were this machine's."""
    monkeypatch.setattr(kernel, "machine", lambda: request.param)
    return str(request.param)


def filters(architecture: str, *, attributes: bool = True) -> tuple[bytes, int]:
    """The filter's code for this architecture, and the architecture's number."""
    return seccomp.Filter(attributes=attributes).program, ARCHITECTURES[architecture]


def test_each_number_is_decided_as_the_tables_say(architecture: str) -> None:
    """Plain calls pass, unknown ones and the sandbox's own are refused, and later ones are said not to exist."""
    code, audit = filters(architecture)
    plain, checked = numbers(PLAIN, architecture), set(numbers(CHECKED, architecture).values())
    modes = set(numbers(MODES, architecture).values())
    for number in range(kernel.NEWEST + 1):
        if number not in checked:
            expected = ALLOW if number in set(plain.values()) | modes else REFUSE
            assert decide(code, number, audit=audit) == expected, number
    assert decide(code, kernel.NEWEST + 1, audit=audit) == 0x50000 | errno.ENOSYS
    assert all(decide(code, number, audit=audit) == REFUSE for number in numbers(OWN, architecture).values())


def test_what_would_get_out_is_on_no_list(architecture: str) -> None:
    """Whoever adds to the tables finds out here."""
    dangerous = {
        "socket",
        "connect",
        "bind",
        "sendmsg",
        "execve",
        "execveat",
        "ptrace",
        "mount",
        "bpf",
        "io_uring_setup",
    }
    allowed = {*numbers(PLAIN, architecture), *numbers(MODES, architecture), *numbers(CHECKED, architecture)}
    assert not allowed & (
        dangerous | {"fork", "vfork", "unshare", "setns", "memfd_create", "keyctl", "mknod", "process_vm_readv"}
    )


def test_arguments_decide_where_they_matter(architecture: str) -> None:
    """Threads but no processes, stream pairs but no datagrams, its own group of limits, no new owner of signals."""
    code, audit = filters(architecture)
    number = numbers(CHECKED, architecture)
    assert decide(code, number["clone"], 0x3D0F00, audit=audit) == ALLOW
    assert decide(code, number["clone"], 17, audit=audit) == REFUSE
    for space in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert decide(code, number["clone"], 0x3D0F00 | space, audit=audit) == REFUSE, hex(space)
    assert decide(code, number["clone3"], audit=audit) == 0x50000 | errno.ENOSYS
    assert decide(code, number["socketpair"], 1, 1 | 0o2000000, audit=audit) == ALLOW
    assert decide(code, number["socketpair"], 1, 2, audit=audit) == REFUSE
    assert decide(code, number["socketpair"], 2, 1, audit=audit) == REFUSE
    assert decide(code, number["setsockopt"], 3, 1, 7, audit=audit) == ALLOW
    for option in (16, 26, 27, 44, 50, 51, 52):  # PASSCRED, and filters and programs of every kind
        assert decide(code, number["setsockopt"], 3, 1, option, audit=audit) == REFUSE, option
    assert decide(code, number["setsockopt"], 3, 6, 7, audit=audit) == REFUSE
    assert decide(code, number["prlimit64"], 0, audit=audit) == ALLOW
    assert decide(code, number["prlimit64"], 1, audit=audit) == REFUSE
    assert decide(code, number["fcntl"], 0, 3, audit=audit) == ALLOW
    assert decide(code, number["fcntl"], 0, 8, audit=audit) == REFUSE
    assert decide(code, number["prctl"], 15, audit=audit) == ALLOW
    assert decide(code, number["prctl"], 4, 1, audit=audit) == REFUSE
    assert decide(code, number["kill"], 1, audit=audit) == REFUSE


def test_modes_are_only_pretended_where_landlock_alone_holds_the_files(architecture: str) -> None:
    """Nothing is done, and success is said, as on a file system without modes."""
    code, audit = filters(architecture, attributes=False)
    assert {decide(code, number, audit=audit) for number in numbers(MODES, architecture).values()} == {PRETEND}


def test_another_architectures_calls_end_the_process(architecture: str) -> None:
    """Numbers of a 32-bit table mean other calls: none of them is let through."""
    code, _ = filters(architecture)
    assert decide(code, 0, audit=0x40000003) == 0x80000000
