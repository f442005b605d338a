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
_read, _write, _pack = os.read, os.write, HEADER.pack


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


def sized(data: bytes) -> bytes:
    """`data` behind its length."""
    return _pack(len(data)) + data


def take(fd: int) -> bytes:
    """The next data behind its length on a stream; EOFError when the other side is gone."""
    return _exactly(fd, HEADER.unpack(_exactly(fd, HEADER.size))[0])


def _exactly(fd: int, size: int) -> bytes:
    """The next `size` bytes."""
    data = _read(fd, size) if size else b""
    if len(data) == size:
        return data
    parts, missing = [data], size - len(data)
    while missing:
        if not parts[-1]:
            raise EOFError("the other side is gone")
        parts.append(_read(fd, missing))
        missing -= len(parts[-1])
    return b"".join(parts)


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
