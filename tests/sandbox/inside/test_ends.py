"""Learning that a child has ended, by a descriptor of it and, where the kernel has none, by the signal."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from collections.abc import Iterator

import pytest

from tdgen.sandbox.inside import ends
from tdgen.sandbox.inside.ends import Ends


@pytest.fixture(params=[True, False], ids=["by handle", "by signal"])
def made(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ends]:
    """What tells of ends, with and without descriptors of processes; signals are as they were afterwards."""
    if request.param and not ends.by_handle():
        pytest.skip("this kernel gives no descriptors for processes")
    monkeypatch.setattr(ends, "by_handle", lambda: request.param)
    before = signal.getsignal(signal.SIGCHLD)
    found = Ends()
    yield found
    found.forget_all()
    signal.signal(signal.SIGCHLD, before)


def test_an_end_wakes_who_polls_and_is_told(made: Ends) -> None:
    """The child stays to be waited for."""
    child = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    handle = made.handle(child.pid)
    poll = select.poll()
    poll.register(made.fd(handle), select.POLLIN)
    assert not made.has_ended(child.pid)
    assert poll.poll(50) == []
    assert child.stdin
    child.stdin.close()
    assert poll.poll(10_000)
    assert made.has_ended(child.pid)
    made.forget(handle)
    assert os.waitpid(child.pid, 0)[0] == child.pid
    child.returncode = 0


def test_the_end_of_another_child_is_no_end_of_this_one(made: Ends) -> None:
    """By the signal one is woken for nothing, and asks again; an end that was slept over is still told."""
    first, second = (subprocess.Popen(["cat"], stdin=subprocess.PIPE) for _ in range(2))
    handle = made.handle(second.pid)
    first.communicate()
    assert second.stdin
    assert not made.has_ended(second.pid)
    second.kill()
    poll = select.poll()
    poll.register(made.fd(handle), select.POLLIN)
    assert poll.poll(10_000)
    assert made.has_ended(second.pid)
    assert made.has_ended(second.pid)
    made.forget(handle)
    second.communicate()


def test_a_child_is_told_of_nothing(made: Ends) -> None:
    """What its parent put up for signals is gone, so that code there finds an interpreter as it starts."""
    made.forget_all()
    assert signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL
