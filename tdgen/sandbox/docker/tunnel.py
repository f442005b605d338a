"""This machine's side of a gate: it connects to the hosts that are opened, for children that have no network."""

from __future__ import annotations

import contextlib
import errno
import json
import threading
from collections.abc import Sequence
from typing import Any

from tdgen.errors import SandboxError
from tdgen.sandbox.docker.line import Line
from tdgen.sandbox.hosts import Host, Undialled
from tdgen.sandbox.inside import streams
from tdgen.sandbox.relay import MOST, connected

_START_S, _LONG_S = 20.0, 3600.0


class Tunnel:
    """Carries streams between a gate, at the other end of `line`, and `hosts`. SandboxError where it does not start."""

    def __init__(self, line: Line, hosts: Sequence[Host]) -> None:
        self._line, self._hosts = line, hosts
        self._lock = threading.Lock()
        self._streams = streams.Streams(self._say)
        try:
            hello = line.parcel(_START_S)
        except (EOFError, OSError):
            hello = None
        if hello is None:
            line.close()
            raise SandboxError(f"the sandbox's gate does not start: {line.last_words()}")
        threading.Thread(target=self._serve, name="tdgen-tunnel", daemon=True).start()

    def _say(self, kind: int, number: int, body: bytes) -> None:
        with self._lock:
            self._line.send(streams.parcel(kind, number, body))

    def _serve(self) -> None:
        """Take what the gate says until it is gone; what was connected for it ends then."""
        with contextlib.suppress(EOFError, OSError):
            while True:
                parcel = self._line.parcel(_LONG_S)
                if parcel is not None:
                    self._take(parcel[0], *streams.opened(parcel[1]))
        self._streams.cut()

    def _take(self, kind: int, number: int, body: bytes) -> None:
        if kind == streams.ASK:
            threading.Thread(target=self._connect, args=(number, body), name="tdgen-tunnel-ask", daemon=True).start()
        else:
            self._streams.take(kind, number, body)

    def _connect(self, number: int, question: bytes) -> None:
        with contextlib.suppress(OSError):
            try:
                if len(self._streams) >= MOST:
                    raise Undialled(errno.EMFILE, f"more than {MOST} connections at once")
                connection, peer = connected(self._hosts, question)
            except Undialled as error:
                self._tell(streams.FAILED, number, {"errno": error.number, "said": error.said})
                return
            self._streams.begin(number, connection, lambda: self._tell(streams.MADE, number, {"peer": peer}))

    def _tell(self, kind: int, number: int, content: dict[str, Any]) -> None:
        self._say(kind, number, json.dumps(content).encode("ascii"))

    def close(self) -> None:
        """End it, and all that is connected."""
        self._line.cut()
        self._streams.cut()
        self._line.close()
