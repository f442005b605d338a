"""What the service and each of its callers spent: today, of which there may be a limit, and in all, as metrics."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from tdgen.settings import Budget
from tdgen.settings.base import parse_budget
from tdgen.types import Usage
from tdgen.web.callers import Caller
from tdgen.web.orders import ENDED, Full, RunRecord
from tdgen.web.run_store import ALL, RunStore

_COUNTED: Final = {"calls": "model calls", "tokens": "tokens in and out", "money": "US dollars, where prices are known"}


def book_end(record: RunRecord, spent: Usage, runs: RunStore) -> None:
    """Add what a run spent to the accounts of its caller."""
    figures = {"calls": spent.calls, "tokens": spent.tokens, "money": spent.cost or 0.0}
    mine = {f"{name} {record.by}": figure for name, figure in figures.items() if figure}
    if record.by and mine:
        runs.count(_today(), mine)
    runs.count(ALL, {f"ended {record.state}": 1, **mine})


def left_today(caller: Caller, runs: RunStore, most: Budget) -> dict[str, float]:
    """What a caller may spend today beside what it has spent and what its runs that go on may; Full for nothing."""
    spent = runs.counts(_today())
    going = [
        parse_budget(one.order.options.budget) for one in runs.records() if one.by == caller.name and not one.ended
    ]
    left = {}
    for name, limit in caller.daily.items():
        owed = sum(budget.get(name, getattr(most, name)) or 0 for budget in going)
        left[name] = limit - spent.get(f"{name} {caller.name}", 0) - owed
        if left[name] <= 0:
            what = "is spent, or owed to what goes on" if owed else "is spent"
            raise Full(f"{caller.name}'s {name}={limit:g} of the day {what}", _rest_of_day_s())
    return left


def metrics(runs: RunStore) -> str:
    """The figures in Prometheus' text format."""
    counts, records = runs.counts(ALL), runs.records()
    lines = [*_head("tdgen_runs", "gauge", "runs that wait, and that are worked on")]
    going = {state: sum(record.state == state for record in records) for state in ("queued", "running")}
    lines += (f'tdgen_runs{{state="{state}"}} {number}' for state, number in going.items())
    lines += _head("tdgen_runs_ended_total", "counter", "runs that ended, by how")
    lines += (f'tdgen_runs_ended_total{{state="{state}"}} {counts.get(f"ended {state}", 0):g}' for state in ENDED)
    for name, told in _COUNTED.items():
        lines += _head(f"tdgen_{name}_total", "counter", f"{told}, by the token's name")
        for figure, value in sorted(counts.items()):
            kind, _, caller = figure.partition(" ")
            if kind == name:
                lines.append(f'tdgen_{name}_total{{token="{_escaped(caller)}"}} {value:.10g}')
    return "\n".join(lines) + "\n"


def _head(name: str, kind: str, told: str) -> Iterator[str]:
    yield f"# HELP {name} {told}"
    yield f"# TYPE {name} {kind}"


def _escaped(label: str) -> str:
    return label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def _rest_of_day_s() -> int:
    moment = datetime.now(UTC)
    midnight = (moment + timedelta(days=1)).replace(hour=0, minute=0, second=0)
    return int((midnight - moment).total_seconds()) + 1
