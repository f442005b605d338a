"""The access log: one line a request, to Python's `logging` as `tdgen.access`, at INFO.

Method, path, status and milliseconds are told, also as `tdgen_…` in the record; never a query, which may hold the
token, a header or a body. A stream is told when it ends.
"""

from __future__ import annotations

import logging
import time
from typing import Final
from urllib.parse import quote

from starlette.types import ASGIApp, Message, Receive, Scope, Send

ACCESS: Final = logging.getLogger("tdgen.access")
LONGEST: Final = 200
"""So many characters of a path are told."""


class AccessLog:
    """An application whose requests are logged, those that it refuses too."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and log how it was answered; status 0 where it was not."""
        if scope["type"] != "http" or not ACCESS.isEnabledFor(logging.INFO):
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, answer)
        finally:
            path = quote(scope["path"])[:LONGEST]  # a line break in it would be a line of its own
            milliseconds = round(1000 * (time.perf_counter() - began), 1)
            fields = {"method": scope["method"], "path": path, "status": status, "ms": milliseconds}
            extra = {f"tdgen_{name}": value for name, value in fields.items()}
            ACCESS.info("%s %s %d %.1f ms", *fields.values(), extra=extra)
