"""The figures of an evaluation, each a count with its interval or a mean; what they mean is told in `tdgen.metrics`.

Those of real work are told of all tasks and by kind: a task ends green, red, or abstains, and is right or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from tdgen.evaluation.records import Asked, Record
from tdgen.metrics import Figures, Share, figures, ratio, stability
from tdgen.types import Usage

_UNDECIDED: Final = ("undecided", "stopped", "contradicted", "failed")


class Column(NamedTuple):
    """One way of asking the model: how often it was right, and what it cost; means are a problem's."""

    name: str
    right: Share
    calls: float
    tokens: float
    cost: float | None


class Scores(NamedTuple):
    """What is said of an evaluation.

    `right` is pass@1: the final code passes its hidden tests, whether it was called green or not. `false_accepts` are
    of those called green, `false_rejects` and `undecided` of all. `beside` are the baselines, and `stable` is None for
    a single run. `model_seconds` and `own_seconds` divide a problem's mean time. `figures` leave instructions that
    contradict themselves out, unless they ended green; `kinds`, where problems have kinds, has all of them.
    """

    problems: int
    right: Share
    green: Share
    undecided: Share
    figures: Figures
    cost: float | None
    model_seconds: float
    own_seconds: float
    beside: tuple[Column, ...]
    stable: Share | None
    forgeable: int
    kinds: tuple[KindScores, ...] = ()


def scores(runs: Sequence[Sequence[Record]]) -> Scores:
    """The figures over all runs together; stability compares them."""
    records = [record for run in runs for record in run]
    count = len(records)
    usage = sum((record.usage for record in records), Usage())
    model = sum(record.model_seconds for record in records)
    seconds = sum(record.seconds for record in records)
    return Scores(
        problems=count,
        right=Share(sum(record.last.right for record in records), count),
        green=Share(sum(record.accepted for record in records), count),
        undecided=Share(sum(record.outcome in _UNDECIDED for record in records), count),
        figures=figures(record.task() for record in records if record.accepted or not record.contradictory)._replace(
            calls=ratio(usage.calls, count), tokens=ratio(usage.tokens, count)
        ),
        cost=_mean_cost(usage, count),
        model_seconds=ratio(model, count),
        own_seconds=ratio(seconds - model, count),
        beside=_beside(records),
        stable=stability([[record.task() for record in run] for run in runs]) if len(runs) > 1 else None,
        forgeable=sum(record.last.forgeable for record in records),
        kinds=kind_scores(records),
    )


def _beside(records: Sequence[Record]) -> tuple[Column, ...]:
    asked = [record.beside for record in records if record.beside is not None]
    if not asked:
        return ()
    mean = ratio(sum(one.often.samples for one in asked), len(asked))
    once = _column("asked once", [one.once for one in asked])
    if all(one.often.samples == 1 for one in asked):
        return (once,)
    return once, _column(f"asked {mean:.1f} times, the best of them", [one.often for one in asked])


def _column(name: str, asked: Sequence[Asked]) -> Column:
    usage = sum((one.usage for one in asked), Usage())
    right = Share(sum(one.judged.right for one in asked), len(asked))
    calls, tokens = ratio(sum(one.samples for one in asked), len(asked)), ratio(usage.tokens, len(asked))
    return Column(name, right, calls, tokens, _mean_cost(usage, len(asked)))


def _mean_cost(usage: Usage, count: int) -> float | None:
    return None if usage.cost is None or not count else usage.cost / count


def lines(scored: Scores) -> list[tuple[str, str]]:
    """The figures as names and values, for a table."""
    figures = scored.figures
    rows = [
        ("problems", f"{scored.problems:,}"),
        ("right by hidden tests (pass@1)", str(scored.right)),
        ("called green", str(scored.green)),
        ("false accepts, of the green", str(figures.false_accepts)),
        ("false rejects, of all", str(figures.false_rejects)),
        ("undecided", str(scored.undecided)),
        ("execution success rate (ESR)", str(figures.esr)),
        ("average refinement iterations (ARI)", f"{figures.ari:.2f}"),
        ("initial error density (IED)", f"{100 * figures.ied:.1f}%"),
        ("error reduction ratio (ERR)", f"{100 * figures.err:.1f}%"),
        ("execution stability", str(scored.stable) if scored.stable is not None else "one run only"),
        ("model calls a problem", f"{figures.calls:.2f}"),
        ("tokens a problem", f"{figures.tokens:,.0f}"),
        ("dollars a problem", f"{scored.cost:.4f}" if scored.cost is not None else "no price is known"),
        ("seconds a problem: the model, tdgen", f"{scored.model_seconds:.2f}, {scored.own_seconds:.2f}"),
    ]
    for column in scored.beside:
        money = f", ${column.cost:.4f}" if column.cost is not None else ""
        rows.append((f"beside it: {column.name}", f"{column.right}; {column.tokens:,.0f} tokens{money}"))
    return [*rows, *((f"{kind.kind}, {kind.tasks:,}", kind.sentence) for kind in scored.kinds)]


def as_json(scored: Scores) -> dict[str, Any]:
    """The figures as plain data: a share is its part, its whole and its interval."""
    plain = {name: _plain(value) for name, value in scored._asdict().items() if name != "figures"}
    return {**plain, "figures": {name: _plain(value) for name, value in scored.figures._asdict().items()}}


def _plain(value: Any) -> Any:
    if isinstance(value, Share):
        return {"part": value.part, "whole": value.whole, "interval": list(value.interval)}
    if isinstance(value, tuple):
        return [{name: _plain(part) for name, part in column._asdict().items()} for column in value]
    return value


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
        calls=ratio(spent.calls, count),
        tokens=ratio(spent.tokens, count),
        cost=_mean_cost(spent, count),
        once=Share(sum(asked.judged.right for asked in once), len(once)),
        once_tokens=ratio(spent_once.tokens, len(once)),
        once_cost=_mean_cost(spent_once, len(once)),
    )


def _money(cost: float | None) -> str:
    return "" if cost is None else f", ${cost:.4f}"
