"""Docker's attached stream taken apart, without a daemon: a pair of sockets plays its part."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator

import pytest

from tdgen.sandbox.docker import line_messages
from tdgen.sandbox.docker.container import Line


def piece(stream: int, data: bytes) -> bytes:
    """What docker makes of `data` on that stream of a program."""
    return struct.pack("!BxxxI", stream, len(data)) + data


@pytest.fixture
def ends() -> Iterator[tuple[Line, socket.socket]]:
    """A line, and docker's end of it."""
    ours, theirs = socket.socketpair()
    line = Line(ours)
    with theirs:
        yield line, theirs
    line.close()


def test_messages_come_whole_however_docker_cuts_them(ends: tuple[Line, socket.socket]) -> None:
    """A message over three pieces, one of them cut in two on its way, and the next message right behind."""
    line, docker = ends
    text = line_messages.wrap(line_messages.ANSWER, b"abcdef") + line_messages.wrap(line_messages.CLOSED)
    cut = piece(1, text[:3]) + piece(1, text[3:8]) + piece(1, text[8:])
    docker.sendall(cut[:15])
    assert line.message(0.01) is None
    docker.sendall(cut[15:])
    assert line.message(5) == (line_messages.ANSWER, b"abcdef")
    assert line.message(5) == (line_messages.CLOSED, b"")
    assert line.message(0.01) is None


def test_errors_are_kept_apart(ends: tuple[Line, socket.socket]) -> None:
    """What goes to the error stream is no part of a message; its last line tells why a program ended."""
    line, docker = ends
    text = line_messages.wrap(line_messages.PACKET, b"{}")
    docker.sendall(piece(1, text[:4]) + piece(2, b"Traceback\nKeyError: 'x'\n") + piece(1, text[4:]))
    assert line.message(5) == (line_messages.PACKET, b"{}")
    assert line.last_words() == "KeyError: 'x'"


def test_a_silent_program_said_nothing(ends: tuple[Line, socket.socket]) -> None:
    """There is always something to show."""
    assert ends[0].last_words() == "it said nothing"


def test_a_line_of_text(ends: tuple[Line, socket.socket]) -> None:
    """Up to the line's end, which may come late."""
    line, docker = ends
    docker.sendall(piece(1, b"one"))
    assert line.text(0.01) is None
    docker.sendall(piece(1, b" two\nthree"))
    assert line.text(5) == "one two"


def test_the_end_is_noticed(ends: tuple[Line, socket.socket]) -> None:
    """A program that ended is told from one that is silent."""
    line, docker = ends
    assert not line.has_ended(0.01)
    docker.close()
    assert line.has_ended(5)
    with pytest.raises(EOFError):
        line.message(5)


def test_what_is_sent_arrives_as_it_is(ends: tuple[Line, socket.socket]) -> None:
    """Docker hands a program's input on without any frame."""
    line, docker = ends
    line.send(b"bytes")
    assert docker.recv(16) == b"bytes"
