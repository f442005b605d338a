"""The server's loop: which of the processes that wait is offered to the host."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from tdgen.sandbox.inside import messages
from tdgen.sandbox.inside.forker import Child, Forker


@pytest.fixture
def link() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Both ends of the host's link."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        yield ours, theirs


@pytest.fixture
def forker(link: tuple[socket.socket, socket.socket]) -> Forker:
    """One whose children keep files, as a browser's do, so that each is told that its turn has come."""
    confinement: Any = SimpleNamespace(browses=True, programs=(), keeps_apart=False, forbids_processes=False)
    return Forker(link[0], confinement, "", None, {"source": "", "limits": {}})


def confined(forker: Forker) -> tuple[Child, socket.socket]:
    """A child that said so, and its end of the socket."""
    ours, theirs = socket.socketpair()
    theirs.sendall(messages.frame({"confined": True}))
    probes, answers = os.pipe()
    pid = os.posix_spawn("/bin/true", ["true"], {})
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)  # until then it may hold what is open here
    return Child(pid, forker._exits.handle(pid), ours, probes, answers), theirs


def test_a_child_that_died_as_it_waited_is_passed_over(
    forker: Forker, link: tuple[socket.socket, socket.socket]
) -> None:
    """The server goes on with the next one: a pipe that nobody reads from ended it, and all that waited with it."""
    (dead, gone), (living, there) = confined(forker), confined(forker)
    gone.close()
    forker._spares = [dead, living]
    assert forker._offer_child() is living
    packet, descriptors = messages.receive_packet(link[1])
    assert packet["pid"] == living.pid
    for descriptor in descriptors:
        os.close(descriptor)
    there.close()
    living.forget()
    os.waitpid(living.pid, 0)
