"""Other languages than Python, without a live model: `make bench-languages`, or parts of it by their names.

- `check`: the tasks under `languages/` (see the README there): references pass their hidden cases, faulty bodies fail
- `simulated`: each task in each language at trust standard, answered by a simulated model (`language_tasks/model.py`)
- `live`: what a language model answered, under `language-logs/`, is played again
- `costs`: what a function's cases cost, side by side (`language_costs.py`)

`--rows LANGUAGE` prints the tasks that were solved live as a data set: `tdgen eval ROWS --language LANGUAGE -o LOGS`
solves them with your model, and `--keep LOGS NAME` takes what a replay needs into `language-logs/LANGUAGE-NAME`.
`--renew NAME WHO` has a language model answer what the log NAME lacks now (`renewing.py`).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from language_costs import print_costs
from language_tasks.model import SimulatedModel
from language_tasks.tasks import LANGUAGES, Name, Task, read_tasks
from language_tasks.trying import TaskJudge, missing
from renewing import renew
from tables import table

from tdgen.batch import Stamp
from tdgen.errors import InputError
from tdgen.evaluation import Record, evaluate, keep, replay
from tdgen.settings import Budget, Settings

LOGS = Path(__file__).parent / "language-logs"
PARTS = ("check", "simulated", "live", "costs")
COLUMNS = (
    *("language", "tasks", "right", "asked once right", "green", "wrong of these", "right, called red", "abstained"),
    *("first code wrong", "calls", "tokens", "asked once: tokens"),
)


def check(languages: Sequence[Name], tasks: Sequence[Task]) -> bool:
    """Print what the hidden cases say of the tasks' own code; whether all is as it must be."""
    rows = []
    for language in languages:
        with TaskJudge(language) as judge:
            faults = list(judge.faults(tasks))
        rows.append((language, len(tasks), "; ".join(faults) or "as it must be"))
    table("The tasks themselves", ("language", "tasks", "hidden cases on the reference and two faults"), rows)
    return all(row[2] == "as it must be" for row in rows)


def simulate(languages: Sequence[Name], tasks: Sequence[Task], seed: int) -> None:
    """Print what comes of the tasks when a simulated model answers."""
    rows = []
    for language in languages:
        settings = Settings(language=language, trust="standard", concurrency=2, budget=Budget(seconds=None))
        with TaskJudge(language) as judge, tempfile.TemporaryDirectory() as folder:
            problems = [task.problem(language) for task in tasks]
            model = SimulatedModel(tasks, judge, seed)
            found = evaluate(problems, Path(folder, "logs"), name=language, settings=settings, model=model)
        for record in found.runs[0]:
            if record.is_false_green or record.is_false_red or not record.accepted:
                print(f"{language} {record.id}: {record.outcome}; {'; '.join(record.last.faults[:1]) or 'right'}")
        rows.append(_row(language, found.runs[0]))
    table("Solved with a simulated model, trust standard", COLUMNS, rows)


def play(languages: Sequence[Name], tasks: Sequence[Task]) -> bool:
    """Play the kept logs again and print their figures; whether every figure came out as it was."""
    rows, differences = [], list[str]()
    for logs in sorted(path.parents[1] for path in LOGS.glob("*/run-1/judged")):
        language = _language_of(logs)
        if language in languages:
            found = replay([task.problem(language) for task in tasks], logs, name=logs.name, settings=Settings())
            if records := [record for run in found.evaluation.runs for record in run]:  # none of the tasks named, else
                rows.append(_row(logs.name, records))
            differences += [f"{logs.name}, otherwise: {difference}" for difference in found.differences]
    table("Solved by a language model, played again", COLUMNS, rows)
    print("\n".join(["", *differences]))
    return not differences


def _row(name: str, records: Sequence[Record]) -> tuple[object, ...]:
    green = [record for record in records if record.accepted]
    once = [record.beside.once for record in records if record.beside]
    abstained = [record for record in records if not record.accepted and not record.rejected]
    return (
        *(name, len(records), sum(record.last.right for record in records)),
        *(sum(asked.judged.right for asked in once) if once else None, len(green)),
        *(sum(record.is_false_green for record in green), sum(record.is_false_red for record in records)),
        *(len(abstained), sum(not record.first.right for record in records)),
        sum(record.usage.calls for record in records) / len(records),
        sum(record.usage.tokens for record in records) / len(records),
        sum(asked.usage.tokens for asked in once) / len(once) if once else None,
    )


def _language_of(logs: Path) -> Name:
    language: Name = Stamp.model_validate_json((logs / "run-1" / "batch.json").read_bytes()).settings["language"]
    return language


def _rows(language: Name, tasks: Sequence[Task]) -> None:
    for problem in (task.problem(language) for task in tasks if task.live):
        row = {"id": problem.id, "prompt": problem.instruction, "entry_point": problem.function}
        print(json.dumps(row | {"cases": problem.cases}, ensure_ascii=False))


def main() -> None:
    """Print what is asked for, all parts in all languages where nothing is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all where none is named")
    parser.add_argument("--language", choices=LANGUAGES, action="append", help="only this one; may be repeated")
    parser.add_argument("--task", action="append", default=[], help="only this one; may be repeated")
    parser.add_argument("--seed", type=int, default=0, help="of the simulated model")
    parser.add_argument("--rows", choices=LANGUAGES, help="print the tasks that were solved live as a data set")
    parser.add_argument("--keep", nargs=2, metavar=("LOGS", "NAME"), help="keep what a replay needs of these logs")
    parser.add_argument("--renew", nargs=2, metavar=("NAME", "WHO"), help="have your model answer what this log lacks")
    options = parser.parse_args()
    if wrong := [part for part in options.parts if part not in PARTS]:
        parser.error(f"there is no part {wrong[0]!r}: the parts are {', '.join(PARTS)}")
    parts = options.parts or PARTS
    try:
        every = read_tasks()
        if wrong := sorted({*options.task} - {task.name for task in every}):
            parser.error(f"there is no task {wrong[0]!r}: they are the files of benchmarks/languages")
        tasks = [task for task in every if not options.task or task.name in options.task]
        if options.rows:
            return _rows(options.rows, tasks)
        if options.keep:
            return keep(Path(options.keep[0]), LOGS / options.keep[1])
        if options.renew:
            logs = LOGS / options.renew[0]
            return renew([task.problem(_language_of(logs)) for task in tasks], logs, options.renew[1])
        there = _there(options.language or list(LANGUAGES))
        is_fine = check(there, tasks) if "check" in parts else True
        if "simulated" in parts:
            simulate(there, tasks, options.seed)
        is_fine = (play(there, tasks) if "live" in parts else True) and is_fine
        if "costs" in parts:
            print_costs()
    except InputError as error:
        sys.exit(str(error))
    sys.exit(not is_fine)


def _there(languages: Sequence[Name]) -> list[Name]:
    """The languages whose programs are here; of the others it is told."""
    for language in languages:
        if program := missing(language):
            print(f"{language}: {program} is not here: {LANGUAGES[language].advice}")
    return [language for language in languages if not missing(language)]


if __name__ == "__main__":
    main()
