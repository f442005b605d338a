"""From settings to a port that answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tdgen.client import Generator
from tdgen.settings import Settings
from tdgen.web.address import Address, check, listening
from tdgen.web.server import Queue, make_server


def serve(settings: Settings, address: Address, queue: Queue, say: Callable[[str], None]) -> None:
    """Serve until the process is told to end; `say` is told where, in a line.

    InputError where the address can't be listened at, or is open to others without a token; StoreError where the
    cache can't be used.
    """
    check(address)
    with listening(address) as listener, Generator(settings) as generator:
        port = listener.getsockname()[1]
        shown = f"[{address.host}]" if ":" in address.host else address.host
        server = make_server(generator, address, queue, lambda: say(f"tdgen is at http://{shown}:{port}/"))
        try:
            asyncio.run(server.serve([listener]))
        finally:
            server.run_queue.close()
