"""How fast a run goes and how long it has to go, by a clock that no change of the time of day moves."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final

WINDOW: Final = 200
WINDOW_S: Final = 120.0


class Pace:
    """The rate of what ended lately: lines from the cache at a run's beginning soon say nothing of those to come."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._ends: deque[float] = deque([self._began], maxlen=WINDOW)

    def tick(self) -> None:
        """A line has ended."""
        self._ends.append(self._clock())

    @property
    def seconds(self) -> float:
        """Seconds since the beginning."""
        return self._clock() - self._began

    @property
    def rate(self) -> float:
        """Lines a second, lately; 0 before the first one ended."""
        now = self._clock()
        while len(self._ends) > 2 and self._ends[0] < now - WINDOW_S:
            self._ends.popleft()
        since = now - self._ends[0]
        return (len(self._ends) - 1) / since if since > 0 else 0.0

    def to_go(self, lines: int) -> float | None:
        """Seconds that so many lines will take; None where nothing is known yet."""
        rate = self.rate
        return lines / rate if rate else None
