"""The live picture on a terminal, drawn by rich; lines that should stay are printed above it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Final, Self

from rich.cells import cell_len, set_cell_size
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from tdgen.cli.progress_lines import lines_of
from tdgen.cli.progress_state import ENDINGS, Row, State
from tdgen.cli.spending import told
from tdgen.events import Event, Noted

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


class Picture:
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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
            return _picture(self._state, self._spinner, self._console.height - _FIXED_LINES, self._console.width)


def _picture(state: State, spinner: Spinner, room: int, width: int) -> RenderableType:
    stage = STAGES.get(state.stage, state.stage)
    spinner.update(text=_cut(f"{stage}  {state.doing}".rstrip(), "bold"))
    parts: list[Any] = [spinner]
    if state.plan:
        parts.append(_cut(state.plan))
    if state.rows:
        parts += _lines(list(state.rows.values()), max(3, room), width)
    return Group(*parts, _cut(told(state.spent), "dim"))


def _lines(rows: list[Row], room: int, width: int) -> list[Text]:
    """A line for each function: its mark and its name are seen on the narrowest terminal too."""
    shown = rows if len(rows) <= room else sorted(rows, key=_urgency)[: room - 1]
    widest = min(max(cell_len(row.name) for row in shown), max(8, width // 2))
    lines = [_line(row, widest) for row in shown]
    if len(shown) < len(rows):
        green = sum(row.state == "green" for row in rows)
        lines.append(_cut(f"  … {len(rows)} functions in all, {green} green", "dim"))
    return lines


def _line(row: Row, widest: int) -> Text:
    mark, style = _MARKS.get(row.state, ("·", "dim"))
    name = row.name if cell_len(row.name) <= widest else set_cell_size(row.name, widest - 1) + "…"
    line = _cut(f"{mark} {set_cell_size(name, widest)} ", style)
    return line.append(" · ".join(filter(None, [row.told, row.doing])), style="dim")


def _urgency(row: Row) -> tuple[bool, bool]:
    """What is being worked on comes before what waits, and that before what has ended."""
    return row.state in ENDINGS, row.state == "waiting"


def _cut(text: str, style: str = "") -> Text:
    return Text(text, style=style, no_wrap=True, overflow="ellipsis")
