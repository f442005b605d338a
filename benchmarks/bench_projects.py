"""Real projects: stubs in twelve libraries, filled: run `python benchmarks/bench_projects.py`, it prints its tables.

Twelve pure-Python libraries of the package index, fetched by pip into `--cache` (or BENCHMARK_PROJECTS; about 40 MB)
and never part of this repository. Of each, documented functions and methods, drawn by a fixed seed, lose their bodies;
the library's own tests, run in the sandbox, must notice it. Then each is read and selected as `tdgen fill` does, its
original body is laid back the way that a developer's answer goes, and the library's own tests are the gate. A
simulated model that knows the original body, and takes its cases from the docstring's doctests, solves those that have
some. `--large` prints what the context of a generated project of 100,000 lines, and a case in it, cost instead.

`--live N` solves N tasks that no other name has, drawn by `--seed`, with the model behind OPENAI_BASE_URL, asks the
same model once for each beside it, and keeps the answers under `project-answers/NAME`; what is kept is played again,
without a model. With `--methods` they are methods, and with `--added` they are given as additions, and nobody is asked
once.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from projects.large import large_project
from projects.libraries import LIBRARIES, Library, fetched
from projects.live import Kept, kept_tasks, play, solve
from projects.measuring import Measured, Opened, measured, opened
from projects.tasks import SEED, TRIES, Draw, tasks_named, tasks_of
from tables import cell, table

from tdgen.errors import InputError, TdgenError
from tdgen.metrics import Share
from tdgen.settings import Budget, Settings, load_settings
from tdgen.types import digest

ANSWERS = Path(__file__).parent / "project-answers"

PROJECTS = ("library", "code from", "modules", "index s", "again s", "tests", "passing", "s", "tasks")
TASKS = (
    *("task", "notice", "tokens", "read s", "laid back", "gate", "gate s", "cases"),
    *("simulated", "right", "s", "added", "right", "broken", "elsewhere"),
)
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
        return (one.task.id, len(one.task.noticing), *[None] * 12, short(one.refused))
    return (
        *(one.task.id, len(one.task.noticing), one.tokens, one.read_s, short(one.difference) or "same bytes"),
        *(short(one.gate) or "right", one.gate_s, one.cases, short(one.solved), one.right, one.solve_s or None),
        *(short(one.added) or None, one.added_right, one.broken, " ".join(one.elsewhere) or None),
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
                found = []
                for task in tasks:
                    found.append(measured(task, place, solves=solves))
                    print(" | ".join(map(cell, task_row(found[-1]))), file=sys.stderr, flush=True)
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
    if every:
        sums(every)


def sums(every: Sequence[Measured]) -> None:
    """How often each step went well."""
    read = [one for one in every if not one.refused]
    tried = [one for one in read if one.cases]
    green, added = ([one for one in tried if getattr(one, way) == "green"] for way in ("solved", "added"))
    rows = [
        ("selected and read", Share(len(read), len(every))),
        ("laid back byte for byte", Share(sum(not one.difference for one in read), len(read))),
        ("gate right", Share(sum(not one.gate for one in read), len(read))),
        ("filled: green by the simulated model", Share(len(green), len(tried))),
        ("filled: of these wrong by the library's tests", Share(sum(not one.right for one in green), len(green))),
        ("added: green by the simulated model", Share(len(added), sum(bool(one.added) for one in tried))),
        ("added: of these wrong by the library's tests", Share(sum(not one.added_right for one in added), len(added))),
        ("tests of the library broken", Share(sum(one.broken > 0 for one in tried), len(tried))),
        ("files changed elsewhere", Share(sum(bool(one.elsewhere) for one in green), len(green))),
    ]
    table("Together", ("step", "tasks"), rows)


def solve_live(options: argparse.Namespace, libraries: Sequence[Library]) -> None:
    """Solve so many tasks with the settings' model, in the seed's order, a library after the other; print the table.

    InputError where no endpoint is named, or nobody answers: the same command then goes on.
    """
    settings = load_settings(
        {"model": options.model or None, "trust": "standard", "budget": Budget(calls=None, seconds=None)}
    )
    if not settings.base_url:
        raise InputError("--live needs a model: set OPENAI_BASE_URL")
    logs = options.logs or Path(tempfile.gettempdir(), f"tdgen-projects-{options.name}")
    kept, found, each = options.answers / options.name, list[Kept](), -(-options.live // len(libraries))
    known = {task for folder in options.answers.glob("*") if folder.name != options.name for task in kept_tasks(folder)}
    draw = Draw(options.seed, options.methods, frozenset(known))
    for library in sorted(libraries, key=lambda library: digest([options.seed, library.id])):
        wanted = min(len(found) + each, options.live)
        if len(found) >= wanted:
            break
        with opened(library, fetched(library, options.cache)) as place:
            for task in tasks_of(place.checkout, place.sandbox, TRIES, draw):
                try:
                    found.append(solve(task, place, logs, kept, settings, added=options.added))
                    told = found[-1].outcome
                except InputError as error:
                    told = f"refused: {short(str(error))}"
                print(f"{task.id}: {told}", file=sys.stderr, flush=True)
                if len(found) >= wanted:
                    break
    live_tables(options.name, found)


def play_kept(options: argparse.Namespace, libraries: Sequence[Library]) -> bool:
    """Play what is kept of these libraries, a table for each name; whether all came out as it was."""
    is_same, every = True, list[Kept]()
    for folder in sorted(path for path in options.answers.glob("*") if path.is_dir()):
        places, found = kept_tasks(folder), list[Kept]()
        for library in libraries:
            mine = {task: path for task, path in places.items() if task.startswith(f"{library.name}/")}
            if not mine:
                continue
            try:
                with opened(library, fetched(library, options.cache)) as place:
                    for task in tasks_named(place.checkout, place.sandbox, mine):
                        record, difference = play(task, place, mine[task.id], Settings(trust="standard"))
                        found.append(record)
                        if difference:
                            print(f"otherwise: {task.id}: {difference}")
                            is_same = False
            except TdgenError as error:
                print(f"not played again: {library.id}: {short(str(error))}")
        if found:
            live_tables(f"{folder.name}, played again", found)
            every += found
    if every:
        for kind, some in _by_kind(every).items():
            live_sums(f"{kind}: all that is kept, played again", some)
    return is_same


def live_tables(name: str, found: Sequence[Kept]) -> None:
    """All tasks together, and each."""
    for kind, some in _by_kind(found).items():
        live_sums(f"{kind}: {name}", some)
    each = (
        (
            *(one.task, short(f"{one.outcome}: {one.reason}"), one.right, None if one.added else one.once_right),
            *(one.usage.calls, one.usage.tokens),
        )
        for one in found
    )
    table("Each task", ("task", "ended", "right", "once right", "calls", "tokens"), each)


def _by_kind(found: Sequence[Kept]) -> dict[str, list[Kept]]:
    """The stubs that were filled, and what was added, as far as there are any."""
    kinds = {"Stubs": [one for one in found if not one.added], "Additions": [one for one in found if one.added]}
    return {kind: some for kind, some in kinds.items() if some}


def live_sums(title: str, found: Sequence[Kept]) -> None:
    """All tasks together, beside the model asked once."""
    count, green = len(found), sum(one.is_green for one in found)
    false = Share(sum(one.is_green and not one.right for one in found), green)
    red = Share(sum(one.right and not one.is_green for one in found), count)
    mine = ("tdgen", count, Share(sum(one.right for one in found), count), green, false, red)
    once = ("asked once", count, Share(sum(one.once_right for one in found), count), None, None, None)
    tokens = [sum(one.usage.tokens for one in found), sum(one.once_usage.tokens for one in found)]
    calls = sum(one.usage.calls for one in found) / max(1, count)
    rows = [(*mine, calls, tokens[0] / max(1, count))]
    if any(one.once_usage.calls for one in found):
        rows.append((*once, 1.0, tokens[1] / max(1, count)))
    table(title, ("", "tasks", "right", "green", "false greens", "false reds", "calls", "tokens"), rows)


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
    option("--live", type=int, default=0, metavar="N", help="solve so many tasks with the model of OPENAI_BASE_URL")
    option("--seed", type=int, default=SEED, help=f"which tasks --live draws ({SEED})")
    option("--methods", action="store_true", help="of methods alone, with --live")
    option("--added", action="store_true", help="given as additions, with --live")
    option("--name", default="live", help="under which name the answers are kept")
    option("--model", default="", help="the endpoint's model to ask (or TDGEN_MODEL)")
    option("--logs", type=Path, help="the folder of a live run's logs, from which it goes on (a temporary one)")
    option("--answers", type=Path, default=ANSWERS, help="the folder of the answers that are kept")
    option("--no-simulated", action="store_true", help="leave the simulated model out")
    option("--large", action="store_true", help="measure a generated project of 100,000 lines, and nothing else")
    options = parser.parse_args(arguments)
    if options.large:
        large_project()
        return
    try:
        libraries = chosen(options.only)
    except InputError as error:
        sys.exit(str(error))
    try:
        if options.live:
            solve_live(options, libraries)
            return
    except TdgenError as error:
        sys.exit(str(error))
    print(f"seed {SEED}, {options.tasks} tasks of each library", flush=True)
    measure(libraries, options.cache, options.tasks, solves=not options.no_simulated)
    if not play_kept(options, libraries):
        sys.exit(1)


if __name__ == "__main__":
    main()
