"""Which calls are owed, and how those beyond them are divided, so that one function can't eat what others need.

Each planned function is owed the calls without which nothing comes of it: one for its cases where they are still to
be written, one for its first implementation. What is left beyond them is divided by the specs' complexity
(`tdgen.settings.budget.WEIGHTS`). What an ended function leaves goes to those that have not ended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Final

from tdgen.protocols import Purpose

Debt = tuple[Purpose, str]

PAYS: Final[Mapping[Purpose, Purpose]] = {"cases": "cases", "implement": "implement", "repair": "implement"}
"""The debt that a call for a purpose pays: a function whose kept code is repaired is not implemented anew."""


class Quotas:
    """Debts and parts, counted in calls. Its owner sees to it that one thread at a time is here."""

    def __init__(self) -> None:
        self._weights: dict[str, int] = {}
        self._debts: set[Debt] = set()
        self._parts: dict[str, int] = {}
        self._beyond: Counter[str] = Counter()
        self._ended: set[str] = set()

    def plan(self, weights: Mapping[str, int], cases: Collection[str], left: int | None) -> None:
        """Take these functions in, those of `cases` without cases yet, and divide the `left` calls anew."""
        self._weights |= weights
        self._ended -= weights.keys()
        self._debts |= {("implement", name) for name in weights}
        self._debts |= {("cases", name) for name in weights if name in cases}
        self._beyond.clear()
        open_weights = {name: weight for name, weight in self._weights.items() if name not in self._ended}
        self._parts = {} if left is None else divided(max(0, left - self.owed), open_weights)

    @property
    def owed(self) -> int:
        """How many calls are owed."""
        return len(self._debts)

    def debt(self, purpose: Purpose, subject: str) -> Debt | None:
        """The debt that such a call would pay; None where it would pay none."""
        debt = PAYS.get(purpose, purpose), subject
        return debt if debt in self._debts else None

    def begin(self, purpose: Purpose, subject: str) -> Debt | None:
        """A call is about to be made; the debt that it pays, where it pays one."""
        debt = self.debt(purpose, subject)
        if debt is not None:
            self._debts.remove(debt)
        else:
            self._beyond[subject] += 1
        return debt

    def pay(self, purpose: Purpose, subject: str) -> None:
        """It was answered: by a call that was begun, or by what an unfinished run left."""
        self._debts.discard((PAYS.get(purpose, purpose), subject))

    def fail(self, subject: str, debt: Debt | None, calls: int) -> None:
        """A call that was begun brought no answer, and cost so many calls all the same."""
        self._beyond[subject] += calls if debt is not None else calls - 1
        if debt is not None and subject not in self._ended:
            self._debts.add(debt)

    def end(self, subject: str) -> None:
        """The function has ended: nothing is owed to it any more, and what it left is for the others."""
        self._ended.add(subject)
        self._debts = {debt for debt in self._debts if debt[1] != subject}

    def spare(self, subject: str, left: int) -> int:
        """How many of the `left` calls the function may make beyond what is owed to anybody: never below 0."""
        kept = sum(self._own(other) for other in self._parts if other != subject)
        return max(0, left - self.owed - kept)

    def _own(self, name: str) -> int:
        """What is left of a function's own part."""
        return 0 if name in self._ended else max(0, self._parts[name] - max(0, self._beyond[name]))


def divided(whole: int, weights: Mapping[str, int]) -> dict[str, int]:
    """Whole parts of `whole` by weight, nothing left over; of equal claims to the rest, the first is served."""
    total = sum(weights.values())
    if not total:
        return dict.fromkeys(weights, 0)
    parts = {name: whole * weight // total for name, weight in weights.items()}
    by_rest = sorted(weights, key=lambda name: -(whole * weights[name] % total))
    for name in by_rest[: whole - sum(parts.values())]:
        parts[name] += 1
    return parts
