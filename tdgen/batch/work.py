"""One line's work, as a task that travels: to a thread here, to another process, or to another machine.

A worker process has one generator for all tasks with the same settings, so that its sandbox stays warm; it ends with
the process. What holds over all workers of a batch, wherever they are, is what lies in the cache's folder: locks,
solutions, and journals. Rate limits (`rpm`, `concurrency`) hold in each process for itself.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from tdgen.batch.lines import Line, folder_name
from tdgen.batch.row import Row, failed_row, solved_row
from tdgen.client import Generator, Handed
from tdgen.errors import TdgenError
from tdgen.events import BudgetTold, Event, Noted
from tdgen.settings import Settings
from tdgen.settings.budget import parse_budget
from tdgen.solution import Solution
from tdgen.specs.instruction import read_instruction
from tdgen.types import Usage, digest


class Task(NamedTuple):
    """A line, the source of its own tests, and whether the whole solution is wanted back. Picklable.

    `under` are settings beside those that the line itself names, such as where its transcript goes.
    """

    line: Line
    tests: str
    wants_solution: bool = False
    under: Mapping[str, Any] | None = None


class Done(NamedTuple):
    """A line's row, and its solution where that is wanted. Picklable."""

    row: Row
    solution: Solution | None = None


def changes(task: Task, settings: Settings) -> dict[str, Any]:
    """The settings that are the line's own; a transcript of many lines is a folder for each of them."""
    line, changed = task.line, dict(task.under or {})
    if settings.transcript and "transcript" not in changed:
        changed["transcript"] = str(Path(settings.transcript, folder_name(line.id)))
    if line.trust:
        changed["trust"] = line.trust
    if line.budget:
        changed["budget"] = settings.budget.model_copy(update=parse_budget(line.budget))
    return changed


def twin_key(task: Task) -> str:
    """A digest of all that decides what comes of a task in a run: tasks that share it are solved once.

    InputError where the line's text is no instruction.
    """
    line = task.line
    return digest([read_instruction(line.instruction).normalised, task.tests, line.trust, line.budget])


def solve_task(generator: Generator, task: Task) -> Done:
    """Solve one line; whatever goes wrong with it is in its row."""
    began = time.monotonic()
    notes: list[str] = []
    spent = Usage()

    def note(event: Event) -> None:
        nonlocal spent
        if isinstance(event, Noted) and len(notes) < 20:
            notes.append(event.text[:300])
        if isinstance(event, BudgetTold):
            spent = event.usage

    try:
        its_own = generator.under(on_event=note, **changes(task, generator.settings))
        solution = its_own.solve(task.line.instruction, Handed(tests=task.tests))
        row = solved_row(task.line, solution, time.monotonic() - began, tuple(notes))
        return Done(row, solution if task.wants_solution else None)
    except Exception as error:  # noqa: BLE001 - one line's failure, a bug's too, never stops the others
        row = failed_row(task.line, error, time.monotonic() - began)
        return Done(row.model_copy(update={"usage": spent}))


def solve_elsewhere(settings: Settings, task: Task) -> Done:
    """The same in a worker of any executor: the process's own generator solves it."""
    try:
        return solve_task(_HERE.generator(settings), task)
    except TdgenError as error:
        return Done(failed_row(task.line, error))


class _Process:
    """The generator of this process, as long as the settings stay the same."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._settings: Settings | None = None
        self._generator: Generator | None = None

    def generator(self, settings: Settings) -> Generator:
        with self._lock:
            if self._generator is None or self._settings != settings:
                # The one before is not closed: other threads may be solving with it.
                self._settings, self._generator = settings, Generator(settings)
            return self._generator


_HERE: Final = _Process()
