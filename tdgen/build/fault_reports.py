"""Reports of faults in green dependencies, and the bounds that keep them few."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Final, NamedTuple

from tdgen.types import Case

MOST_CHARGES: Final = 2


class DependencyFault(NamedTuple):
    """A green dependency does not do what its contract says of these calls: `caller` found it out."""

    caller: str
    function: str
    cases: tuple[Case, ...]


class FaultReports:
    """The faults of one build. Safe to use from several threads.

    Each function faults a dependency once at most, and each is reported at most twice in all.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._brought: set[tuple[str, str]] = set()
        self._against: Counter[str] = Counter()

    def __bool__(self) -> bool:
        """Whether any fault was ever reported."""
        return bool(self._brought)

    def admits(self, caller: str, function: str) -> bool:
        """Whether `caller` may still fault `function`."""
        with self._lock:
            return self._admits(caller, function)

    def bring(self, fault: DependencyFault) -> bool:
        """Enter a fault; False where it comes too late."""
        with self._lock:
            admitted = self._admits(fault.caller, fault.function)
            if admitted:
                self._brought.add((fault.caller, fault.function))
                self._against[fault.function] += 1
            return admitted

    def _admits(self, caller: str, function: str) -> bool:
        return (caller, function) not in self._brought and self._against[function] < MOST_CHARGES
