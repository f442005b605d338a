"""What a batch came to: counts, cost, and the figures of its own cases, added up row by row."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pydantic import Field

from tdgen.batch.row import Row
from tdgen.metrics import Sums
from tdgen.types import Frozen, Usage


class Summary(Frozen):
    """What a batch came to; all of it over every row of `results.jsonl`, earlier runs' too.

    `outcomes` counts lines by how they ended, `missing` those that have not ended. `cached` and `twins` were free.
    `figures` are those of `tdgen.metrics`, measured by each line's own cases: ESR is then the share of green lines.
    `stopped` says why the run ended before its lines did, and `seconds` how long this run took.
    """

    lines: int
    outcomes: dict[str, int]
    missing: int = 0
    cached: int = 0
    twins: int = 0
    usage: Usage = Usage()
    figures: dict[str, Any] = Field(default_factory=dict)
    seconds: float = 0.0
    stopped: str = ""
    exit_code: int = 0

    @property
    def all_green(self) -> bool:
        """Whether every line ended green."""
        return not self.missing and self.outcomes.get("green", 0) == self.lines


@dataclass
class BatchCounts:
    """Rows added up; however many there are, this stays as small."""

    outcomes: Counter[str] = field(default_factory=Counter)
    cached: int = 0
    twins: int = 0
    usage: Usage = field(default_factory=Usage)
    sums: Sums = field(default_factory=Sums)

    @property
    def ended(self) -> int:
        """How many lines have ended."""
        return self.outcomes.total()

    def add(self, row: Row) -> None:
        """Count a row in."""
        self.outcomes[row.outcome] += 1
        self.cached += row.cached
        self.twins += bool(row.twin_of)
        self.usage += row.usage
        if row.outcome != "malformed":
            self.sums.add(row.task())

    def summary(
        self, lines: int, missing: int = 0, *, seconds: float = 0.0, stopped: str = "", exit_code: int = 0
    ) -> Summary:
        """What all of it came to, of so many lines, of which so many have not ended."""
        green = not missing and self.outcomes["green"] == self.ended
        return Summary(
            lines=lines,
            outcomes=dict(self.outcomes),
            missing=missing,
            cached=self.cached,
            twins=self.twins,
            usage=self.usage,
            figures=self._figures(),
            seconds=round(seconds, 3),
            stopped=stopped,
            exit_code=exit_code or (0 if green else 1),
        )

    def _figures(self) -> dict[str, Any]:
        found = self.sums.figures()
        esr = {"part": found.esr.part, "whole": found.esr.whole, "interval": list(found.esr.interval)}
        names = ("ari", "ied", "fed", "err", "calls", "tokens", "seconds")
        return {"esr": esr} | {name: round(getattr(found, name), 6) for name in names}
