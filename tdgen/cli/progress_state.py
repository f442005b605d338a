"""How far a run is, gathered from its events: what a live picture shows."""

from __future__ import annotations

from dataclasses import dataclass, field

from tdgen.cli.progress_lines import attempt_told, plan_told
from tdgen.cli.speaking import count, one_line
from tdgen.events import (
    AttemptJudged,
    AttemptStarted,
    BudgetTold,
    Event,
    FunctionDivided,
    FunctionEnded,
    HelpersDropped,
    ModelAnswered,
    ModelAsked,
    ModelWrote,
    PlanMade,
    RedSeen,
    StageStarted,
    SuiteWritten,
)
from tdgen.types import Attempt, Usage

ENDINGS = ("green", "red", "blocked", "undecided")


@dataclass
class Row:
    """One function: how it stands, and what is being done about it."""

    name: str
    state: str = "waiting"
    told: str = ""
    doing: str = ""


@dataclass
class State:
    """All that a picture shows. `take` adds an event; whoever calls it from several threads holds a lock."""

    stage: str = ""
    plan: str = ""
    doing: str = ""
    rows: dict[str, Row] = field(default_factory=dict)
    spent: Usage = field(default_factory=Usage)

    def take(self, event: Event) -> None:
        """Add what an event tells."""
        match event:
            case StageStarted(stage=stage):
                self.stage = stage
            case PlanMade(plan=plan):
                self.plan = one_line(plan_told(event), 400)
                self.rows = {spec.name: Row(spec.name) for spec in plan.functions}
            case ModelAsked() | ModelWrote() | ModelAnswered():
                self._take_model(event)
            case BudgetTold(usage=usage):
                self.spent = usage
            case _:
                self._take_function(event)

    def _take_function(self, event: Event) -> None:
        match event:
            case FunctionDivided(spec=spec, helpers=helpers):
                self._divide(spec.name, [helper.name for helper in helpers])
            case HelpersDropped(helpers=names):
                self.rows = {name: row for name, row in self.rows.items() if name not in names}
            case SuiteWritten(suite=suite):
                self._tell(suite.function, "tests", count(len(suite.cases), "case"))
            case RedSeen(function=name, red=red, cases=cases):
                self._tell(name, "tests", f"{red} of {count(cases, 'case')} fail as they should")
            case AttemptStarted(function=name, number=number):
                self._tell(name, "work", self._row(name).told, f"attempt {number}")
            case AttemptJudged(attempt=Attempt() as attempt):
                text = f"attempt {attempt.number}: {attempt_told(attempt)}"
                self._tell(attempt.function, "work", one_line(text, 200))
            case FunctionEnded(function=name, outcome=outcome):
                self._tell(name, outcome, self._row(name).told)

    def _divide(self, name: str, helpers: list[str]) -> None:
        """Rows for a function's helpers, before its own."""
        rows = dict(self.rows)
        self.rows = {}
        for known, row in rows.items():
            if known == name:
                row.doing = "divided into helpers"
                self.rows |= {helper: Row(helper, told=f"helper of {name}") for helper in helpers}
            self.rows[known] = row

    def _row(self, name: str) -> Row:
        return self.rows.setdefault(name, Row(name))

    def _tell(self, name: str, state: str, told: str, doing: str = "") -> None:
        self.rows[name] = Row(name, state, told, doing)

    def _take_model(self, event: ModelAsked | ModelWrote | ModelAnswered) -> None:
        match event:
            case ModelAsked():
                doing = "asking the model"
            case ModelWrote(characters=characters):
                doing = f"the model writes: {count(characters, 'character')}"
            case ModelAnswered():
                doing = ""
        if event.subject:
            self._row(event.subject).doing = doing
        else:
            self.doing = doing
