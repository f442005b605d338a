"""The hosts that a user opens by name, and connecting to them: from this process, never from inside.

A name is resolved here, and what it resolves to must be a public address: a name could lead to this machine or to its
neighbours otherwise, whoever runs that name's server. A host in a private network is opened by its address.
"""

from __future__ import annotations

import errno
import ipaddress
import re
import socket
import time
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from tdgen.errors import InputError

PORTS: Final = (443, 80)
_LABEL: Final = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_DIAL_S: Final = 10.0
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Host(NamedTuple):
    """A host's name or address, and the ports that may be connected to."""

    name: str
    ports: tuple[int, ...] = PORTS

    def __str__(self) -> str:
        """As it may be given."""
        name = f"[{self.name}]" if ":" in self.name else self.name
        return name if self.ports == PORTS else f"{name}:{self.ports[0]}"


class Undialled(Exception):
    """Why there is no connection: an error of the system's, by its number (0 where the name is unknown)."""

    def __init__(self, number: int, said: str) -> None:
        super().__init__(said)
        self.number, self.said = number, said


def read_hosts(texts: Iterable[str]) -> tuple[Host, ...]:
    """Each HOST or HOST:PORT (without a port: 443 and 80). InputError for what is neither."""
    return tuple(dict.fromkeys(_read(text) for text in texts))


def _read(text: str) -> Host:
    wrong = f"--allow-net {text}: that is no host: name one such as example.org, example.org:8080 or 10.0.0.5"
    name, port = _parted(text.strip())
    if port and not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise InputError(wrong)
    ports = (int(port),) if port else PORTS
    if address := _address(name):
        return Host(str(address), ports)
    try:
        name = name.encode("idna").decode("ascii").lower().rstrip(".")
    except UnicodeError:
        raise InputError(wrong) from None
    if not _NAME.fullmatch(name) or len(name) > 253 or name.replace(".", "").isdigit():
        raise InputError(wrong)
    return Host(name, ports)


def _parted(text: str) -> tuple[str, str]:
    """Name and port (or nothing): an IPv6 address has its own colons, and brackets around it where a port follows."""
    if match := re.fullmatch(r"\[([^\]]*)\](?::(.*))?", text):
        return match[1], match[2] or ""
    if text.count(":") > 1:
        return text, ""
    name, _, port = text.partition(":")
    return name, port


def _address(text: str) -> _Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def dial(hosts: Sequence[Host], name: str, port: int, seconds: float = _DIAL_S) -> socket.socket:
    """A connection to one of `hosts`, and to nothing else. Undialled where there is none, in words for the inside."""
    wanted = str(_address(name) or name.lower().rstrip("."))
    if not any(host.name == wanted and port in host.ports for host in hosts):
        opened = ", ".join(map(str, hosts))
        raise Undialled(errno.EPERM, f"{name}:{port} is not opened: the sandbox opens only {opened}")
    deadline = time.monotonic() + min(seconds, _DIAL_S)
    last = Undialled(errno.EHOSTUNREACH, f"{name} has no address that can be connected to")
    for address in _addresses(wanted, port):
        try:
            return socket.create_connection((address, port), max(0.1, deadline - time.monotonic()))
        except TimeoutError:
            last = Undialled(errno.ETIMEDOUT, f"no answer from {name}:{port}")
        except OSError as error:
            last = Undialled(error.errno or errno.EHOSTUNREACH, f"{name}:{port}: {error.strerror}")
    raise last


def _addresses(name: str, port: int) -> list[str]:
    """Where that host is; Undialled where nobody knows, or it is no place for a name to lead to."""
    if _address(name):
        return [name]
    try:
        found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    except OSError:
        raise Undialled(0, f"{name} is not known on this machine either") from None
    addresses = list(dict.fromkeys(str(place[0]) for *_, place in found))
    if name == "localhost":
        return addresses
    public = [address for address in addresses if is_public(address)]
    if addresses and not public:
        said = f"{name} leads to {addresses[0]}, which is private: to open that, name the address itself"
        raise Undialled(errno.EPERM, said)
    return public


def is_public(text: str) -> bool:
    """Whether an address is one of the internet's: not this machine's, its network's, or a cloud's own."""
    address = _address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address.sixtofour or address
    return address is not None and address.is_global and not address.is_multicast
