"""What the tools do, without the protocol: solves in the service's queue, all other work in threads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel

from tdgen.client import Generator, Handed
from tdgen.errors import InputError
from tdgen.mcp.answers import Function, Guarded, Judgement, OpenQuestion, Status, Verified, WrittenTests
from tdgen.mcp.work import Work, Works
from tdgen.solution import Solution
from tdgen.web.accounts import Reserved
from tdgen.web.callers import Caller
from tdgen.web.orders import GONE, NoSuchRun, Options, Order, RunRecord, changes
from tdgen.web.run import now
from tdgen.web.run_queue import RunQueue

if TYPE_CHECKING:
    from tdgen.client.in_project import ProjectClient
    from tdgen.project.task import ProjectTask

JUDGE_S: Final = 60.0
"""So long tests are judged, on the code and on its mutants."""


class Tools:
    """The tools of one server: solves in a queue, other work in threads, files beneath `root` alone."""

    def __init__(self, generator: Generator, run_queue: RunQueue, root: Path | None) -> None:
        """`generator` is closed by whoever made it, and so is the queue."""
        self.works = Works(run_queue.runs)
        self._generator = generator
        self._queue = run_queue
        self._root = root.resolve() if root else None
        self.told: set[tuple[str, int]] = set()

    def start(self, order: Order, caller: Caller) -> Status:
        """Queue a solve."""
        return _run_status(self._queue.take(order, caller))

    def runs(self) -> list[Status]:
        """How all solves of the queue stand, the newest first."""
        return [_run_status(record) for record in self._queue.runs.records()]

    def status(self, identity: str) -> Status:
        """How a solve or other work stands; InputError where there is neither."""
        return self.works.status(identity) or _run_status(self._run(identity))

    def answer(self, identity: str, number: int, answer: str) -> Status:
        """Answer an open question of a solve."""
        self._run(identity)
        self._queue.answer(identity, number, answer)
        return _run_status(self._run(identity))

    def cancel(self, identity: str) -> Status:
        """End work."""
        if self.works.status(identity) is None:
            self._queue.cancel(self._run(identity).id)
        else:
            self.works.cancel(identity)
        return self.status(identity)

    def result(self, identity: str) -> Solution:
        """What came of a solve; InputError where nothing did, or not yet."""
        record, solution = self._run(identity), self._queue.runs.solution(identity)
        if solution is None:
            if record.key:
                raise InputError(f"the solve {identity} {GONE}")
            state = record.state
            why = f"came to nothing: {record.error}" if record.has_ended else f"is {state}: ask solve_status"
            raise InputError(f"the solve {identity} {why}")
        return solution

    def begin_tests(self, instruction: str, options: Options, caller: Caller) -> Work:
        """Have tests written."""
        with self._reserved(options, caller) as (options, reserved):
            mine = self._generator.under(on_event=reserved.hear, **changes(options, self._generator.settings))
            handed = Handed(tests=options.tests)
            mine.kept(instruction, handed)  # what can be told at once is
            call = partial(self._written, mine, instruction, handed)
            return self.works.begin("write_tests", call, lambda: mine.cancel(at_once=True), reserved.settle)

    @contextmanager
    def _reserved(self, options: Options, caller: Caller) -> Iterator[tuple[Options, Reserved]]:
        """Options within what the caller may spend, and that reserved until the work ends, or is never begun."""
        options, reserved = self._queue.reserved(options, caller)
        try:
            yield options, reserved
        except BaseException:
            reserved.settle()
            raise

    def begin_judging(self, code: str, tests: str, module: str) -> Work:
        """Have tests judged."""

        def judged() -> BaseModel:
            return Judgement.of(self._generator.judge(code, tests, module=module, seconds=JUDGE_S))

        return self.works.begin("judge", judged)

    def begin_verifying(self, key: str) -> Work:
        """Have a kept solution's tests run again."""
        solution = self._generator.find(key)
        return self.works.begin("verify", lambda: Verified.of(self._generator.verify(solution)))

    def begin_guarding(self, path: str, options: Options, caller: Caller) -> Work:
        """Have existing code tested against its docs."""
        from tdgen.client.in_project import ProjectClient
        from tdgen.project.guarding import read_guarding

        chosen = self._generator.settings
        with self._reserved(options, caller) as (options, reserved):
            client = ProjectClient(chosen.changed(**changes(options, chosen)), on_event=reserved.hear)
            task = read_guarding([str(self._beneath(path))], client.folder)
            call = partial(_guarded, client, task)
            return self.works.begin("guard", call, partial(client.cancel, at_once=True), reserved.settle)

    def question(self, identity: str) -> OpenQuestion | None:
        """The question of a solve that waits for an answer."""
        return self.status(identity).question

    def _beneath(self, path: str) -> Path:
        """A path from the root; InputError where it leads out of it, or there is none."""
        if self._root is None:
            raise InputError("this service shows no project: `tdgen serve --root FOLDER` does")
        file, _, name = path.partition("::")
        try:
            inside = (self._root / file).resolve()
        except (OSError, ValueError, RuntimeError) as error:
            raise InputError(f"{file[:80]!r} is no path: {error}") from None
        if not inside.is_relative_to(self._root):
            raise InputError(f"{file} leads out of {self._root}: start it with `--root FOLDER` for another project")
        return Path(f"{inside}::{name}" if name else inside)

    def _run(self, identity: str) -> RunRecord:
        try:
            return self._queue.record(identity)
        except NoSuchRun:
            raise InputError(f"there is no work {identity[:40]!r}: an id is what solve_start gives") from None

    def _written(self, generator: Generator, instruction: str, handed: Handed) -> WrittenTests:
        from tdgen.outputs.drafts import DraftFile

        draft = generator.draft(instruction, until="compare", handed=handed)
        plan = draft.required_plan
        draft_file = DraftFile(instruction, plan, tuple(draft.suites.values()))
        return WrittenTests(
            module=plan.module,
            contracts={spec.signature: spec.purpose for spec in plan.functions},
            files=draft_file.rendered(),
            assumed=tuple(f"{one.question} {one.assumption}" for one in plan.questions),
        )


def _guarded(client: ProjectClient, task: ProjectTask) -> Guarded:
    proposal = client.guarded([task])
    (part,) = proposal.parts
    return Guarded(
        findings=tuple(
            one.model_dump(include={"unit", "call", "setup", "quote", "expected", "observed"})
            for one in proposal.findings
        ),
        functions=tuple(map(Function.of, part.solution.results)),
        passed_over=part.task.notes,
        diff=proposal.diff,
        stopped=part.solution.stopped,
    )


def _run_status(record: RunRecord) -> Status:
    ended = datetime.fromisoformat(record.ended or now())
    asked = record.questions[0] if record.questions else None
    going = "solve_result with this id" if record.state in ("green", "red") else record.advice
    asks = "solve_answer with this id and the question's number ('' for the assumption), or " if asked else ""
    return Status(
        id=record.id,
        work="solve_start",
        state=record.state,
        seconds=round((ended - datetime.fromisoformat(record.created)).total_seconds(), 1),
        functions=record.names,
        question=OpenQuestion.of(asked.number, asked.question) if asked else None,
        error=record.error,
        next=going if record.has_ended else f"{asks}solve_status with this id",
    )
