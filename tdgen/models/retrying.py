"""Trying again what may work the next time: a busy endpoint, a dropped connection, a stream that was cut.

A model says so by raising `TryAgain`; this wrapper waits and asks again, each try a call of its own below it (so that
budget and rate limits count it). Anything else passes through.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from tdgen.errors import ModelError
from tdgen.protocols import Answer, Model, Request
from tdgen.types import Usage

FIRST_WAIT = 0.5
LONGEST_WAIT = 20.0
LONGEST_RETRY_AFTER = 60.0


class TryAgain(ModelError):
    """A failure that may pass: what happened, what a user can do, when to try again, and what was lost with it.

    `retry_after` is the endpoint's own word in seconds, where it gave one; `lost` is what was paid for in vain.
    """

    def __init__(self, what: str, advice: str, retry_after: float | None = None, lost: Usage | None = None) -> None:
        super().__init__(f"{what}: {advice}")
        self.what = what
        self.advice = advice
        self.retry_after = retry_after
        self.lost = lost or Usage()


def _forever() -> float | None:
    return None


def _silently(text: str) -> None:
    del text


class RetryingModel:
    """A model that is asked again, at most `retries` times, where it says that this may help.

    `remaining` gives the seconds that are left for all work: no wait is begun that would outlast them. `note` is told
    of each wait in words for people.
    """

    def __init__(
        self,
        inner: Model,
        retries: int,
        *,
        remaining: Callable[[], float | None] = _forever,
        note: Callable[[str], None] = _silently,
        sleep: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._inner = inner
        self._retries = retries
        self._remaining = remaining
        self._note = note
        self._sleep = sleep
        self._chance = chance

    def ask(self, request: Request) -> Answer:
        """Ask until answered; ModelError with the last failure where the tries or the time run out."""
        tries = 0
        while True:
            tries += 1
            try:
                return self._inner.ask(request)
            except TryAgain as error:
                failure = error
            wait = self._wait(tries, failure.retry_after)
            left = self._remaining()
            if tries > self._retries or (left is not None and wait >= left):
                times = f" ({tries} tries)" if tries > 1 else ""
                raise ModelError(f"{failure.what}{times}: {failure.advice}") from None
            self._note(f"{failure.what}; trying again in {wait:.1f} s")
            self._sleep(wait)

    def _wait(self, tries: int, retry_after: float | None) -> float:
        """Seconds before the next try: as the endpoint says, else doubling, with up to a quarter of chance on top."""
        if retry_after is not None:
            return min(max(0.0, retry_after), LONGEST_RETRY_AFTER)
        return min(FIRST_WAIT * 2.0 ** (tries - 1), LONGEST_WAIT) * (1 + self._chance() / 4)
