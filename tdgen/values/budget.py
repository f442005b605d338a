"""What reading and comparing hostile values may cost: a number of steps, and processor time as a backstop."""

from __future__ import annotations

import time

MAX_STEPS = 3_000_000
MAX_SECONDS = 5.0
_STEPS_BETWEEN_LOOKS = 1_000


class TooLong(Exception):
    """The steps or the processor time are used up."""


class Budget:
    """So many steps that may still be taken, by this thread and within MAX_SECONDS of its processor time.

    The steps end a large comparison alike on every machine. The clock ends what costs more for each step than any
    honest value does; it is the thread's own, so that a busy machine changes no verdict.
    """

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self._left = steps
        self._look_at = self._left
        self._deadline = time.thread_time() + MAX_SECONDS

    def spend(self, steps: int = 1) -> None:
        """Take so many steps; TooLong where there are not as many left, or no time."""
        self._left -= steps
        if self._left < 0:
            raise TooLong
        if self._left < self._look_at:
            self._look_at = self._left - _STEPS_BETWEEN_LOOKS
            if time.thread_time() > self._deadline:
                raise TooLong
