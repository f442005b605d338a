"""The figures of real work, of all tasks and by kind: a task ends green, red, or abstains, and is right or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tdgen.evaluation.records import Record
from tdgen.metrics import Share
from tdgen.types import Usage


class KindScores(NamedTuple):
    """What is said of the tasks of one kind; `calls`, `tokens` and `cost` are a task's mean.

    `right` counts code that passes its hidden tests, however it was called, and contradictions of which both places
    were named. `false_greens` are of the green, `false_reds` of all: red, though the code is right. What ended neither
    green nor red abstained, with right code or not; a contradiction that was named did not, and is counted in
    `contradictions`, of all contradictions. `once` is the same model asked once.
    """

    kind: str
    tasks: int
    right: Share
    false_greens: Share
    false_reds: Share
    abstained_right: int
    abstained_wrong: int
    contradictions: Share
    calls: float
    tokens: float
    cost: float | None
    once: Share
    once_tokens: float
    once_cost: float | None

    @property
    def sentence(self) -> str:
        """It in one line."""
        green = f"{self.false_greens.part:,} of {self.false_greens.whole:,} green are wrong: {self.false_greens}"
        parts = [
            f"right {self.right.part:,}",
            green,
            f"false reds {self.false_reds}",
            f"abstained {self.abstained_right:,} right, {self.abstained_wrong:,} wrong",
        ]
        if self.contradictions.whole:
            parts.append(f"contradictions named {self.contradictions.part:,} of {self.contradictions.whole:,}")
        parts.append(f"{self.calls:.1f} calls, {self.tokens:,.0f} tokens{_money(self.cost)}")
        if self.once.whole:
            once = f"asked once right {self.once.part:,} of {self.once.whole:,}"
            parts.append(f"{once}, {self.once_tokens:,.0f} tokens{_money(self.once_cost)}")
        return "; ".join(parts)


def kind_scores(records: Sequence[Record]) -> tuple[KindScores, ...]:
    """The scores of all records that have a kind, and of each kind; none where no record has one."""
    known = [record for record in records if record.kind]
    if not known:
        return ()
    kinds = sorted({record.kind for record in known})
    return (
        _scores("all kinds", known),
        *(_scores(kind, [record for record in known if record.kind == kind]) for kind in kinds),
    )


def _scores(kind: str, records: Sequence[Record]) -> KindScores:
    green = [record for record in records if record.accepted]
    contradictory = [record for record in records if record.contradictory]
    abstained = [record for record in records if not record.accepted and not record.rejected]
    once = [record.beside.once for record in records if record.beside is not None]
    spent = sum((record.usage for record in records), Usage())
    spent_once = sum((asked.usage for asked in once), Usage())
    count = len(records)
    return KindScores(
        kind=kind,
        tasks=count,
        right=Share(sum(record.last.right for record in records), count),
        false_greens=Share(sum(record.is_false_green for record in green), len(green)),
        false_reds=Share(sum(record.is_false_red for record in records), count),
        abstained_right=sum(record.last.right and not record.contradictory for record in abstained),
        abstained_wrong=sum(not record.last.right for record in abstained),
        contradictions=Share(sum(record.last.right for record in contradictory), len(contradictory)),
        calls=spent.calls / count,
        tokens=spent.tokens / count,
        cost=None if spent.cost is None else spent.cost / count,
        once=Share(sum(asked.judged.right for asked in once), len(once)),
        once_tokens=spent_once.tokens / len(once) if once else 0.0,
        once_cost=None if spent_once.cost is None or not once else spent_once.cost / len(once),
    )


def _money(cost: float | None) -> str:
    return "" if cost is None else f", ${cost:.4f}"
