"""Real projects: stubs in twelve libraries, filled: run `python benchmarks/bench_projects.py`, it prints its tables.

Twelve pure-Python libraries of the package index, fetched by pip into `--cache` (or BENCHMARK_PROJECTS; about 40 MB)
and never part of this repository. Of each, documented functions and methods, drawn by a fixed seed, lose their bodies;
the library's own tests, run in the sandbox, must notice it. Then each is read and selected as `tdgen fill` does, its
original body is laid back the way that a developer's answer goes, and the library's own tests are the gate. A
simulated model that knows the original body, and takes its cases from the docstring's doctests, solves those that have
some.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from projects.libraries import LIBRARIES, Library, fetched
from projects.measuring import Measured, Opened, measured, opened
from projects.tasks import SEED, tasks_of
from tables import table

from tdgen.errors import InputError, TdgenError
from tdgen.metrics import Share

PROJECTS = ("library", "code from", "modules", "index s", "again s", "tests", "passing", "s", "tasks")
TASKS = ("task", "notice", "tokens", "read s", "laid back", "gate", "gate s", "cases", "simulated", "s")
LONGEST_REASON = 160


def project_row(place: Opened, tasks: int) -> tuple[object, ...]:
    """What was found of a library."""
    project, report = place.checkout.project, place.checkout.report
    folders = " ".join(project.relative(path) for path in project.import_folders[:1])
    tests = f"{len(report.outcomes)}" if report.complete else f"{len(report.outcomes)} in time"
    return (
        *(place.checkout.library.id, folders, len(place.checkout.index.sources), place.cold_s, place.again_s),
        *(tests, len(place.checkout.passing), report.resources.wall_s, tasks),
    )


def task_row(one: Measured) -> tuple[object, ...]:
    """What was measured of a task."""
    if one.refused:
        return (one.task.id, len(one.task.noticing), *[None] * 7, short(one.refused))
    return (
        *(one.task.id, len(one.task.noticing), one.tokens, one.read_s, short(one.difference) or "same bytes"),
        *(short(one.gate) or "right", one.gate_s, one.cases, short(one.solved), one.solve_s or None),
    )


def short(text: str) -> str:
    """A reason in one line that a table can hold."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_REASON else f"{line[:LONGEST_REASON]}…"


def measure(libraries: Sequence[Library], cache: Path, number: int, *, solves: bool = True) -> None:
    """Measure so many tasks of each library, and print the tables; what can't be run is told with its reason."""
    projects, every, missing = [], list[Measured](), []
    for library in libraries:
        try:
            with opened(library, fetched(library, cache)) as place:
                tasks = list(tasks_of(place.checkout, place.sandbox, number))
                found = [measured(task, place, solves=solves) for task in tasks]
                projects.append(project_row(place, len(tasks)))
                every += found
                if len(tasks) < number:
                    missing.append(
                        (library.id, f"{len(tasks)} of {number} tasks: its tests notice no other body drawn")
                    )
        except TdgenError as error:
            missing.append((library.id, short(str(error))))
        print(f"{library.id}: done", file=sys.stderr, flush=True)
    table("Projects", PROJECTS, projects)
    table("Tasks", TASKS, map(task_row, every))
    table("Left out", ("library", "why"), missing)
    sums(every)


def sums(every: Sequence[Measured]) -> None:
    """How often each step went well."""
    read = [one for one in every if not one.refused]
    tried = [one for one in read if one.cases]
    rows = [
        ("selected and read", Share(len(read), len(every))),
        ("laid back byte for byte", Share(sum(not one.difference for one in read), len(read))),
        ("gate right", Share(sum(not one.gate for one in read), len(read))),
        ("solved by the simulated model", Share(sum(one.solved == "green" for one in tried), len(tried))),
    ]
    table("Together", ("step", "tasks"), rows)


def chosen(only: str) -> list[Library]:
    """The libraries named, else all; InputError for one that there is not."""
    names = [name for name in only.split(",") if name]
    by_name = {library.name: library for library in LIBRARIES}
    if unknown := [name for name in names if name not in by_name]:
        raise InputError(f"there is no library {unknown[0]}: there are {', '.join(by_name)}")
    return [by_name[name] for name in names] or list(LIBRARIES)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    given = os.environ.get("BENCHMARK_PROJECTS") or Path(tempfile.gettempdir(), "tdgen-projects")
    option("--cache", type=Path, default=Path(given), help="the folder that the libraries are fetched into")
    option("--only", default="", metavar="NAMES", help="these libraries alone, with commas between")
    option("--tasks", type=int, default=2, metavar="N", help="how many tasks of each library (2)")
    option("--no-simulated", action="store_true", help="leave the simulated model out")
    options = parser.parse_args(arguments)
    try:
        libraries = chosen(options.only)
    except InputError as error:
        sys.exit(str(error))
    print(f"seed {SEED}, {options.tasks} tasks of each library", flush=True)
    measure(libraries, options.cache, options.tasks, solves=not options.no_simulated)


if __name__ == "__main__":
    main()
