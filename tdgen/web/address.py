"""Where the service listens, and who may reach it: what can't be is said in one line before anything is served."""

from __future__ import annotations

import errno
import socket
from pathlib import Path
from typing import Final, NamedTuple

from tdgen.errors import InputError
from tdgen.web.guard import is_loopback

SHORTEST_TOKEN: Final = 16


class Address(NamedTuple):
    """Where to listen, and under which further names; `token` is what callers must have."""

    host: str = "127.0.0.1"
    port: int = 8137
    token: str = ""
    names: tuple[str, ...] = ()


def check(address: Address) -> None:
    """InputError where others could reach it without a token, or guess that."""
    if address.token and len(address.token) < SHORTEST_TOKEN:
        raise InputError(f"the token is too short to be safe: give {SHORTEST_TOKEN} characters at the least")
    if not address.token.isascii() or any(c.isspace() for c in address.token):
        raise InputError("the token must be of ASCII characters without spaces: it travels in a header")
    if not address.token and not is_loopback(address.host):
        raise InputError(f"{address.host} can be reached by others: add --token TOKEN, or leave --host at 127.0.0.1")


def read_token(path: Path) -> str:
    """The token in a file; InputError where there is none."""
    try:
        token = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise InputError(f"the token's file {path} can't be read: {why}") from None
    if not token:
        raise InputError(f"the token's file {path} is empty: write the token in it")
    return token


def listening(address: Address) -> socket.socket:
    """A socket that listens there; InputError where that can't be."""
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, OverflowError, UnicodeError):
        raise InputError(f"{address.host} is no address of this machine: give one to --host") from None
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(where)
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise InputError(_why(error, address)) from None
    return listener


def _why(error: OSError, address: Address) -> str:
    place = f"port {address.port} on {address.host}"
    if error.errno == errno.EADDRINUSE:
        return f"{place} is taken: end what listens there, or choose another with --port (0 takes a free one)"
    if error.errno == errno.EACCES:
        return f"{place} needs rights that you don't have: choose one above 1023 with --port"
    return f"{place} can't be listened at: {error.strerror}"
