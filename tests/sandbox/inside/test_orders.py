"""An order reaches a child piece by piece: no probe before the one before it is answered, and nobody waits for it."""

from __future__ import annotations

import contextlib
import json
import os
import socket
from collections.abc import Iterator

import pytest

from tdgen.sandbox.inside import messages
from tdgen.sandbox.inside.orders import Delivery, Order, unpacked

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
