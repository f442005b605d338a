"""Rate limits of one's own: so many requests a minute, so many at once, shared by all that ask."""

from __future__ import annotations

import copy
import threading
import time
from collections import deque
from collections.abc import Callable

from tdgen.errors import BudgetSpent
from tdgen.protocols import Answer, Model, Request

MINUTE = 60.0


def _forever() -> float | None:
    return None


class Throttle:
    """Hands out turns: no more than `rpm` begin in any minute, no more than `concurrency` are taken at once.

    `remaining` gives the seconds that are left for all work: BudgetSpent where no turn comes within them.
    """

    def __init__(
        self,
        rpm: int | None = None,
        concurrency: int | None = None,
        *,
        remaining: Callable[[], float | None] = _forever,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._remaining = remaining
        self._clock = clock
        self._sleep = sleep
        self._places = threading.BoundedSemaphore(concurrency) if concurrency else None
        self._lock = threading.Lock()
        self._starts: deque[float] | None = deque(maxlen=rpm) if rpm else None

    def within(self, remaining: Callable[[], float | None]) -> Throttle:
        """The same turns, for work that has so many seconds left: whoever holds either counts in both."""
        other = copy.copy(self)
        vars(other).update(_remaining=remaining)
        return other

    def __enter__(self) -> None:
        if self._places and not self._places.acquire(timeout=self._remaining()):
            raise BudgetSpent("the budget's time was spent while others were asking: raise --budget seconds=N")
        try:
            self._sleep_until_turn()
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_: object) -> None:
        if self._places:
            self._places.release()

    def _sleep_until_turn(self) -> None:
        """Book the next free start, a minute after the one that many turns ago, and wait for it."""
        if self._starts is None:
            return
        with self._lock:
            now = self._clock()
            full = len(self._starts) == self._starts.maxlen
            start = max(now, self._starts[0] + MINUTE) if full else now
            left = self._remaining()
            if left is not None and start - now >= left:
                raise BudgetSpent("the budget's time ends before the next turn: raise --rpm or --budget seconds=N")
            self._starts.append(start)
        if start > now:
            self._sleep(start - now)


class ThrottledModel:
    """A model that is asked only when it is this request's turn."""

    def __init__(self, inner: Model, throttle: Throttle) -> None:
        self._inner = inner
        self._throttle = throttle

    def ask(self, request: Request) -> Answer:
        """Wait for a turn, and ask; BudgetSpent where none comes in time."""
        with self._throttle:
            return self._inner.ask(request)
