"""One small change to a source, carried out: what scoring runs to see it fail, and search runs to see it pass."""

from __future__ import annotations

from typing import NamedTuple


class Mutant(NamedTuple):
    """The changed `source`, and the change: its operator, its line (from 1), what stood there and what stands now.

    `before` and `after` are cut to one short line; one of them is empty where something was only added or removed.
    """

    source: str
    operator: str
    line: int
    before: str
    after: str
