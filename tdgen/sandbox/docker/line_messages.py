"""What passes between the host and a broker on a pair of streams, where no descriptor can: a kind, a length, the bytes.

Both sides read this file. Standard library only, Python 3.9 and later: it runs inside.
"""

from __future__ import annotations

import struct

PACKET = 0
"""JSON: what the host and a server otherwise send each other as a packet."""
JOB = 1
"""To the inside: the text of the job that the next packet is about."""
ANSWER = 2
"""To the host: bytes that a child wrote."""
CLOSED = 3
"""To the host, empty: the child wrote all that it ever will."""

_HEADER = struct.Struct("!BI")


def wrap(kind: int, body: bytes = b"") -> bytes:
    """One message."""
    return _HEADER.pack(kind, len(body)) + body


def unwrap(buffer: bytearray) -> tuple[int, bytes] | None:
    """The first message of `buffer`, taken out of it; None while it isn't there as a whole."""
    if len(buffer) < _HEADER.size:
        return None
    kind, size = _HEADER.unpack_from(buffer)
    end = _HEADER.size + size
    if len(buffer) < end:
        return None
    body = bytes(buffer[_HEADER.size : end])
    del buffer[:end]
    return kind, body
