"""`tdgen eval`: a data set in, the figures with their intervals out, and a page that tells each problem's story."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from tdgen.cli import options
from tdgen.cli.clustering import OnCluster, on_cluster
from tdgen.cli.interrupts import Interrupted
from tdgen.errors import InputError
from tdgen.terminal.output import Line, give_json, give_lines, one_line, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdgen.batch.running import OnRow
    from tdgen.evaluation import Evaluation, Problem
    from tdgen.settings import Settings

DIFFERENT = 1

Dataset = Annotated[
    str,
    Argument(
        metavar="DATASET", help="A file of problems: HumanEval(+), MBPP(+), QuixBugs, your own; or a folder of tasks."
    ),
]
Logs = Annotated[
    str | None, Option("--out", "-o", metavar="DIR", help="Folder for logs and report.html (the data set's name.eval).")
]
Replay = Annotated[
    str | None, Option("--replay", metavar="DIR", help="Play an evaluation's logs again, without a model, and compare.")
]
Limit = Annotated[int | None, Option("--limit", metavar="N", min=1, help="Only the first N problems.")]
Only = Annotated[list[str] | None, Option("--only", metavar="ID", help="Only this problem; may be repeated.")]
Runs = Annotated[int, Option("--runs", metavar="K", min=1, help="Solve everything K times, to see what is stable.")]
NotBeside = Annotated[bool, Option("--no-baselines", help="Don't ask the same model alone beside it.")]
Resume = Annotated[bool, Option("--resume", help="Go on in DIR though the data set or settings changed.")]
Force = Annotated[bool, Option("--force", "-f", help="Begin anew in a DIR that holds another evaluation.")]


@options.settings(options.BOUNDS, options.SANDBOX, options.CODE, options.MODEL)
def evaluate(
    dataset: Dataset,
    *,
    out: Logs = None,
    replay: Replay = None,
    limit: Limit = None,
    only: Only = None,
    runs: Runs = 1,
    no_baselines: NotBeside = False,
    cluster: OnCluster = None,
    resume: Resume = False,
    force: Force = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
    flags: dict[str, Any],
) -> int:
    """Measure how far a green can be trusted with your model, on problems whose tests stay hidden.

    Each problem is solved from its prose alone; its hidden tests run once, on the sealed solution, in the sandbox.
    Beside it the same model is asked alone, once, and as often as tdgen's tokens allow. Every prompt and answer is kept
    in DIR, so that --replay can do it all again without a model. The same command again goes on where it was cut off.

    \b
    tdgen eval HumanEvalPlus.jsonl.gz --trust standard --limit 20
    tdgen eval mine.jsonl -o mine.eval --runs 3
    tdgen eval mine.jsonl --replay mine.eval
    tdgen eval benchmarks/live

    \b
    A problem of your own is a line {"id", "prompt", "entry_point", "tests":
    "assert f(2) == 4"}, or in place of tests with "cases": [["f(2)", "4"],
    ["f(-1)", "raises ValueError"]], or with "inputs": [[2], [3]] and
    "reference": "def f(n): ...". A folder has a folder for each task, with
    instruction.md, task.json, hidden_test.py and reference.py in it.

    \b
    Exit codes: 0 measured, 1 a replay came out otherwise, 2 bad usage or
    input, 4 model or sandbox not reachable, 130 interrupted.
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.cli.rows import watched
    from tdgen.evaluation import read_dataset
    from tdgen.evaluation.report import REPORTS
    from tdgen.files.saving import Place
    from tdgen.settings import load_settings

    settings = load_settings(flags)
    if settings.transcript:
        raise InputError("an evaluation keeps its transcripts in its own folder: leave --transcript out")
    path = Path(dataset)
    name = path.name or path.resolve().name
    problems = _chosen(read_dataset(path), limit, only or [])
    with watched(quiet=quiet) as on_row:
        if replay:
            return _replayed(problems, Path(replay), name, settings, on_row, json=json)
        logs = Path(out or f"{name.partition('.')[0]}.eval")
        Place(logs, force=True).check(*REPORTS)
        how = {"runs": runs, "alone": not no_baselines, "resume": resume, "force": force}
        evaluation = _evaluated(problems, logs, name, settings, on_row, cluster, **how)
    _deliver(evaluation, settings, logs, name, json=json)
    return evaluation.exit_code


def _chosen(problems: Sequence[Problem], limit: int | None, only: Sequence[str]) -> tuple[Problem, ...]:
    known = {problem.id for problem in problems}
    for name in only:
        if name not in known:
            raise InputError(f"the data set has no problem {name!r}")
    return tuple(problem for problem in problems if not only or problem.id in only)[:limit]


def _evaluated(
    problems: tuple[Problem, ...],
    logs: Path,
    name: str,
    settings: Settings,
    on_row: OnRow,
    cluster: str | None,
    **how: bool | int,
) -> Evaluation:
    from tdgen.cli.interrupts import asked_to_stop
    from tdgen.evaluation import evaluate

    if cluster and settings.rpm:
        raise InputError("an evaluation on a cluster can't hold --rpm over all workers: leave it out")
    with on_cluster(cluster, settings, None) as (workers, settings), asked_to_stop() as stop:
        evaluation = evaluate(
            problems,
            logs.absolute() if workers else logs,
            name=name,
            settings=settings,
            executor=workers,
            at_once=workers.threads if workers else None,
            runs=int(how["runs"]),
            alone=bool(how["alone"]),
            resume=bool(how["resume"]),
            force=bool(how["force"]),
            on_row=on_row,
            tell=lambda text: say(text, "faint"),
            stop=stop,
        )
    if stop.is_set():
        done = sum(len(run) for run in evaluation.runs)
        raise Interrupted(f"interrupted: {done} problems are judged; the same command goes on, nothing is paid twice")
    return evaluation


def _replayed(
    problems: tuple[Problem, ...], logs: Path, name: str, settings: Settings, on_row: OnRow, *, json: bool
) -> int:
    from tdgen.evaluation import replay

    replayed = replay(problems, logs, name=name, settings=settings, on_row=on_row)
    _tell(replayed.evaluation, json=json)
    for difference in replayed.differences:
        say(one_line(f"otherwise: {difference}", 500), "bad")
    if replayed.differences:
        return DIFFERENT
    say("every figure came out as it was", "good")
    return 0


def _deliver(evaluation: Evaluation, settings: Settings, logs: Path, name: str, *, json: bool) -> None:
    from tdgen.evaluation.report import write_report

    where = write_report(evaluation, settings, logs, name)
    _tell(evaluation, json=json)
    if evaluation.stopped:
        say(one_line(f"stopped: {evaluation.stopped}", 600), "bad")
    say(f"the whole story: {where}", "faint")


def _tell(evaluation: Evaluation, *, json: bool) -> None:
    from tdgen.evaluation import scores
    from tdgen.evaluation.scores import as_json, lines

    figures = scores(evaluation.runs)
    if json:
        give_json(as_json(figures))
    else:
        rows = lines(figures)
        width = max(len(name) for name, _ in rows)
        give_lines([Line(f"{name:<{width}}  {value}") for name, value in rows])
