"""One run of the service: its record, events and questions, its end, and what its user can do then."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tdgen.errors import (
    BudgetSpent,
    InputError,
    ModelError,
    PlanError,
    ReplyError,
    SandboxError,
    StoreError,
    TdgenError,
)
from tdgen.events import AttemptStarted, Event, ModelAsked, ModelWrote, PlanMade
from tdgen.solution import Solution
from tdgen.types import Asked, digest
from tdgen.web.events import QuestionAnswered, QuestionAsked, RunEnded, RunStarted
from tdgen.web.log import FILE, EventLog, events_in
from tdgen.web.orders import Conflict, RunRecord, State, changes
from tdgen.web.partial import Drawing, PartialSolution, concluded, retold

if TYPE_CHECKING:
    from tdgen.client import Generator


NOT_GREEN: Final = (
    "Each function that is not green shows the case that fails. Where the case is wrong, say in the instruction what "
    "is right, best by an example; where the code is wrong, try again with more to spend or a more thorough check."
)
BUDGET: Final = "Press Try again and raise “Spend at most”; what was best by then can be downloaded."
BUG: Final = "Try again. Where it comes again, report it with the instruction and this line."
_FURTHER: Final[tuple[tuple[type[TdgenError], str], ...]] = (
    (BudgetSpent, BUDGET),
    (
        ModelError,
        "The model can't be used, which only whoever runs this service can mend. The instruction is kept: "
        "press Try again once it answers.",
    ),
    (
        SandboxError,
        "Code can't be run safely on the service's machine. Whoever runs it finds the cause with `tdgen doctor`.",
    ),
    (
        PlanError,
        "Say more exactly what each function takes and gives, with an example or two, and press Try again.",
    ),
    (ReplyError, "The model gave no answer that can be used. Try again, or say it in shorter sentences."),
    (StoreError, "The service can't write to its disk, which only whoever runs it can mend."),
    (InputError, "Press Try again, change the instruction or the tests as the line above says, and send it anew."),
)


def advice(error: Exception) -> str:
    """What to do about what ended a run."""
    return next((told for kind, told in _FURTHER if isinstance(error, kind)), BUG)


RECORD: Final = "run.json"
SOLUTION: Final = "solution.json"
WRITING_EVERY_S: Final = 0.4
ANSWER_WITHIN_S: Final = 300.0
_CANCELLED: Final = "the run was cancelled"


class Run:
    """A run that waits, goes on, or has ended; what it is lies in `folder`. Safe to use from several threads."""

    def __init__(self, folder: Path, record: RunRecord) -> None:
        """StoreError where its folder can't be written."""
        self.folder = folder
        self.record = record
        self.log: EventLog | None = None if record.has_ended else EventLog(folder / FILE)
        self._changing = threading.Condition()
        self._questions: dict[int, Asked] = {}
        self._given: dict[int, str] = {}
        self._wrote: dict[tuple[str, str], float] = {}
        self._drawing = Drawing()
        self._generator: Generator | None = None
        self._leaving = False

    def perform(self, generator: Generator) -> None:
        """Solve it, from here to its end. A service that is leaving lets it be gone on with by the next."""
        with self._changing:
            if self.record.has_ended:
                return
            self._change(state="running", started=self.record.started or now(), starts=self.record.starts + 1)
        self.tell(RunStarted(start=self.record.starts, model=generator.settings.model))
        try:
            options = self.record.order.options
            self._generator = generator.under(
                on_event=self._hear, on_question=self._ask, **changes(options, generator.settings)
            )
            if self._is_stopping:
                raise BudgetSpent(_CANCELLED)
            solution = self._solved(self._generator)
        except TdgenError as error:
            if self.record.stopping:
                self._end("cancelled", str(error))
            else:
                self._end("failed", str(error), advice(error))
        except Exception as error:  # noqa: BLE001 - a bug ends its own run, not the service
            self._end("failed", f"this is a bug in tdgen: {type(error).__name__}: {error}", advice(error))
        else:
            self._deliver(solution)

    def cancel(self) -> None:
        """End it: no model is asked any more. Conflict where it has ended."""
        with self._changing:
            if self.record.has_ended:
                raise Conflict(f"the run {self.record.id} has ended ({self.record.state}): there is nothing to cancel")
            self._change(stopping=True)
            if self.record.state == "queued":
                self._end("cancelled", _CANCELLED)
        self._stop()

    def leave(self) -> None:
        """The service ends: what goes on is cut off, and resumed by the next one."""
        self._leaving = True
        self._stop()
        if self.log is not None:
            self.log.close()

    @property
    def question(self) -> tuple[int, Asked] | None:
        """The first question that nobody has answered yet, with its number."""
        with self._changing:
            return next(((n, asked) for n, asked in self._questions.items() if n not in self._given), None)

    def answer(self, question: int, answer: str) -> None:
        """The user's word on an open question; Conflict where it is not open."""
        with self._changing:
            if question not in self._questions or question in self._given:
                raise Conflict(f"question {question} is not open")
            self._given[question] = answer
            self._changing.notify_all()

    def drop(self, error: Exception) -> None:
        """End it where even its end can't be kept, as on a full disk: in memory alone."""
        self.record = self.record.model_copy(update={"state": "failed", "error": str(error), "ended": now()})
        if self.log is not None:
            self.log.close()

    def tell(self, event: Event) -> None:
        """Keep an event for whoever looks on."""
        if self.log is not None:
            self.log.append(event.to_dict())

    def solution(self) -> Solution | None:
        """What came of it; None where nothing did, or not yet."""
        try:
            return Solution.model_validate_json((self.folder / SOLUTION).read_bytes())
        except (OSError, ValueError):
            return None

    def _solved(self, generator: Generator) -> Solution:
        from tdgen.client import Handed

        order = self.record.order
        return generator.solve(order.instruction, Handed(tests=order.options.tests, follow=order.follow))

    def _deliver(self, solution: Solution) -> None:
        if self._leaving:
            return
        for event in retold(solution) if solution.cached else concluded(solution):
            self._hear(event)
        self._write(SOLUTION, solution.model_dump_json())
        green = sum(result.outcome == "green" for result in solution.results)
        self._change(key=solution.key, green=green, functions=len(solution.results), cached=solution.cached)
        self._change(module=solution.plan.module, usage=solution.usage)
        done: State = "green" if solution.all_tests_passed else "cancelled" if self.record.stopping else "red"
        further = {"red": BUDGET if solution.stopped else NOT_GREEN}.get(done, "")
        self._end(done, _CANCELLED if done == "cancelled" else solution.stopped, further)

    def _end(self, state: State, error: str, further: str = "") -> None:
        if state in ("failed", "cancelled") and not self._leaving:
            self._salvage(error)
        with self._changing:
            if self.record.has_ended or self._leaving:
                return
            has = (self.folder / SOLUTION).exists()
            self.tell(RunEnded(state=state, error=error, advice=further, key=self.record.key, package=has))
            self._change(state=state, error=error, advice=further, ended=now(), stopping=False)
        if self.log is not None:
            self.log.close()
        self._generator = None

    def _salvage(self, why: str) -> None:
        """Keep what there is of a run that came to no solution."""
        if (self.folder / SOLUTION).exists() or self._generator is None:
            return
        trust = self._generator.settings.trust
        with suppress(ValueError, KeyError, TdgenError):
            found = PartialSolution(events_in(self.folder / FILE)).solution(
                "", self.record.order.instruction, trust, why
            )
            if found is not None:
                self._write(SOLUTION, found.model_dump_json())
                for event in concluded(found):
                    self._hear(event)

    def _stop(self) -> None:
        with self._changing:
            self._changing.notify_all()
        if self._generator is not None:
            self._generator.cancel()

    @property
    def _is_stopping(self) -> bool:
        return self.record.stopping or self._leaving

    def _hear(self, event: Event) -> None:
        """Keep an event; whoever is about to spend in a run that is to end is told so."""
        if self._is_stopping and isinstance(event, ModelAsked | ModelWrote | AttemptStarted):
            raise BudgetSpent(_CANCELLED)
        if isinstance(event, ModelWrote) and not self._is_due((event.purpose, event.subject)):
            return
        if isinstance(event, PlanMade):
            names = tuple(spec.name for spec in event.plan.functions)
            self._change(module=event.plan.module, functions=len(names), names=names)
        self.tell(event)
        if (graph := self._drawing.after(event)) is not None:
            self.tell(graph)

    def _is_due(self, writer: tuple[str, str]) -> bool:
        """Whether it is time to tell again how far an answer is."""
        moment = time.monotonic()
        if moment - self._wrote.get(writer, -WRITING_EVERY_S) < WRITING_EVERY_S:
            return False
        self._wrote[writer] = moment
        return True

    def _ask(self, question: Asked) -> str:
        """Put a question to whoever looks on, and wait; "" where nobody answers in time."""
        known = digest(question.model_dump(mode="json", exclude={"place", "total"}))
        with self._changing:
            if known in self.record.answers:
                return self.record.answers[known]
            number = len(self._questions) + 1
            self._questions[number] = question
        self.tell(QuestionAsked(number=number, question=question))
        with self._changing:
            self._changing.wait_for(lambda: number in self._given or self._is_stopping, ANSWER_WITHIN_S)
            answer = self._given.setdefault(number, "")
            if not self._is_stopping:
                self._change(answers={**self.record.answers, known: answer})
        self.tell(QuestionAnswered(number=number, answer=answer))
        return answer

    def _change(self, **changed: Any) -> None:
        with self._changing:
            self.record = self.record.model_copy(update=changed)
            self.save()

    def save(self) -> None:
        """Keep the record; StoreError where that can't be."""
        self._write(RECORD, self.record.model_dump_json(indent=1))

    def _write(self, name: str, text: str) -> None:
        """Write a file whole or not at all."""
        draft = self.folder / f".{name}.draft"
        try:
            draft.write_text(text, encoding="utf-8", errors="surrogateescape")
            draft.replace(self.folder / name)
        except (OSError, UnicodeError) as error:
            raise StoreError(f"the run can't be kept in {self.folder}: {error}") from None


def now() -> str:
    """This moment, ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
