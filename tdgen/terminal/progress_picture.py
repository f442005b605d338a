"""The live picture on a terminal, drawn by rich; lines that should stay are printed above it.

How far a run is, gathered from its events: what a live picture shows.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from rich.cells import cell_len, set_cell_size
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

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
    Noted,
    PlanMade,
    RedSeen,
    StageStarted,
    SuiteWritten,
)
from tdgen.protocols import Closing
from tdgen.terminal.output import count, one_line, spending
from tdgen.terminal.progress_lines import attempt_line, lines_of, plan_line
from tdgen.types import Attempt, Usage

STAGES: Final = {
    "plan": "planner",
    "order": "planner",
    "reading": "developer",
    "tests": "tester",
    "red": "red",
    "weigh": "tester",
    "compare": "tester",
    "confirm": "tester",
    "properties": "tester",
    "build": "developer",
    "finish": "finishing",
}
_MARKS: Final = {"green": ("✓", "green"), "red": ("✗", "red"), "blocked": ("✗", "yellow"), "undecided": ("?", "yellow")}
_FIXED_LINES: Final = 5


class Picture(Closing):
    """Draws a run's state, again and again, until it is closed; then it is gone, and a summary can take its place."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True, highlight=False, markup=False, emoji=False)
        self._lock = threading.Lock()
        self._state = State()
        self._spinner = Spinner("dots")
        self._live = self._new_live()
        self._started = False

    def take(self, event: Event) -> None:
        """Show what an event tells; the first one starts the picture."""
        with self._lock:
            self._state.take(event)
        if not self._started:
            self._started = True
            self._live.start()
        if isinstance(event, Noted):
            for line in lines_of(event):
                self._console.print(Text(line.text, style="yellow"))

    @contextmanager
    def aside(self) -> Iterator[None]:
        """The picture is gone while the block runs; what is written meanwhile stays above it."""
        if self._started:
            self._live.stop()
        try:
            yield
        finally:
            if self._started:
                # The old one would begin where it was drawn last, over what was written since.
                self._live = self._new_live()
                self._live.start()

    def close(self) -> None:
        """Take it away. Closing twice is allowed."""
        if self._started:
            self._live.stop()

    def _new_live(self) -> Live:
        return Live(
            get_renderable=self._drawn,
            console=self._console,
            refresh_per_second=8,
            transient=True,
            redirect_stdout=False,
        )

    def _drawn(self) -> RenderableType:
        with self._lock:
            state = self._state
            stage = STAGES.get(state.stage, state.stage)
            self._spinner.update(text=_cut(f"{stage}  {state.doing}".rstrip(), "bold"))
            parts: list[Any] = [self._spinner]
            if state.plan:
                parts.append(_cut(state.plan))
            if state.rows:
                room = max(3, self._console.height - _FIXED_LINES)
                parts += _lines(list(state.rows.values()), room, self._console.width)
            return Group(*parts, _cut(spending(state.spent), "dim"))


def _lines(rows: list[Row], room: int, width: int) -> list[Text]:
    """A line for each function: its mark and its name are seen on the narrowest terminal too."""
    shown = rows
    if len(rows) > room:  # what is being worked on comes before what waits, and that before what has ended
        shown = sorted(rows, key=lambda row: (row.state in ENDINGS, row.state == "waiting"))[: room - 1]
    widest = min(max(cell_len(row.name) for row in shown), max(8, width // 2))
    lines: list[Text] = []
    for row in shown:
        mark, style = _MARKS.get(row.state, ("·", "dim"))
        name = row.name if cell_len(row.name) <= widest else set_cell_size(row.name, widest - 1) + "…"
        line = _cut(f"{mark} {set_cell_size(name, widest)} ", style)
        lines.append(line.append(" · ".join(filter(None, [row.text, row.doing])), style="dim"))
    if len(shown) < len(rows):
        green = sum(row.state == "green" for row in rows)
        lines.append(_cut(f"  … {len(rows)} functions in all, {green} green", "dim"))
    return lines


def _cut(text: str, style: str = "") -> Text:
    return Text(text, style=style, no_wrap=True, overflow="ellipsis")


ENDINGS = ("green", "red", "blocked", "undecided")


@dataclass
class Row:
    """One function: how it stands, and what is being done about it."""

    name: str
    state: str = "waiting"
    text: str = ""
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
                self.plan = one_line(plan_line(event), 400)
                self.rows = {spec.name: Row(spec.name) for spec in plan.functions}
            case ModelAsked() | ModelWrote() | ModelAnswered():
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
                self._tell(name, "work", self._row(name).text, f"attempt {number}")
            case AttemptJudged(attempt=Attempt() as attempt):
                text = f"attempt {attempt.number}: {attempt_line(attempt)}"
                self._tell(attempt.function, "work", one_line(text, 200))
            case FunctionEnded(function=name, outcome=outcome):
                self._tell(name, outcome, self._row(name).text)

    def _divide(self, name: str, helpers: list[str]) -> None:
        """Rows for a function's helpers, before its own."""
        rows = dict(self.rows)
        self.rows = {}
        for known, row in rows.items():
            if known == name:
                row.doing = "divided into helpers"
                self.rows |= {helper: Row(helper, text=f"helper of {name}") for helper in helpers}
            self.rows[known] = row

    def _row(self, name: str) -> Row:
        return self.rows.setdefault(name, Row(name))

    def _tell(self, name: str, state: str, text: str, doing: str = "") -> None:
        self.rows[name] = Row(name, state, text, doing)
