"""The server over stdin and stdout, over HTTP on this machine, or in the service behind its guard."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mcp.server.transport_security import TransportSecuritySettings
from starlette.routing import BaseRoute

from tdgen.client import Generator
from tdgen.mcp.server import opened, sharing
from tdgen.settings import Settings
from tdgen.web.listening import Address, listening, serve_app
from tdgen.web.run_queue import RunQueue

if TYPE_CHECKING:
    from tdgen.web.server import Further

MOST_BYTES = 1_000_000
"""Of a request over HTTP."""


async def serve_stdio(settings: Settings, root: Path) -> None:
    """Serve one client until it closes its end."""
    with Generator(settings) as generator:
        async with opened(generator, root) as server:
            await server.run_stdio_async()


async def serve_http(settings: Settings, root: Path, port: int, ready: Callable[[str], None]) -> None:
    """Serve clients on this machine until the process is told to end; `ready` is told the URL.

    A page in a browser is refused: the Host and Origin of each request are looked at. InputError where the port can't
    be listened at.
    """
    address = Address(port=port)
    with listening(address) as listener, Generator(settings) as generator:
        async with opened(generator, root) as server:
            app = server.streamable_http_app(host=address.host, max_request_body_size=MOST_BYTES)
            ready(f"http://{address.host}:{listener.getsockname()[1]}/mcp")
            await serve_app(app, listener)


def in_service(root: Path | None) -> Further:
    """The tools under /mcp of the service: its guard says who may call them, and its queue has their solves."""

    @asynccontextmanager
    async def routes(generator: Generator, run_queue: RunQueue) -> AsyncIterator[Iterable[BaseRoute]]:
        guarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        async with sharing(generator, run_queue, root) as server:
            app = server.streamable_http_app(transport_security=guarded, max_request_body_size=MOST_BYTES)
            async with server.session_manager.run():
                yield app.routes

    return routes
