"""A line to a program in a container: docker's attached stream, taken apart into the program's output and parcels.

Docker cuts what a program writes into pieces, each behind eight bytes that tell the stream (1 output, 2 errors) and
the size (https://docs.docker.com/reference/api/engine/, "Attach to a container").
"""

from __future__ import annotations

import contextlib
import socket
import struct
import time
from typing import Any

from tdgen.sandbox.inside import parcels

_PIECE = struct.Struct("!BxxxI")
_CHUNK = 1 << 18
_SEND_S = 20.0
_KEPT = 4096


class Line:
    """Both directions of an attached stream. Every method may raise OSError, and reading EOFError at the end."""

    def __init__(self, stream: Any) -> None:
        """`stream` is what the docker SDK calls a socket, which may hide the real one."""
        self._stream = stream
        self._socket = getattr(stream, "_sock", stream)
        self._response = getattr(stream, "_response", None)
        self._raw, self._output, self._errors = bytearray(), bytearray(), bytearray()

    def send(self, data: bytes) -> None:
        """Send all of `data`."""
        self._socket.settimeout(_SEND_S)
        self._socket.sendall(data)

    def parcel(self, seconds: float) -> tuple[int, bytes] | None:
        """The next parcel, or None where it does not come within so many seconds."""
        deadline = time.monotonic() + seconds
        while True:
            parcel = parcels.unwrap(self._output)
            if parcel is not None:
                return parcel
            if not self._hear(deadline - time.monotonic()):
                return None

    def text(self, seconds: float) -> str | None:
        """The next line of text, or None where it does not come within so many seconds."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self._output:
            if not self._hear(deadline - time.monotonic()):
                return None
        line, _, rest = self._output.partition(b"\n")
        self._output = rest
        return line.decode("utf-8", "replace")

    def has_ended(self, seconds: float) -> bool:
        """Whether the program's end is seen within so many seconds."""
        deadline = time.monotonic() + seconds
        try:
            while self._hear(deadline - time.monotonic()):
                pass
        except (EOFError, OSError):
            return True
        return False

    def _hear(self, seconds: float) -> bool:
        """Take what comes within so many seconds; whether anything did."""
        if seconds <= 0:
            return False
        self._socket.settimeout(seconds)
        try:
            data = self._socket.recv(_CHUNK)
        except TimeoutError:
            return False
        if not data:
            raise EOFError("the program in the container ended")
        self._raw += data
        self._take_apart()
        return True

    def _take_apart(self) -> None:
        """Move whole pieces to where they belong."""
        while len(self._raw) >= _PIECE.size:
            stream, size = _PIECE.unpack_from(self._raw)
            end = _PIECE.size + size
            if len(self._raw) < end:
                return
            (self._errors if stream == 2 else self._output).extend(self._raw[_PIECE.size : end])
            del self._raw[:end]
        del self._errors[:-_KEPT]

    def last_words(self) -> str:
        """The last line that the program wrote to its error stream."""
        lines = self._errors.decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    def end_input(self) -> None:
        """Have the program read the end of its input; what it still says can be heard."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    def cut(self) -> None:
        """End it from another thread: whoever waits sees the end."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End it: the program reads the end of its input. Closing twice is allowed."""
        self.cut()
        with contextlib.suppress(OSError):
            if self._response is not None:  # first, or its finalizer finds the stream closed and complains
                self._response.close()
            self._stream.close()
            self._socket.close()
