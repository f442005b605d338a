"""A run's events as server-sent events: pulled from where they lie as fast as the client takes them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final

from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event

from tdgen.web.run_store import News, RunStore

KEEP_ALIVE_S: Final = 15.0
SENT_WITHIN_S: Final = 30.0
"""How long a client may leave what it was sent unread before the line is cut; it resumes when it comes back."""


class EventStream(EventSourceResponse):
    """Server-sent events to one client, cut where it does not take what it is sent."""

    async def stream_response(self, send: Any) -> None:
        """Send piece by piece, each within a time."""

        async def in_time(message: Any) -> None:
            await asyncio.wait_for(send(message), SENT_WITHIN_S)

        try:
            await super().stream_response(in_time)
        except TimeoutError:
            return


async def events(runs: RunStore, identity: str, after: int, leaving: asyncio.Event) -> AsyncIterator[bytes]:
    """The events behind number `after`, those that are there and those to come, until the run or the service ends."""
    reader = runs.reader(identity, after)
    loop = asyncio.get_running_loop()
    news = asyncio.Event()

    def woken(changed: News) -> None:
        if changed.identity in ("", identity):
            loop.call_soon_threadsafe(news.set)

    yield KEEPALIVE_COMMENT  # so that a browser knows at once that the line is open
    with runs.listening(woken):
        while not leaving.is_set():
            news.clear()
            record = await asyncio.to_thread(runs.record, identity)  # before its events: it ends behind the last
            if lines := await asyncio.to_thread(reader.read):
                yield b"".join(format_sse_event(data_str=line.text, id=str(line.number)) for line in lines)
            elif record is None or record.has_ended:
                return
            elif not await _any_within(KEEP_ALIVE_S, news, leaving):
                yield KEEPALIVE_COMMENT


async def _any_within(seconds: float, *awaited: asyncio.Event) -> bool:
    """Whether one of the events came within so many seconds."""
    tasks = [asyncio.ensure_future(event.wait()) for event in awaited]
    try:
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
    return bool(done)
