"""Whether it is worth going on: where every line fails for one and the same reason, the next thousand will, too."""

from __future__ import annotations

from typing import Final

from tdgen.batch.row import Row
from tdgen.errors import UnreachableError

PATIENCE: Final = 5


class CircuitBreaker:
    """Watches rows as they end; `reason` says why the run should begin no more lines, `exit_code` how it ends then.

    So many (`PATIENCE`) failures in a row for one reason are enough at a run's beginning; later only where nobody was
    reachable, so that lines which are themselves at fault stop nobody.
    """

    def __init__(self) -> None:
        self.reason = ""
        self.exit_code = 0
        self._alike = 0
        self._last = ""
        self._has_worked = False

    def take(self, row: Row) -> None:
        """Count a row that ended in a worker."""
        if row.outcome != "failed":
            self._has_worked, self._alike = True, 0
            return
        self._alike = self._alike + 1 if row.reason == self._last or not self._alike else 1
        self._last = row.reason
        unreachable = row.exit_code == UnreachableError.exit_code
        if self._alike >= PATIENCE and (unreachable or not self._has_worked) and not self.reason:
            self.reason, self.exit_code = row.reason, row.exit_code
