"""Reports of faults in green dependencies, and the bounds that keep them few."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Final, NamedTuple

from tdgen.types import Case

MOST_CHARGES: Final = 2


class Charge(NamedTuple):
    """A green dependency does not do what its contract says of these calls: `caller` found it out."""

    caller: str
    function: str
    cases: tuple[Case, ...]


class Docket:
    """The charges of one build. Safe to use from several threads.

    Each function charges a dependency once at most, and each is charged at most twice in all.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._brought: set[tuple[str, str]] = set()
        self._against: Counter[str] = Counter()

    def __bool__(self) -> bool:
        """Whether any charge was ever brought."""
        return bool(self._brought)

    def admits(self, caller: str, function: str) -> bool:
        """Whether `caller` may still charge `function`."""
        with self._lock:
            return self._admits(caller, function)

    def bring(self, charge: Charge) -> bool:
        """Enter a charge; False where it comes too late."""
        with self._lock:
            admitted = self._admits(charge.caller, charge.function)
            if admitted:
                self._brought.add((charge.caller, charge.function))
                self._against[charge.function] += 1
            return admitted

    def _admits(self, caller: str, function: str) -> bool:
        return (caller, function) not in self._brought and self._against[function] < MOST_CHARGES
