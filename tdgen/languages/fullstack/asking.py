"""A web application asked without a server, in its own process: one request, one answer.

Standard library only, Python 3.9 and later: this file also runs beside the code, and serves what a user gets.
"""

from __future__ import annotations

import asyncio
import io
import sys
from typing import Any
from urllib.parse import unquote, urlsplit

from tdgen.languages.fullstack.schema import Contract, ContractBroken

Answer = tuple[int, list[tuple[str, str]], bytes]


def ask(app: Any, method: str, url: str, headers: dict[str, str], body: bytes) -> Answer:
    """What an application of ASGI (FastAPI, Starlette) or of WSGI (Flask) answers."""
    parts = urlsplit(url)
    if hasattr(app, "wsgi_app"):
        environ = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote(parts.path, "latin-1"),
            "QUERY_STRING": parts.query,
            "CONTENT_LENGTH": str(len(body)),
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        for name, value in headers.items():
            key = name.upper().replace("-", "_")
            environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
        answer: list[Any] = [200, []]

        def start(status: str, pairs: Any, failed: Any = None) -> Any:
            answer[:] = [int(status.split()[0]), list(pairs)]
            return lambda data: None

        parts_of_body = app(environ, start)
        try:
            return answer[0], answer[1], b"".join(parts_of_body)
        finally:
            getattr(parts_of_body, "close", lambda: None)()
    return asyncio.run(_ask_asgi(app, method, parts, headers, body))


async def _ask_asgi(app: Any, method: str, parts: Any, headers: dict[str, str], body: bytes) -> Answer:
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(parts.path),
        "raw_path": parts.path.encode(),
        "query_string": parts.query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode("latin-1", "replace")) for name, value in headers.items()],
        "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 1),
    }
    answer: list[Any] = [200, [], b""]
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Any:
        return waiting.pop() if waiting else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            pairs = message.get("headers", [])
            answer[0] = message["status"]
            answer[1] = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in pairs]
        elif message["type"] == "http.response.body":
            answer[2] += message.get("body", b"")

    await app(scope, receive, send)
    return answer[0], answer[1], answer[2]


def held(app: Any, contract: Contract) -> Any:
    """The application, which from now on raises where it answers what the contract does not say."""
    if hasattr(app, "wsgi_app"):
        app.wsgi_app = _HeldWsgi(app.wsgi_app, contract)
    else:
        app.add_middleware(_HeldAsgi, contract=contract)
    return app


class _Held:
    """An application whose answers must be as the contract says."""

    def __init__(self, app: Any, contract: Contract) -> None:
        self.app, self.contract = app, contract

    def must_fit(self, method: str, url: str, status: int, body: bytes) -> None:
        if reason := self.contract.answered(method, url, status, body.decode("utf-8", "replace")):
            raise ContractBroken(reason)


class _HeldAsgi(_Held):
    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        answer: list[Any] = [200, b""]

        async def heard(message: Any) -> None:
            if message["type"] == "http.response.start":
                answer[0] = message["status"]
            elif message["type"] == "http.response.body":
                answer[1] += message.get("body", b"")
                if not message.get("more_body"):
                    self.must_fit(scope["method"], scope["path"], *answer)
            await send(message)

        await self.app(scope, receive, heard if scope["type"] == "http" else send)


class _HeldWsgi(_Held):
    def __call__(self, environ: Any, start: Any) -> Any:
        status = [200]

        def heard(line: str, *more: Any) -> Any:
            status[0] = int(line.split()[0])
            return start(line, *more)

        parts = self.app(environ, heard)
        try:
            body = b"".join(parts)
        finally:
            getattr(parts, "close", lambda: None)()
        self.must_fit(environ["REQUEST_METHOD"], environ["PATH_INFO"], status[0], body)
        return [body]
