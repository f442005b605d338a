"""When a search ends: by its runs where these are quick, so that a busy machine finds the same; else by the clock.

What a search comes to decides what is asked of the model. By the clock a machine under load asks less and trusts more.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Final

from tdgen.build.versions import VersionCall, VersionRunner
from tdgen.types import Case

PACED: Final = 3
"""By the quickest of so many cases it is told how long a call takes: others may have waited for a busy machine."""
QUICK_S: Final = 0.002
"""A call that takes no longer is counted. Not tuned."""
RUNS_EACH_SECOND: Final = 1_500
"""So many runs of a version on a call count as a second: about what an idle machine makes of them."""
SLOWEST: Final = 10.0
"""Counted runs may take so many times the seconds that they count for; then the clock ends them after all."""


def call_seconds(runner: VersionRunner, source: str, cases: Sequence[Case]) -> float:
    """How long a call of `source` takes, by the quickest of a few cases; 0 where there is none, inf where none ends."""
    observations = runner.observed([VersionCall(source, case.done) for case in cases[:PACED]])
    ended = (one.seconds for one in observations if one.status in ("returned", "raised"))  # others tell no time
    return min(ended, default=math.inf if cases else 0.0)


def search_limit(
    runner: VersionRunner, source: str, cases: Sequence[Case], seconds: float, *, can_count: bool
) -> SearchLimit:
    """A search's end: counted runs where these can be counted and a call of `source` is quick, else the clock."""
    return SearchLimit(seconds, is_counted=can_count and call_seconds(runner, source, cases) <= QUICK_S)


class SearchLimit:
    """What a search may still do: so many runs where `is_counted`, else so many `seconds` from now on."""

    def __init__(self, seconds: float, *, is_counted: bool) -> None:
        self.is_counted = is_counted
        self._runs = self._until = math.inf
        self.shorten(seconds)

    @property
    def seconds(self) -> float:
        """The seconds that are left, or that the runs which are left count for."""
        clock = max(0.0, self._until - time.monotonic())
        return min(clock, max(0, self._runs) / RUNS_EACH_SECOND) if self.is_counted else clock

    @property
    def is_over(self) -> bool:
        """Whether nothing is left."""
        return self.seconds <= 0

    def count(self, runs: int) -> None:
        """So many runs were made."""
        self._runs -= runs

    def shorten(self, seconds: float) -> None:
        """Leave no more than so many seconds, or the runs that count for them."""
        self._runs = min(self._runs, round(RUNS_EACH_SECOND * seconds))
        self._until = min(self._until, time.monotonic() + (SLOWEST if self.is_counted else 1) * seconds)
