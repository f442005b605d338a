"""How far green can be believed: run `python benchmarks/bench_trust.py --data FOLDER`, it prints its tables.

The test author's answers are a published set of model-written suites, half of it, with a label on each assert; the
developer's are HumanEval's reference bodies, and faulty ones: mutants of them that do something else on HumanEval+'s
inputs. The trial errs at a stated rate, and so does the second reading (see `trust/model.py` for how). No language
model is asked.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from simulated.draws import shuffled
from simulated.problems import FILE, data_path, load
from tables import percent, quantile, table
from trust.model import observed, same_behaviour
from trust.runs import Outcome, Sandboxes, Setting, run
from trust.suites import Task, read_tasks

from tdgen.mutation import mutants
from tdgen.sandboxes import open_sandbox

FAULTY = 2
AT_ONCE = 2
SETTINGS = (
    Setting("quick", truth=True),
    Setting("quick"),
    *(Setting("standard", errs) for errs in (0.0, 0.1, 0.2)),
    *(Setting("standard", errs, reads=True) for errs in (0.0, 0.1, 0.2)),
    *(Setting("strict", errs, reads=True) for errs in (0.0, 0.1, 0.2)),
)
MISREADINGS = 4  # faulty bodies of a task from which a wrong second reading is drawn


class Ran(NamedTuple):
    """All runs of one setting: those with the reference, and those with faulty bodies, by task."""

    setting: Setting
    right: list[tuple[Task, Outcome]]
    faulty: list[tuple[Task, Outcome]]


def faulty_bodies(task: Task, sandboxes: Sandboxes, most: int) -> tuple[str, ...]:
    """Mutants of the reference that do something else on the hidden inputs, drawn by the problem's name."""
    wanted = observed(sandboxes.reference, task.reference, task.hidden)
    found: list[str] = []
    made = mutants(task.reference, task.problem.function, most=60)
    for mutant in shuffled(made, "faulty", task.problem.name):
        if len(found) == most:
            break
        seen = observed(sandboxes.reference, mutant.source, task.hidden[:40])
        if not same_behaviour(task._replace(hidden=task.hidden[:40]), wanted[:40], seen):
            found.append(mutant.source)
    return tuple(found)


def suites_table(ran: Sequence[Ran]) -> None:
    """Which final suites accept the reference, what was wrongly dropped, which faulty bodies were accepted."""
    rows = []
    truth = _accepts(ran[0].faulty, right=False)
    for setting, right, faulty in ran:
        both = [*right, *faulty]
        dropped = sum(len(_right(task) - outcome.kept) for task, outcome in both)
        rows.append(
            (
                str(setting),
                percent(_accepts(right, right=True)),
                percent(dropped / max(1, sum(len(_right(task)) for task, _ in both))),
                percent(_accepts(faulty, right=False)),
                f"{100 * (_accepts(faulty, right=False) - truth):+.1f}",
                percent(_accepts(faulty, right=True)),
                statistics.mean(outcome.calls for _, outcome in both),
                statistics.median(outcome.seconds for _, outcome in both),
            )
        )
    columns = ("setting", "accept the reference", "right asserts dropped", "accept a faulty body", "points above truth")
    more = ("right in place of a faulty body", "calls", "s")
    table(f"Final suites: {len(ran[0].right)} tasks, {len(ran[0].faulty)} faulty bodies", (*columns, *more), rows)


def strength_table(ran: Sequence[Ran]) -> None:
    """The mutation score of the final suites of what is green with the reference."""
    rows = []
    for setting, right, _ in ran:
        found = [outcome.strength for _, outcome in right if outcome.green and outcome.strength]
        if not found:
            continue
        before = [strength for strength in found if strength.score_before is not None]
        kinds = (
            ("raw, before", [s.raw_before or 0.0 for s in before]),
            ("raw, after", [s.raw for s in found]),
            ("filtered, before", [s.score_before or 0.0 for s in before]),
            ("filtered, after", [s.score for s in found]),
        )
        for name, scores in [(name, scores) for name, scores in kinds if scores]:
            rows.append(
                (
                    f"{setting}: {name}",
                    percent(statistics.median(scores)),
                    percent(quantile(scores, 0.1)),
                    sum(s.mutants for s in found),
                    sum(s.equivalent for s in found),
                    sum(s.open for s in found),
                    statistics.median(s.seconds for s in found),
                )
            )
    columns = ("mutation score", "median", "p10", "mutants", "equivalent", "open", "s (median)")
    table(
        "Strength of the final suites that accept the reference, before and after the survivors' request", columns, rows
    )


def _accepts(runs: Sequence[tuple[Task, Outcome]], *, right: bool) -> float:
    """The share of runs that end green with right code, or with wrong code."""
    return sum(outcome.green and outcome.right is right for _, outcome in runs) / max(1, len(runs))


def _right(task: Task) -> frozenset[str]:
    """The asserts that the reference bears out."""
    return frozenset(one.case.name for one in task.suite if one.holds)


def _ran(
    setting: Setting, tasks: list[Task], bodies: list[tuple[Task, str]], sandboxes: Sandboxes, executor: Executor
) -> Ran:
    """All runs of one setting; a line on stderr says when they are done, and what came of them."""
    asked = [(task, task.reference) for task in tasks] + bodies
    outcomes = list(executor.map(lambda one: run(one[0], one[1], setting, sandboxes), asked))
    done = [(task, outcome) for (task, _), outcome in zip(asked, outcomes, strict=True)]
    ran = Ran(setting, done[: len(tasks)], done[len(tasks) :])
    shares = (percent(_accepts(ran.right, right=True)), percent(_accepts(ran.faulty, right=False)))
    accepted = f"the reference {shares[0]}, a faulty body {shares[1]}"
    print(f"done: {setting}: accepts {accepted}", file=sys.stderr, flush=True)
    return ran


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default="", help="the folder with the data sets (or BENCHMARK_DATA)")
    parser.add_argument("--tasks", type=int, help="only the first so many")
    parser.add_argument("--faulty", type=int, default=FAULTY, help="faulty bodies a task")
    parser.add_argument("--only", default="", help="only settings whose names start so, with commas between")
    asked = parser.parse_args()
    folder = data_path(asked.data, FILE).parent
    sandboxes = Sandboxes(open_sandbox("auto"), open_sandbox("auto"), open_sandbox("auto"))
    try:
        tasks = read_tasks(Path(folder), load(folder / FILE, sandboxes.reference), asked.tasks)
        most = max(asked.faulty, MISREADINGS)
        tasks = [task._replace(faulty=faulty_bodies(task, sandboxes, most)) for task in tasks]
        bodies = [(task, body) for task in tasks for body in task.faulty[: asked.faulty]]
        wanted = [s for s in SETTINGS if s.truth or str(s).startswith(tuple(asked.only.split(",")))]
        with ThreadPoolExecutor(AT_ONCE) as executor:
            ran = [_ran(setting, tasks, bodies, sandboxes, executor) for setting in wanted]
        suites_table(ran)
        strength_table(ran)
    finally:
        for sandbox in sandboxes:
            sandbox.close()


if __name__ == "__main__":
    main()
