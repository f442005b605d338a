"""What stands before every request: who may ask, from where, and how much; and what every answer forbids a browser.

A page of somebody else's in the user's browser can reach a port on this machine. It can't read an answer (no CORS), but
it could post, or have its own name lead here (DNS rebinding). So the Host must be an address or a name that was
allowed, an Origin must be this very service, and beyond the loopback every call needs the token.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from tdgen.web.callers import ANYBODY, Caller, with_token

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BYTES: Final = 1_000_000
BODY_WITHIN_S: Final = 20.0
COOKIE: Final = "tdgen"
CALLER: Final = "tdgen.caller"
"""Where a request's scope has who it is of."""
PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
REFUSALS: Final = {
    400: "the request was cut off, or its body can't be read",
    401: "the token is missing or wrong",
    403: "a page of another origin asks",
    408: "the request took too long",
    413: "the request is too large",
    421: "the service is not known by that host's name",
}
"""The statuses with which any request may be refused, and why."""
_OPEN: Final = ("/", "/static/", "/session", "/healthz")


class Refused(Exception):
    """Why a request is not answered, and with which status."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Rules(NamedTuple):
    """Who may ask: the `callers` (anybody where there are none), of a host that is an address or in `hosts`."""

    callers: tuple[Caller, ...] = ()
    hosts: frozenset[str] = frozenset()


class Guard:
    """An ASGI application behind its rules."""

    def __init__(self, app: App, rules: Rules) -> None:
        self._app = app
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or say in one line why not."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        answer = _with_headers(send)
        try:
            _check_host(headers.get("host", ""), self._rules.hosts)
            origin = headers.get("origin")  # a browser names the page that asks: it must be our own
            if origin is not None and urlsplit(origin).netloc.lower() != headers.get("host", "").lower():
                raise Refused(403, "pages of other origins may not use this service")
            if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
                raise Refused(403, "pages of other sites may not use this service")
            scope[CALLER] = self._caller(scope, headers)
            body = await _body(scope, headers, receive)
        except Refused as refused:
            await _refuse(answer, refused)
            return
        await self._app(scope, _given(body, receive), answer)

    def _caller(self, scope: Scope, headers: dict[str, str]) -> Caller:
        callers = self._rules.callers
        # Open is what holds no secret: the page itself, which asks for the token where it needs one.
        if not callers or scope["path"] in _OPEN or scope["path"].startswith("/static/"):
            return ANYBODY
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        caller = with_token(callers, bearer.strip()) if scheme.lower() == "bearer" else None
        if caller is None:
            with suppress(CookieError):
                cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
                caller = with_token(callers, cookie.value, as_session=True) if cookie else None
        if caller is None:
            raise Refused(401, "this service needs its token: send `Authorization: Bearer TOKEN`")
        return caller


def caller_of(scope: Mapping[str, Any]) -> Caller:
    """Who a request that was let through is of."""
    caller: Caller = scope.get(CALLER, ANYBODY)
    return caller


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches that address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _check_host(host: str, allowed: Iterable[str]) -> None:
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        name = ""
    if name == "localhost" or name in allowed:
        return
    with suppress(ValueError):
        ipaddress.ip_address(name)
        return
    raise Refused(421, f"this service is not known as {name[:100]!r}: start it with --allow-host {name[:100]}")


async def _body(scope: Scope, headers: dict[str, str], receive: Receive) -> bytes:
    """The whole body, where it is not too large and comes in time."""
    if scope["method"] in ("GET", "HEAD"):
        return b""
    length = headers.get("content-length", "0")
    if length.isdecimal() and int(length) > MOST_BYTES:
        raise Refused(413, f"a request may have {MOST_BYTES:,} bytes at most")
    try:
        return await asyncio.wait_for(_read(receive), BODY_WITHIN_S)
    except TimeoutError:
        raise Refused(408, f"the request was not complete within {BODY_WITHIN_S:g} seconds") from None


async def _read(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Refused(400, "the request was cut off")
        body += message.get("body", b"")
        if len(body) > MOST_BYTES:
            raise Refused(413, f"a request may have {MOST_BYTES:,} bytes at most")
        if not message.get("more_body"):
            return bytes(body)


def _given(body: bytes, receive: Receive) -> Receive:
    """The body that was read, then whatever comes after it."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return waiting.pop() if waiting else await receive()

    return next_message


def _with_headers(send: Send) -> Send:
    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message["headers"]}
            added = [(n.encode(), v.encode()) for n, v in _HEADERS.items() if n.encode() not in given]
            message = {**message, "headers": [*message["headers"], *added]}
        await send(message)

    return answer


async def _refuse(send: Send, refused: Refused) -> None:
    content = json.dumps({"error": str(refused)}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
    if refused.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    if refused.status in (408, 413):
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": content})
