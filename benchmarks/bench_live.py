"""Real work: original instructions with hidden tests (`live/README.md`).

Tries the benchmark itself (each hidden test passes on its reference and fails on each faulty module), then plays the
logs under `live-logs/` again, each a folder that `tdgen eval benchmarks/live -o benchmarks/live-logs/NAME` wrote, and
prints their figures. `--check` leaves the logs out. `--keep FOLDER NAME` takes of an evaluation's logs what that needs
into `live-logs/NAME`. `--renew NAME WHO` has a language model answer what the log NAME lacks now (`renewing.py`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from renewing import renew
from tables import table

from tdgen.errors import InputError
from tdgen.evaluation import KindScores, Task, keep, read_tasks, replay, scores
from tdgen.evaluation.judging import run_hidden
from tdgen.metrics import Share
from tdgen.protocols import Sandbox
from tdgen.sandbox.local import LocalSandbox
from tdgen.settings import Settings

FOLDER = Path(__file__).parent / "live"
LOGS = Path(__file__).parent / "live-logs"
FAULTY = 3
COLUMNS = (
    *("kind", "tasks", "right", "asked once right", "green", "false greens", "false reds", "abstained: right", "wrong"),
    *("contradictions named", "calls", "tokens", "cost", "asked once: tokens", "cost"),
)


def check(tasks: Sequence[Task]) -> bool:
    """Print what each task's hidden tests say of its own modules; whether all is as it must be."""
    with LocalSandbox() as sandbox:
        found = [(task.problem, list(_problems(sandbox, task))) for task in tasks]
    rows = [(problem.id, problem.kind, "; ".join(wrong) or "as it must be") for problem, wrong in found]
    table("Real work: the benchmark itself", ("task", "kind", "hidden tests on the reference and three faults"), rows)
    return not any(wrong for _, wrong in found)


def _problems(sandbox: Sandbox, task: Task) -> Iterator[str]:
    """What is wrong with a task, by running it; of a contradiction there is nothing to run."""
    problem = task.problem
    if problem.refusal:
        return
    if len(task.faulty) != FAULTY:
        yield f"there are {len(task.faulty)} faulty modules, not {FAULTY}"
    report = run_hidden(sandbox, problem.program, problem.reference)
    if not report.passed:
        yield f"the reference fails: {report.log[-300:]}"
    for number, source in enumerate(task.faulty, 1):
        run = run_hidden(sandbox, problem.program, source)
        if run.passed:
            yield f"faulty_{number} passes"
        if not run.outcomes:
            yield f"faulty_{number} can't be run"


def play(tasks: Sequence[Task], logs: Path) -> bool:
    """Play an evaluation again and print its figures by kind; whether every figure came out as it was."""
    found = replay([task.problem for task in tasks], logs, name=FOLDER.name, settings=Settings())
    kinds = scores(found.evaluation.runs).kinds
    table(f"Real work: {logs.name}, played again", COLUMNS, [_row(kind) for kind in kinds])
    for difference in found.differences:
        print(f"otherwise: {difference}")
    return not found.differences


def _row(kind: KindScores) -> tuple[object, ...]:
    return (
        *(kind.kind, kind.tasks, kind.right, kind.once if kind.once.whole else None, kind.false_greens.whole),
        *(kind.false_greens, kind.false_reds, kind.abstained_right, kind.abstained_wrong, _part(kind.contradictions)),
        *(kind.calls, kind.tokens, kind.cost, kind.once_tokens, kind.once_cost),
    )


def _part(share: Share) -> str | None:
    return f"{share.part} of {share.whole}" if share.whole else None


def main() -> None:
    """Try the tasks that are named, all where none is, and play what logs there are of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only try the benchmark itself")
    parser.add_argument("--keep", nargs=2, metavar=("FOLDER", "NAME"), help="keep what a replay needs of these logs")
    parser.add_argument("--renew", nargs=2, metavar=("NAME", "WHO"), help="have your model answer what this log lacks")
    parser.add_argument("tasks", nargs="*", help="the names of tasks; all where none is given")
    options = parser.parse_args()
    try:
        if options.keep:
            keep(Path(options.keep[0]), LOGS / options.keep[1])
            return
        tasks = [task for task in read_tasks(FOLDER) if not options.tasks or task.problem.id in options.tasks]
        if options.renew:
            renew([task.problem for task in tasks], LOGS / options.renew[0], options.renew[1])
            return
        is_fine = check(tasks)
        kept = [] if options.check else sorted(path.parents[1] for path in LOGS.glob("*/run-1/judged"))
        if not kept and not options.check:
            print(f"\nThere are no logs under {LOGS}: nothing is played again.")
        is_fine = all([is_fine, *(play(tasks, logs) for logs in kept)])
    except InputError as error:
        sys.exit(str(error))
    sys.exit(not is_fine)


if __name__ == "__main__":
    main()
