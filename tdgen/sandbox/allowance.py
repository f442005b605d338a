"""How much a job's children may tell in all: what this process holds of a job does not grow with its probes.

JSON takes up to thirty times its own size when it is read: an empty list is three characters and 64 bytes. So
what counts is an estimate of what a frame will take, made before it is read.
"""

from __future__ import annotations

WHOLE = 128 * 1024 * 1024
"""Bytes for all that is told of one job: what two of the largest values take, or sixteen of the largest texts."""
_VALUE, _ITEM = 64, 128
"""What a value takes besides its characters in CPython, and what an object's item takes more."""


class Allowance:
    """What is left (`room`) of the bytes that one job's children may have this process take, of `whole` at first."""

    def __init__(self, whole: int = WHOLE) -> None:
        self.whole = self.room = whole

    def cost(self, body: bytes) -> int:
        """The bytes that a frame takes when it is read, roughly; of one that takes too much, more than `whole`."""
        plain = body.replace(rb"\\", b"").replace(rb"\"", b"")
        texts = _VALUE * (plain.count(b'"') // 2)
        if texts > self.whole // 2:
            return len(body) + 2 * texts
        marks = b"".join(plain.split(b'"')[::2])
        return len(body) + _VALUE * _count(marks, b",[{") + _ITEM * _count(marks, b":")


def _count(text: bytes, wanted: bytes) -> int:
    """How many bytes of `text` are among `wanted`: where most are, `bytes.count` takes ten times as long."""
    return len(text) - len(text.translate(None, wanted))
