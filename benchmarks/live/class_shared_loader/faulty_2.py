import asyncio
from collections import OrderedDict


class _Flight:
    def __init__(self):
        self.waiters = 0
        self.task = None


class SharedLoader:
    def __init__(self, load, keep=8):
        if keep < 0:
            raise ValueError("keep must not be negative")
        self._load = load
        self._keep = keep
        self._values = OrderedDict()
        self._running = {}

    @property
    def kept(self):
        return list(self._values)

    @property
    def loading(self):
        return list(self._running)

    async def _run(self, key, flight):
        current = False
        try:
            value = await self._load(key)
        finally:
            if self._running.get(key) is flight:
                current = True
                del self._running[key]
        if current:
            self._values[key] = value
            while len(self._values) > self._keep:
                self._values.popitem(last=False)
        return value

    async def get(self, key):
        if key in self._values:
            self._values.move_to_end(key)
            return self._values[key]
        flight = self._running.get(key)
        if flight is None:
            flight = _Flight()
            flight.task = asyncio.ensure_future(self._run(key, flight))
            self._running[key] = flight
        flight.waiters += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiters -= 1
            if not flight.task.done():
                flight.task.cancel()
                if self._running.get(key) is flight:
                    self._running.pop(key)

    def forget(self, key):
        if key in self._values:
            del self._values[key]
            return True
        return self._running.pop(key, None) is not None
