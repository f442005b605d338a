"""Calls that are let through only so often."""

import functools
import logging
from collections import deque


class TooSoon(RuntimeError):
    """A call that is refused."""

    def __init__(self, wait):
        super().__init__(f"{wait} s too soon")
        self.wait = wait


def throttle(func, limit, period, clock):
    """The function, with at most so many calls within a period."""
    if limit < 1:
        raise ValueError("the limit must be at least 1")
    if period <= 0:
        raise ValueError("the period must be above 0")
    logger = logging.getLogger("throttle")
    starts = deque()

    @functools.wraps(func)
    def throttled(*args, **kwargs):
        now = clock()
        while starts and now - starts[0] >= period:
            starts.popleft()
        if len(starts) >= limit:
            wait = starts[0] + period - now
            logger.warning("refused %s, wait %.1f s", func.__name__, wait)
            raise TooSoon(wait)
        starts.append(now)
        return func(*args, **kwargs)

    throttled.reset = starts.clear
    return throttled
