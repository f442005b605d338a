"""Where code in a language is run and judged by a task's hidden cases: in the sandbox, judged outside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shutil import which

from language_tasks.tasks import LANGUAGES, Name, Task
from tdgen.evaluation.judging import RAISES, FunctionJudge, Judged
from tdgen.protocols import Closing
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.server import Opened
from tdgen.types import Case, Job, Limits, Observation, Probe, Verdict
from tdgen.values.decode import decode


def missing(language: Name) -> str:
    """The program that is not here to run a language; empty where all are."""
    return next((program for program in LANGUAGES[language]().programs if which(program) is None), "")


class TaskJudge(Closing):
    """Judges code in one language; a context manager."""

    def __init__(self, language: Name) -> None:
        back_end = LANGUAGES[language]()
        limits = Limits(memory_mb=512 + back_end.overhead_mb)
        self.language: Name = language
        more = {"wall_s": limits.wall_s + back_end.overhead_s, "start_s": back_end.start_s}
        self.limits = limits.model_copy(update=more)
        self.oracle = LocalSandbox()
        self.sandbox = back_end.keeping(LocalSandbox(opened=Opened.to_run(back_end, self.limits)))

    def judge(self, task: Task, source: str) -> Judged:
        """What a task's hidden cases say of a source."""
        judge = FunctionJudge(task.problem(self.language), self.sandbox, self.oracle, self.limits)
        return judge.judge(task.module(self.language, source))

    def verdicts(self, task: Task, source: str) -> tuple[tuple[Case, ...], tuple[Verdict, ...]]:
        """The hidden cases and the verdicts on a source, case by case."""
        judge = FunctionJudge(task.problem(self.language), self.sandbox, self.oracle, self.limits)
        return judge.tests.cases, judge.verdicts(task.module(self.language, source))

    def outcomes(self, task: Task, calls: Sequence[str]) -> list[str | None]:
        """What the reference gives for each call, as source, or `raises` and the exception; None for anything else."""
        source = task.module(self.language, task.source(self.language))
        probes = tuple(Probe(name=str(n), call=f"repr({call})") for n, call in enumerate(calls))
        job = Job(module="reference", source=source, probes=probes, limits=self.limits)
        seen = self.sandbox.run(job).observations if probes else ()
        return [_outcome(one) for one in seen]

    def faults(self, tasks: Sequence[Task]) -> Iterator[str]:
        """What is wrong with the tasks' own code: a reference that fails, a faulty body that passes or runs nothing."""
        for task in tasks:
            right = self.judge(task, task.source(self.language))
            if not right.right:
                yield f"{task.name}: the reference fails {right.failed} of {right.tests}: {'; '.join(right.faults)}"
            for number in (1, 2):
                wrong = self.judge(task, task.source(self.language, number))
                if wrong.right:
                    yield f"{task.name}: fault {number} passes all cases"
                elif wrong.failed == wrong.tests:
                    yield f"{task.name}: fault {number} fails all cases: {wrong.faults[0]}"

    def close(self) -> None:
        """End both sandboxes."""
        self.sandbox.close()
        self.oracle.close()


def _outcome(seen: Observation) -> str | None:
    if seen.raised is not None and "builtins.ValueError" in seen.raised.types:
        return f"{RAISES}ValueError"
    text = decode(seen.value) if seen.status == "returned" else None
    return text if isinstance(text, str) else None
