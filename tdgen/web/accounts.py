"""What the service and each of its callers spent: today, of which there may be a limit, and in all, as metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from tdgen.events import BudgetTold, Event
from tdgen.settings import Budget
from tdgen.settings.base import parse_budget
from tdgen.types import Usage
from tdgen.web.callers import Caller
from tdgen.web.orders import ENDED, Full, RunRecord
from tdgen.web.run_store import ALL, RunStore

_COUNTED: Final = {"calls": "model calls", "tokens": "tokens in and out", "money": "US dollars, where prices are known"}


def book_end(record: RunRecord, spent: Usage, runs: RunStore) -> None:
    """Add what a run spent to the accounts of its caller."""
    mine = _of_caller(record.by, _figures(spent))
    if record.by and mine:
        runs.count(_today(), mine)
    runs.count(ALL, {f"ended {record.state}": 1, **mine})


class Reserved:
    """What work that is no run may spend of its caller's day: all of it until it ends, then what it did spend.

    So it counts where its process dies, too.
    """

    def __init__(self, caller: Caller, budget: str, runs: RunStore) -> None:
        """Reserve what the `budget` of the work, as its options have it, may take of the limits of the caller's day."""
        limits = parse_budget(budget) if budget else {}
        self._caller, self._runs, self._day = caller.name, runs, _today()
        self._reserved = {name: float(limits[name]) for name in caller.daily if limits.get(name)}
        self._spent = Usage()
        if self._reserved:
            runs.count(self._day, _of_caller(caller.name, self._reserved))

    def hear(self, event: Event) -> None:
        """Take note of what is spent."""
        if isinstance(event, BudgetTold):
            self._spent = event.usage

    def settle(self) -> None:
        """The work has ended: count what it spent in place of what it might have."""
        figures = _figures(self._spent)
        less = {name: figures.get(name, 0.0) - limit for name, limit in self._reserved.items()}
        if changed := _of_caller(self._caller, figures | less):
            if self._caller:
                self._runs.count(self._day, changed)
            self._runs.count(ALL, _of_caller(self._caller, figures))


def _figures(spent: Usage) -> dict[str, float]:
    return {"calls": spent.calls, "tokens": spent.tokens, "money": spent.cost or 0.0}


def _of_caller(name: str, figures: Mapping[str, float]) -> dict[str, float]:
    """Figures by the names that accounts have for them; those that are nothing are left out."""
    return {f"{figure} {name}": value for figure, value in figures.items() if value}


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
            moment = datetime.now(UTC)
            midnight = (moment + timedelta(days=1)).replace(hour=0, minute=0, second=0)
            rest_s = int((midnight - moment).total_seconds()) + 1
            raise Full(f"{caller.name}'s {name}={limit:g} of the day {what}", rest_s)
    return left


def metrics(runs: RunStore) -> str:
    """The figures in Prometheus' text format."""
    counts, records = runs.counts(ALL), runs.records()
    lines = [*_head("tdgen_runs", "gauge", "runs that wait, and that are worked on")]
    going = {state: sum(record.state == state for record in records) for state in ("queued", "running")}
    lines += (f'tdgen_runs{{state="{state}"}} {number}' for state, number in going.items())
    lines += _head("tdgen_runs_ended_total", "counter", "runs that ended, by how")
    lines += (f'tdgen_runs_ended_total{{state="{state}"}} {counts.get(f"ended {state}", 0):g}' for state in ENDED)
    for name, unit in _COUNTED.items():
        lines += _head(f"tdgen_{name}_total", "counter", f"{unit}, by the token's name")
        for figure, value in sorted(counts.items()):
            kind, _, caller = figure.partition(" ")
            if kind == name:
                label = caller.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
                lines.append(f'tdgen_{name}_total{{token="{label}"}} {value:.10g}')
    return "\n".join(lines) + "\n"


def _head(name: str, kind: str, help_text: str) -> Iterator[str]:
    yield f"# HELP {name} {help_text}"
    yield f"# TYPE {name} {kind}"


def _today() -> str:
    """The day by whose accounts is booked and limited, in UTC."""
    return datetime.now(UTC).date().isoformat()
