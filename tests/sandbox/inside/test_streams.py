"""Many streams over one line: whole, each at its own pace, ended one by one."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from tdgen.sandbox.inside.parcels import unwrap
from tdgen.sandbox.inside.streams import Streams, opened, parcel


class Pair:
    """Both sides of a line in one process; what one says the other takes at once."""

    def __init__(self) -> None:
        self.ends: list[socket.socket] = []
        self.here: Streams = Streams(lambda *told: self._carry(self.there, *told))
        self.there: Streams = Streams(lambda *told: self._carry(self.here, *told))

    def _carry(self, side: Streams, kind: int, number: int, body: bytes) -> None:
        found = unwrap(bytearray(parcel(kind, number, body)))
        assert found is not None
        side.take(found[0], *opened(found[1]))

    def stream(self, number: int) -> tuple[socket.socket, socket.socket]:
        """What lies at both ends of a new stream."""
        ends: list[socket.socket] = []
        for side in (self.here, self.there):
            mine, its = socket.socketpair()
            side.begin(number, its, lambda: None)
            mine.settimeout(10)
            ends.append(mine)
        self.ends += ends
        return ends[0], ends[1]


@pytest.fixture
def pair() -> Iterator[Pair]:
    """Two sides, cut at the end."""
    made = Pair()
    yield made
    made.here.cut()
    made.there.cut()
    for end in made.ends:
        end.close()
    assert is_soon(lambda: not len(made.here) and not len(made.there))


def is_soon(state: Callable[[], bool]) -> bool:
    """Whether `state` comes to be within ten seconds."""
    end = time.monotonic() + 10
    while not state() and time.monotonic() < end:
        time.sleep(0.01)
    return state()


def read(end: socket.socket) -> bytes:
    """All that comes until the end."""
    data = b""
    while piece := end.recv(65536):
        data += piece
    return data


def test_bytes_come_whole_and_in_order(pair: Pair) -> None:
    """More of them than fit anywhere on their way."""
    one, other = pair.stream(1)
    sent = bytes(range(256)) * 10_000
    threading.Thread(target=lambda: (one.sendall(sent), one.shutdown(socket.SHUT_WR))).start()
    assert read(other) == sent


def test_one_direction_may_end_before_the_other(pair: Pair) -> None:
    """As when a question ends before its answer comes."""
    one, other = pair.stream(1)
    one.sendall(b"question")
    one.shutdown(socket.SHUT_WR)
    assert read(other) == b"question"
    other.sendall(b"answer")
    other.close()
    assert read(one) == b"answer"


def test_a_stream_that_nobody_reads_stops_no_other(pair: Pair) -> None:
    """It waits for leave, and holds no more than a bounded part of what is to come."""
    stuck, unread = pair.stream(1)
    stuck.settimeout(0.5)
    with pytest.raises(TimeoutError):
        stuck.sendall(b"x" * 50_000_000)
    one, other = pair.stream(2)
    one.sendall(b"hello")
    assert other.recv(100) == b"hello"
    assert unread.recv(1) == b"x"


def test_ended_streams_are_forgotten(pair: Pair) -> None:
    """On both sides."""
    for number in range(20):
        one, other = pair.stream(number)
        one.close()
        other.close()
    assert is_soon(lambda: not len(pair.here) and not len(pair.there))


def test_cutting_one_leaves_the_others(pair: Pair) -> None:
    """Both of its ends see it."""
    one, other = pair.stream(1)
    kept, its = pair.stream(2)
    pair.here.cut(1)
    assert one.recv(1) == b""
    assert other.recv(1) == b""
    kept.sendall(b"y")
    assert its.recv(1) == b"y"


def test_what_is_said_of_no_stream_is_passed_over(pair: Pair) -> None:
    """The other side may not know yet that it ended."""
    pair.here.take(13, 99, b"late")
