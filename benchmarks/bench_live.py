"""Real work: original instructions with hidden tests (`live/README.md`).

`--check` tries the benchmark itself: each hidden test passes on its reference and fails on each faulty module.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tables import table

from tdgen.sandbox import LocalSandbox
from tdgen.types import FileJob, FileReport, Limits

FOLDER = Path(__file__).parent / "live"
LIMITS = Limits(wall_s=60.0, cpu_s=60.0)
FAULTY = 3


class Task(NamedTuple):
    """One instruction of the benchmark, with what is hidden from whoever solves it."""

    name: str
    kind: str
    instruction: str
    functions: tuple[str, ...]
    entry: str
    refusal: tuple[str, ...]
    hidden: str
    reference: str
    faulty: tuple[str, ...]

    @property
    def problems(self) -> Iterator[str]:
        """What is wrong with the task as it stands on disk."""
        if self.refusal:
            yield from (
                f"{place!r} is not in the instruction" for place in self.refusal if place not in self.instruction
            )
            if len(self.refusal) != 2:
                yield "a contradiction is between two places"
            return
        if not self.hidden or not self.reference:
            yield "there is no hidden test, or no reference"
        if len(self.faulty) != FAULTY:
            yield f"there are {len(self.faulty)} faulty modules, not {FAULTY}"
        yield from (f"the instruction does not name {name}" for name in self.functions if name not in self.instruction)


def read_tasks(folder: Path = FOLDER) -> list[Task]:
    """The benchmark's tasks by name."""
    return [_read(path.parent) for path in sorted(folder.glob("*/task.json"))]


def _read(folder: Path) -> Task:
    told = json.loads((folder / "task.json").read_text(encoding="utf-8"))
    return Task(
        name=folder.name,
        kind=told["kind"],
        instruction=(folder / "instruction.md").read_text(encoding="utf-8"),
        functions=tuple(told.get("functions", ())),
        entry=told.get("entry", ""),
        refusal=tuple(told.get("refusal", ())),
        hidden=_text(folder / "hidden_test.py"),
        reference=_text(folder / "reference.py"),
        faulty=tuple(path.read_text(encoding="utf-8") for path in sorted(folder.glob("faulty_*.py"))),
    )


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def hidden_run(sandbox: LocalSandbox, task: Task, source: str) -> FileReport:
    """What the hidden tests say of a module's source."""
    files = {"solution.py": source, "hidden_test.py": task.hidden}
    return sandbox.run_files(FileJob(files=files, tests=("hidden_test.py",), limits=LIMITS))


def check(tasks: list[Task]) -> bool:
    """Print what each task's hidden tests say of its own modules; whether all is as it must be."""
    rows, fine = [], True
    with LocalSandbox() as sandbox:
        for task in tasks:
            problems = list(task.problems)
            if task.hidden and task.reference:
                report = hidden_run(sandbox, task, task.reference)
                problems += [] if report.passed else [f"the reference fails: {report.log[-300:]}"]
                runs = [hidden_run(sandbox, task, source) for source in task.faulty]
                problems += [f"faulty_{n} passes" for n, run in enumerate(runs, 1) if run.passed]
                problems += [f"faulty_{n} can't be run" for n, run in enumerate(runs, 1) if not run.outcomes]
            fine = fine and not problems
            rows.append((task.name, task.kind, "; ".join(problems) or "as it must be"))
    table("Real work: the benchmark itself", ("task", "kind", "hidden tests on the reference and three faults"), rows)
    return fine


def main() -> None:
    """Check the tasks that are named; all where none is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", required=True, help="try the benchmark itself")
    parser.add_argument("tasks", nargs="*", help="the names of tasks; all where none is given")
    options = parser.parse_args()
    tasks = [task for task in read_tasks() if not options.tasks or task.name in options.tasks]
    sys.exit(not check(tasks))


if __name__ == "__main__":
    main()
