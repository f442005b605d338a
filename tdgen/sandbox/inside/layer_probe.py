"""Finding by trying what a confined child can't do: the proof behind each layer that the sandbox claims.

Runs in a child that has been confined as for any job. Standard library only, Python 3.9 and later.
"""

from __future__ import annotations

import errno
import os
import resource
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tdgen.sandbox.inside import kernel
from tdgen.sandbox.inside.confine import Confinement

_ELSEWHERE = ("192.0.2.1", 9)  # of the network that is kept for documentation (RFC 5737)


def _refused(attempt: Callable[[], Any], *numbers: int) -> bool:
    """Whether `attempt` fails with one of these errors."""
    try:
        attempt()
    except OSError as error:
        return error.errno in numbers
    return False


def _fork() -> None:
    """A process more; it ends at once where it is granted."""
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _connect(family: int, kind: int, address: Any) -> None:
    """Open a socket and, where there is an address, look for a way there; nothing is sent."""
    with socket.socket(family, kind) as probe:
        if address:
            probe.connect(address)


def _no_sockets_nor_processes(confinement: Confinement) -> bool:
    """The filter: no socket, not even to a neighbour, and no second process, but for what is opened."""
    elsewhere = partial(_connect, socket.AF_INET, socket.SOCK_DGRAM, _ELSEWHERE)
    # a browser may have such a socket, and nobody to call by it
    to_neighbour = partial(_connect, socket.AF_UNIX, socket.SOCK_STREAM, "\0nobody" if confinement.browses else "")
    return (
        _refused(elsewhere, errno.ENETUNREACH if confinement.loopback else errno.EPERM)
        and _refused(to_neighbour, errno.EPERM)
        and (bool(confinement.programs) or _refused(_fork, errno.EPERM))
    )


def findings(marker: str, confinement: Confinement) -> dict[str, str]:
    """The layers found in force in this process, each with what there is to say of it.

    `marker` is a path that exists outside and lies in nothing that the inside may see.
    """
    details = {}
    if _no_sockets_nor_processes(confinement):
        sockets = "sockets on its own loopback" if confinement.loopback else "no sockets"
        processes = "processes of its own session" if confinement.programs else "no processes"
        details["seccomp"] = f"{sockets}, {processes}, about 200 system calls"
    if _refused(lambda: list(Path("/").iterdir()), errno.EACCES):
        details["Landlock"] = f"ABI {confinement.abi}"
    memory = [resource.RLIMIT_DATA if confinement.browses else resource.RLIMIT_AS] * (not confinement.compiles)
    kinds = (resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, *memory)
    is_bounded = all(resource.getrlimit(kind)[1] != resource.RLIM_INFINITY for kind in kinds)
    if is_bounded and resource.getrlimit(resource.RLIMIT_CORE)[1] == 0:
        of_memory = "" if confinement.compiles else "memory, "
        details["rlimits"] = f"{of_memory}CPU time, file size, open files"
    if kernel.prctl(kernel.PR_GET_NO_NEW_PRIVS) == 1:
        details["no_new_privs"] = ""
    if 0 not in os.getresuid() and 0 not in os.getresgid():
        details["unprivileged user"] = f"uid {os.getuid()}"
    if _refused(lambda: Path(marker).stat(), errno.ENOENT, errno.EACCES):
        details["mount namespace"] = "nothing of this machine but the interpreter, read-only"
    return details
