"""Send items in batches."""

import asyncio


class Closed(RuntimeError):
    """Nothing can be added any more."""

    def __init__(self):
        super().__init__("batcher is closed")


class Batcher:
    """Collects items and sends them together."""

    def __init__(self, send, size):
        if size < 1:
            raise ValueError("size must be at least 1")
        self._send = send
        self._size = size
        self._items = []
        self._lock = asyncio.Lock()
        self._closed = False

    @property
    def pending(self):
        """What has not been sent."""
        return tuple(self._items)

    async def _send_all(self, least):
        """Send everything, if there are so many when it is our turn."""
        async with self._lock:
            if len(self._items) >= least:
                number = len(self._items)
                await self._send(self._items[:number])
                del self._items[:number]

    async def add(self, item):
        """Put an item in line; how many are pending."""
        if self._closed:
            raise Closed
        self._items.append(item)
        if len(self._items) >= self._size:
            await self._send_all(self._size)
        return len(self._items)

    async def flush(self):
        """Send all that is pending."""
        await self._send_all(1)

    async def __aenter__(self):
        return self

    async def __aexit__(self, kind, *_):
        self._closed = True
        await self.flush()
        return False
