"""Messages between the host and the inside: data behind its length on a stream, and packets that carry descriptors.

Both sides read this file. Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import array
import json
import os
import socket
import struct
from typing import Any

HEADER = struct.Struct("=I")
MAX_FRAME = 8 * 1024 * 1024
_MAX_PACKET = 65536
_MAX_DESCRIPTORS = 4

_dump = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
_write, _pack = os.write, HEADER.pack


class TooLarge(Exception):
    """A frame would be larger than MAX_FRAME."""


def frame(content: Any) -> bytes:
    """`content` as one frame. TooLarge, and whatever JSON refuses (ValueError, RecursionError)."""
    body = _dump(content).encode("ascii")
    if len(body) > MAX_FRAME:
        raise TooLarge(len(body))
    return _pack(len(body)) + body


def write_all(fd: int, data: bytes) -> None:
    """Write all of `data`, however often the pipe is full."""
    view = memoryview(data)
    while view:
        view = view[_write(fd, view) :]


def order(request: Any, job: bytes) -> bytes:
    """What a waiting child is to do: a small request as JSON, and a job's text, each behind its length."""
    said = _dump(request).encode("ascii")
    return b"".join((_pack(len(said)), said, _pack(len(job)), job))


def take(link: socket.socket) -> bytes:
    """The next data behind its length on a stream; EOFError when the other side is gone."""
    return _exactly(link, HEADER.unpack(_exactly(link, HEADER.size))[0])


def _exactly(link: socket.socket, size: int) -> bytes:
    """The next `size` bytes."""
    data = link.recv(size, socket.MSG_WAITALL) if size else b""
    while len(data) < size:
        more = link.recv(size - len(data), socket.MSG_WAITALL)
        if not more:
            raise EOFError("the other side is gone")
        data += more
    return data


def send_packet(link: socket.socket, content: Any, descriptors: tuple[int, ...] = ()) -> None:
    """Send one packet of small JSON with open file descriptors."""
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
    link.sendmsg([json.dumps(content).encode("ascii")], rights)


def receive_packet(link: socket.socket) -> tuple[Any, list[int]]:
    """The next packet and its descriptors (not inherited by exec); EOFError when the other side is gone."""
    size = array.array("i").itemsize
    flags = socket.MSG_CMSG_CLOEXEC
    body, rights, _, _ = link.recvmsg(_MAX_PACKET, socket.CMSG_SPACE(_MAX_DESCRIPTORS * size), flags)
    descriptors = array.array("i")
    for level, kind, data in rights:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            descriptors.frombytes(data[: len(data) - len(data) % size])
    if not body:
        raise EOFError("the other side is gone")
    return json.loads(body), list(descriptors)
