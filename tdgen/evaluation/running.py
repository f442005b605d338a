"""An evaluation: every problem solved from its prose alone, sealed, then judged once; the same model beside it.

```
LOGS/evaluation.json            of which data set and settings it is
LOGS/run-1/results.jsonl …      the batch that solved them (see `tdgen.batch.output`), with every solution
LOGS/run-1/transcripts/ID/      every prompt and answer of a problem; `alone/` for the baselines'
LOGS/run-1/judged/ID.json       what the hidden tests said: written once, and only when the solution is sealed
LOGS/report.html                the page
```

Hidden tests are read with the data set, but no prompt is made of anything but `Problem.instruction`. Whatever is
there already is not done again, so that an evaluation that was cut off goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any, Final, NamedTuple

from tdgen.batch import Line, Output, Stamp, Summary, run_batch
from tdgen.batch.lines import folder_name
from tdgen.batch.output import OURS
from tdgen.batch.results import Row
from tdgen.batch.running import OnRow
from tdgen.client import Generator
from tdgen.errors import TdgenError
from tdgen.evaluation.judging import FunctionJudge, Judge, Judged, ModuleJudge, Problem, RefusalJudge
from tdgen.evaluation.records import (
    Alone,
    Baselines,
    Record,
    ask_alone,
    asking,
    asking_in,
    first_module,
    paid_answers,
    read_records,
    save_record,
)
from tdgen.language import Language
from tdgen.outputs.places import recorded_solution
from tdgen.protocols import Model
from tdgen.runtime import Runtime
from tdgen.settings import Budget, Settings
from tdgen.solution import Solution
from tdgen.specs.declarations import declare_types
from tdgen.types import Usage, digest

ALONE: Final = "alone"

Told = Callable[[str], None]


class Evaluation(NamedTuple):
    """What an evaluation came to: its problems, the records of each run in their order, and why it ended early."""

    problems: tuple[Problem, ...]
    runs: tuple[tuple[Record, ...], ...]
    stopped: str = ""
    exit_code: int = 0


class Source(NamedTuple):
    """Where answers come from: the settings of a problem's own, its solve's and its baselines'.

    A live evaluation keeps transcripts there, and a replayed one reads scripts.
    """

    solving: Callable[[str], Mapping[str, Any]]
    alone: Callable[[str], Mapping[str, Any]]


def live(run: Path) -> Source:
    """Every prompt and answer goes to the run's transcripts."""
    place = run / "transcripts"
    return Source(
        lambda name: {"transcript": str(place / folder_name(name))},
        lambda name: {"transcript": str(place / folder_name(name) / ALONE)},
    )


def evaluate(
    problems: Sequence[Problem],
    logs: Path,
    *,
    name: str,
    settings: Settings,
    runs: int = 1,
    alone: bool = True,
    model: Model | None = None,
    executor: Executor | None = None,
    at_once: int | None = None,
    source: Callable[[Path], Source] = live,
    resume: bool = False,
    force: bool = False,
    on_row: OnRow | None = None,
    tell: Told = lambda text: None,
    stop: Event | None = None,
) -> Evaluation:
    """Solve, judge, and ask beside it; `alone=False` leaves the baselines out.

    Where an `executor` is given it solves, `at_once` problems in flight; all else is done here.

    Each run has a cache of its own in the logs, so that nothing which was solved before counts. InputError where the
    logs are another evaluation's (`resume` and `force` as in a batch), or a problem's tests can't be run.
    """
    stop = stop or Event()
    judged: list[tuple[Record, ...]] = []
    summary = None
    for number in range(1, runs + 1):
        run = logs / f"run-{number}"
        own = settings.changed(cache_dir=str(run / "cache"), store="", fresh=False)
        stamp = Stamp.of(Path(name), digest([problem.model_dump() for problem in problems]), own)
        with Output(run, stamp, force=force, resume=resume, ours=(*OURS, "judged", "transcripts", "cache")) as output:
            how = _How(model, executor, at_once, on_row, stop)
            summary = _solve(problems, own, output, source(run), how)
            tell(f"run {number} of {runs}: judging by hidden tests" + (", asking the model alone" if alone else ""))
            judged.append(tuple(_judge_all(problems, own, output, source(run), model, stop, alone=alone)))
            if alone and (missing := sum(record.beside is None for record in judged[-1])):
                have = "problem has" if missing == 1 else "problems have"
                tell(f"{missing} {have} no baseline: nobody answered, or there is no plan; the same command asks again")
        if summary.stopped:
            break
    return Evaluation(
        tuple(problems),
        tuple(judged),
        summary.stopped if summary else "",
        summary.exit_code if summary and summary.stopped else 0,
    )


class _How(NamedTuple):
    """Who answers, who solves and how much at once, who hears of it, and what ends it early."""

    model: Model | None
    executor: Executor | None
    at_once: int | None
    on_row: OnRow | None
    stop: Event


def _solve(
    problems: Sequence[Problem],
    settings: Settings,
    output: Output,
    source: Source,
    how: _How,
) -> Summary:
    lines = [Line(number=n, id=p.id, instruction=p.instruction) for n, p in enumerate(problems, start=1)]
    with Generator(settings, model=how.model) as generator:
        return run_batch(
            lines,
            settings=settings,
            output=output,
            generator=generator,
            executor=how.executor,
            at_once=how.at_once,
            total=len(lines),
            folders=True,
            under=lambda line: source.solving(line.id),
            on_row=how.on_row,
            stop=how.stop,
        )


def _judge_all(
    problems: Sequence[Problem],
    settings: Settings,
    output: Output,
    source: Source,
    model: Model | None,
    stop: Event,
    *,
    alone: bool,
) -> Iterator[Record]:
    """The records of all that has ended, in the problems' order; those that are there are not made again."""
    known = read_records(output.folder)
    rows = {row.id: row for _, row in output.results.rows()}
    with closing(Runtime(settings, model)) as runtime, ThreadPoolExecutor(settings.concurrency) as pool:
        recorder = _Recorder(runtime, output, source, alone=alone)

        def judged(problem: Problem) -> Record | None:
            row = rows.get(problem.id)
            if row is None or stop.is_set():
                return None
            record = known.get(problem.id)
            # A line that nobody answered, or that a budget ended, may have been solved again since.
            is_of_row = record is not None and (record.outcome, record.reason) == (row.outcome, row.reason)
            return recorder.record(problem, row, record if is_of_row else None)

        yield from filter(None, pool.map(judged, problems))


class _Recorder:
    """Judges what is sealed, with sandboxes in which nothing was solved."""

    def __init__(self, runtime: Runtime, output: Output, source: Source, *, alone: bool) -> None:
        self._runtime = runtime
        self._output = output
        self._source = source
        self._alone = alone
        self._sandboxes = runtime.sandbox, runtime.oracle
        self._language = runtime.language
        self._limits = runtime.limits(runtime.settings, self._language)

    def record(self, problem: Problem, row: Row, known: Record | None) -> Record:
        """A problem's record; each part of it is written once."""
        if known is not None and (known.beside is not None or not self._alone):
            return known
        judge: Judge
        if problem.refusal:  # judged by what is said of the contradiction, all else by hidden tests
            judge = RefusalJudge(problem)
        elif problem.program:
            judge = ModuleJudge(problem, *self._sandboxes, self._limits.memory_mb)
        else:
            judge = FunctionJudge(problem, *self._sandboxes, self._limits)
        record = known or self._sealed(judge, problem, row)
        if known is None:
            save_record(self._output.folder, record)
        if self._alone:
            beside = self._beside(problem, judge, record.usage.tokens, row)
            record = record.model_copy(update={"beside": beside})
            save_record(self._output.folder, record)
        return record

    def _sealed(self, judge: Judge, problem: Problem, row: Row) -> Record:
        solution = recorded_solution(self._output.folder / row.folder) if row.folder else None
        if problem.refusal:
            texts = [""]  # what the user was told of it: the refusal, or each question; empty where nothing was
            if row.outcome == "contradicted":
                texts = [row.reason]
            elif solution:
                texts += (question.question for question in solution.questions)
            first = last = min(map(judge.judge, texts), key=lambda judged: judged.failed)
        else:
            first, last = _judged(judge, solution, self._language)
        paid = paid_answers(str(self._source.solving(problem.id).get("transcript", "")))
        # Seconds waited for the model, by what was asked for: for the answers that were paid, if it is told of those.
        spent = [(part.purpose, part.usage) for part in solution.spent] if solution else []
        purposes: dict[str, float] = {}
        for purpose, usage in [(key.purpose, usage) for key, usage in paid] or spent:
            purposes[purpose] = round(purposes.get(purpose, 0.0) + usage.seconds, 3)
        return Record(
            id=problem.id,
            kind=problem.kind,
            contradictory=bool(problem.refusal),
            functions=row.functions,
            outcome=row.outcome,
            reason=row.reason,
            first=first,
            last=last,
            repairs=row.repairs,
            promotions=row.promotions,
            own_cases=row.cases,
            usage=sum((usage for _, usage in paid), Usage()) if paid else row.usage,
            purposes=purposes,
            seconds=row.seconds,
        )

    def _beside(self, problem: Problem, judge: Judge, tokens: int, row: Row) -> Baselines | None:
        """The baselines; None where nobody answers, which the next run tries again, or where no plan has a head."""
        how: Alone | None = asking(problem)
        if self._runtime.settings.language:
            solution = recorded_solution(self._output.folder / row.folder) if row.folder else None
            how = asking_in(self._language, problem, solution.plan) if solution else None
        if how is None:
            return None
        settings = self._runtime.settings
        own = settings.model_copy(update={"budget": Budget(calls=None, seconds=None), **self._source.alone(problem.id)})
        journal, ledger = self._runtime.journal(f"alone {problem.id}"), self._runtime.ledger(own)
        with closing(journal):
            tools = self._runtime.tools(journal, ledger, lambda event: None, own)
            try:
                return ask_alone(problem, tools.model, judge, tokens, how, own.transcript)
            except TdgenError:
                return None


def _judged(judge: Judge, solution: Solution | None, language: Language) -> tuple[Judged, Judged]:
    """What hidden tests say of the first and of the final code, by what stands for it."""
    if solution is None:
        return (missing := judge.judge("")), missing
    types = declare_types(solution.plan)
    first, last = first_module(solution, language), solution.module_source
    said: dict[str, Judged] = {}
    for source in dict.fromkeys((last, first)):
        module = language.module_of(solution.plan, source, types, beside=solution.test_files) if source else ""
        said[source] = judge.judge(module)
    return said[first], said[last]
