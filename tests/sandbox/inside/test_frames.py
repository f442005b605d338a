"""Frames and packets between the host and the inside."""

from __future__ import annotations

import json
import os
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest

from tdgen.sandbox.inside import frames


def test_a_frame_is_its_length_and_its_json() -> None:
    """Four bytes of length, then ASCII."""
    data = frames.frame({"é": [1]})
    (size,) = frames.HEADER.unpack(data[:4])
    assert size == len(data) - 4
    assert data.isascii() or size > 127
    assert json.loads(data[4:]) == {"é": [1]}


def test_a_frame_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything of it is written."""
    monkeypatch.setattr(frames, "MAX_FRAME", 10)
    with pytest.raises(frames.TooLarge):
        frames.frame("x" * 20)


def test_a_packet_carries_descriptors() -> None:
    """What arrives is another descriptor of the same file, closed by exec."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    reading, writing = os.pipe()
    with ours, theirs:
        frames.send_packet(ours, {"start": 1}, (writing,))
        content, (received,) = frames.receive_packet(theirs)
    frames.write_all(received, b"through")
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
            sent = pool.submit(ours.sendall, frames.sized(data))
            assert frames.take(theirs.fileno()) == data
            sent.result()
    ours.sendall(b"\0\0")
    ours.close()
    with theirs, pytest.raises(EOFError):
        frames.take(theirs.fileno())


def test_a_closed_link_is_an_end() -> None:
    """The other side's end is no empty packet."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.close()
    with theirs, pytest.raises(EOFError):
        frames.receive_packet(theirs)
