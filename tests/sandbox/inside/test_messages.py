"""Frames and packets between the host and the inside.

Learning that a child has ended, by a descriptor of it and, where the kernel has none, by the signal. An order reaches
a child piece by piece: no probe before the one before it is answered, and nobody waits for it.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tdgen.sandbox.inside import messages
from tdgen.sandbox.inside.messages import Delivery, ExitWatcher, Order, unpacked


def test_a_frame_is_its_length_and_its_json() -> None:
    """Four bytes of length, then ASCII."""
    data = messages.frame({"é": [1]})
    (size,) = messages.HEADER.unpack(data[:4])
    assert size == len(data) - 4
    assert data.isascii() or size > 127
    assert json.loads(data[4:]) == {"é": [1]}


def test_a_frame_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything of it is written."""
    monkeypatch.setattr(messages, "MAX_FRAME", 10)
    with pytest.raises(messages.TooLarge):
        messages.frame("x" * 20)


def test_a_packet_carries_descriptors() -> None:
    """What arrives is another descriptor of the same file, closed by exec."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    reading, writing = os.pipe()
    with ours, theirs:
        messages.send_packet(ours, {"start": 1}, (writing,))
        content, (received,) = messages.receive_packet(theirs)
    messages.write_all(received, b"through")
    assert content == {"start": 1}
    assert os.read(reading, 100) == b"through"
    assert not os.get_inheritable(received)
    for fd in (reading, writing, received):
        os.close(fd)


def test_data_behind_its_length_comes_out_whole() -> None:
    """Though it is larger than what a socket holds, or empty; a cut one is an end."""
    ours, theirs = socket.socketpair()
    for data in (b"", b"x" * 3_000_000):
        with ThreadPoolExecutor(1) as pool:
            sent = pool.submit(ours.sendall, messages.sized(data))
            assert messages.take(theirs.fileno()) == data
            sent.result()
    ours.sendall(b"\0\0")
    ours.close()
    with theirs, pytest.raises(EOFError):
        messages.take(theirs.fileno())


def test_a_closed_link_is_an_end() -> None:
    """The other side's end is no empty packet."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.close()
    with theirs, pytest.raises(EOFError):
        messages.receive_packet(theirs)


@pytest.fixture(params=[True, False], ids=["by handle", "by signal"])
def made(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ExitWatcher]:
    """What tells of ends, with and without descriptors of processes; signals are as they were afterwards."""
    if request.param and not messages.by_handle():
        pytest.skip("this kernel gives no descriptors for processes")
    monkeypatch.setattr(messages, "by_handle", lambda: request.param)
    before = signal.getsignal(signal.SIGCHLD)
    found = ExitWatcher()
    yield found
    found.forget_all()
    signal.signal(signal.SIGCHLD, before)


def test_an_end_wakes_who_polls_and_is_told(made: ExitWatcher) -> None:
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


def test_the_end_of_another_child_is_no_end_of_this_one(made: ExitWatcher) -> None:
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


def test_a_child_is_told_of_nothing(made: ExitWatcher) -> None:
    """What its parent put up for signals is gone, so that code there finds an interpreter as it starts."""
    made.forget_all()
    assert signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL


ORDER = Order({"start": 0}, b"job", (b"one", b"two", b"three"))
ANSWER = messages.frame({"index": 0})


class Child:
    """What a child holds: the end of a socket and of a pipe."""

    def __init__(self) -> None:
        self.control, self.theirs = socket.socketpair()
        self.probes_in, self.probes = os.pipe()

    def sent(self, order: Order) -> Delivery:
        """An order on its way, whose request and job were read."""
        delivery = Delivery(self.control, self.probes, order)
        assert json.loads(messages.take(self.theirs.fileno())) == order.request
        assert messages.take(self.probes_in) == order.job
        return delivery

    def received(self) -> bytes:
        """All that has come so far."""
        os.set_blocking(self.probes_in, False)
        try:
            return os.read(self.probes_in, 1 << 20)
        except BlockingIOError:
            return b""


@pytest.fixture
def child() -> Iterator[Child]:
    """One that waits."""
    child = Child()
    with child.control, child.theirs:
        yield child
    os.close(child.probes)
    with contextlib.suppress(OSError):
        os.close(child.probes_in)


def test_the_first_probe_comes_with_the_job_and_no_other(child: Child) -> None:
    """What is not due is nowhere that a candidate could read it."""
    child.sent(ORDER)
    assert child.received() == messages.sized(b"one")


def test_probes_that_a_child_may_know_come_at_once(child: Child) -> None:
    """No answer is waited for."""
    delivery = child.sent(Order({"at_once": True}, b"job", ORDER.probes))
    assert child.received() == b"".join(map(messages.sized, ORDER.probes))
    delivery.answered(ANSWER)
    assert child.received() == b""


def test_each_answer_brings_the_next_probe(child: Child) -> None:
    """As soon as it has come whole, whatever pieces it came in; there is none after the last."""
    delivery = child.sent(ORDER)
    child.received()
    for place in range(len(ANSWER) - 1):
        delivery.answered(ANSWER[place : place + 1])
        assert child.received() == b""
    delivery.answered(ANSWER[-1:])
    assert child.received() == messages.sized(b"two")
    delivery.answered(ANSWER)
    assert child.received() == messages.sized(b"three")
    delivery.answered(ANSWER)
    assert child.received() == b""


def test_answers_that_nobody_asked_for_bring_nothing_more(child: Child) -> None:
    """Of many at once, one counts; an empty one counts as none."""
    delivery = child.sent(ORDER)
    child.received()
    delivery.answered(bytes(400))
    assert child.received() == b""
    delivery.answered(ANSWER * 50)
    assert child.received() == messages.sized(b"two")


def test_nobody_waits_for_a_child_that_reads_nothing(child: Child) -> None:
    """What it has no room for is sent when it has."""
    large = b"x" * 3_000_000
    delivery = Delivery(child.control, child.probes, Order({}, large))
    assert delivery.is_pending
    came = b""
    while delivery.is_pending:
        came += child.received()
        delivery.flush()
    assert came + child.received() == messages.sized(large)


def test_a_child_that_has_ended_is_sent_nothing(child: Child) -> None:
    """That is no error here: who reads its answers finds out."""
    os.close(child.probes_in)
    delivery = Delivery(child.control, child.probes, ORDER)
    delivery.answered(ANSWER)
    assert not delivery.is_pending


@pytest.mark.parametrize("order", [ORDER, Order({}, b""), Order({"a": 1}, b"x" * 100_000, (b"",))])
def test_an_order_can_travel_as_one_text(order: Order) -> None:
    """To where it is unpacked, beside its request."""
    assert unpacked(order.request, order.packed()) == order
