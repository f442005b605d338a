"""The hosts that the user opened, as Python's `socket` module shows them to a candidate that may open no socket.

The child holds one line to a relay. A socket that it makes is one end of a pair, and connecting swaps in the end of
another pair, which the relay carries to the host. What only looks like the network here holds nothing in: the filter
of system calls keeps refusing every real socket, and the relay connects to what was opened and to nothing else.
Names are not resolved inside: each has an address of its own that means nothing elsewhere (RFC 2544's range).
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import threading
from typing import Any

from tdgen.sandbox.inside import frames

_RANGE = "198.18.0."
_SERVICES = {"http": 80, "https": 443}
_LONGEST_S = 10.0
_BASE = socket.socket
_INTERNET = (socket.AF_INET, socket.AF_INET6)
_resolve, _pair = socket.getaddrinfo, socket.socketpair


class Line:
    """The line to the relay, and the names that it connects to."""

    def __init__(self, descriptor: int, hosts: list[str]) -> None:
        self._link = _BASE(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, descriptor)
        self._lock = threading.Lock()
        self.opened = ", ".join(hosts)
        names = [name for name in dict.fromkeys(hosts) if not is_address(name)]
        self.places = {name: f"{_RANGE}{place}" for place, name in enumerate(names, 1)}
        self._names = {place: name for name, place in self.places.items()}

    def connect(self, host: str, port: int, seconds: float) -> tuple[int, tuple[str, int]]:
        """A descriptor that leads to that host, and the address it has out there."""
        asked = {"host": self._names.get(host, host), "port": port, "seconds": seconds}
        with self._lock:
            self._link.send(json.dumps(asked).encode("ascii"))
            answer, descriptors = frames.receive_packet(self._link)
        if "peer" in answer:
            return descriptors[0], (answer["peer"][0], answer["peer"][1])
        if not answer["errno"]:
            raise socket.gaierror(socket.EAI_NONAME, answer["said"])
        raise OSError(answer["errno"], answer["said"])


class Socket(_BASE):
    """A stream socket that is connected by the relay; every other kind is refused as ever."""

    line: Line
    _peer: Any = None

    def __init__(self, family: int = -1, type: int = -1, proto: int = -1, fileno: Any = None) -> None:  # noqa: A002
        """As of any socket. What is not connected yet is one end of a pair whose other end is closed."""
        if fileno is None and family in (-1, *_INTERNET) and type in (-1, socket.SOCK_STREAM):
            kept, _ = _pair()
            family = socket.AF_INET if family == -1 else family
            type, proto, fileno = socket.SOCK_STREAM, max(proto, 0), kept.detach()  # noqa: A001
        super().__init__(family, type, proto, fileno)

    def connect(self, address: Any) -> None:
        """To a host that is opened; PermissionError for any other."""
        if self.family not in _INTERNET:
            super().connect(address)
            return
        timeout = self.gettimeout()
        found, self._peer = self.line.connect(_text(address[0]), int(address[1]), timeout or _LONGEST_S)
        os.dup2(found, self.fileno(), inheritable=False)
        os.close(found)
        self.settimeout(timeout)

    def connect_ex(self, address: Any) -> int:
        """The same, with an error's number in place of the error."""
        try:
            self.connect(address)
        except OSError as error:
            return error.errno or errno.EHOSTUNREACH
        return 0

    def getpeername(self) -> Any:
        """The address that the host has out there."""
        return self._peer or super().getpeername()

    def getsockname(self) -> Any:
        """Nobody's address: what this end has is the relay's affair."""
        return ("0.0.0.0", 0) if self._peer else super().getsockname()  # noqa: S104

    def setsockopt(self, level: int, *rest: Any) -> None:
        """What is said of TCP is passed over, as there is none on this side."""
        if level == socket.SOL_SOCKET:
            super().setsockopt(level, *rest)

    def getsockopt(self, level: int, *rest: Any) -> Any:
        """The same."""
        return super().getsockopt(level, *rest) if level == socket.SOL_SOCKET else 0

    def sendmsg(self, buffers: Any, ancdata: Any = (), flags: int = 0, address: Any = None) -> int:
        """All buffers in one; descriptors can't be sent."""
        return self.send(b"".join(buffers), flags)


def open_hosts(descriptor: int, hosts: list[str]) -> None:
    """Let this process connect to `hosts` by the line at that descriptor, through the module `socket` alone."""
    line = Line(descriptor, hosts)
    Socket.line = line
    Socket.__name__, Socket.__qualname__, Socket.__module__ = "socket", "socket", "socket"
    socket.socket = Socket  # type: ignore[misc]
    _open_names(line)


def _open_names(line: Line) -> None:
    """Have the names that are opened found."""

    def getaddrinfo(host: Any, port: Any, family: int = 0, type: int = 0, proto: int = 0, flags: int = 0) -> Any:  # noqa: A002
        name = _text(host).lower().rstrip(".") if host is not None else ""
        if not name or is_address(name):
            return _resolve(host, port, family, type, proto, flags | socket.AI_NUMERICHOST)
        return _resolve(gethostbyname(name), _service(port), family, type, proto, socket.AI_NUMERICHOST)

    def gethostbyname(host: Any) -> str:
        name = _text(host).lower().rstrip(".")
        if is_address(name):
            return name
        if name not in line.places:
            said = f"{name} is not opened: the sandbox opens only {line.opened}"
            raise socket.gaierror(socket.EAI_NONAME, said)
        return line.places[name]

    socket.getaddrinfo = getaddrinfo
    socket.gethostbyname = gethostbyname
    socket.gethostbyname_ex = lambda host: (_text(host), [], [gethostbyname(host)])


def _service(port: Any) -> Any:
    return _SERVICES.get(port, port)


def _text(host: Any) -> str:
    """A host as it may be given: text, or bytes."""
    return host.decode("ascii") if isinstance(host, (bytes, bytearray)) else str(host).encode("idna").decode("ascii")


def is_address(name: str) -> bool:
    """Whether that is an address rather than a name."""
    for family in _INTERNET:
        try:
            socket.inet_pton(family, name)
        except OSError:
            continue
        return True
    return False
