"""One run as it is worked on: its events and questions, its end, and what its user can do then."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
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
from tdgen.events import AttemptStarted, BudgetTold, Event, ModelAsked, ModelWrote, PlanMade
from tdgen.solution import Solution
from tdgen.types import Asked, Usage
from tdgen.web.accounts import book_end
from tdgen.web.events import QuestionAnswered, QuestionAsked, RunEnded, RunStarted
from tdgen.web.orders import NoSuchRun, OpenQuestion, State, changes
from tdgen.web.partial import Drawing, PartialSolution, concluded, retold
from tdgen.web.run_store import Claim, RunStore, events_of, question_key

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
    return next((further for kind, further in _FURTHER if isinstance(error, kind)), BUG)


WRITING_EVERY_S: Final = 0.4
ANSWER_WITHIN_S: Final = 300.0
_CANCELLED: Final = "the run was cancelled"


class Run:
    """A run that this process works on: it has claimed it. Safe to use from several threads."""

    def __init__(self, claim: Claim, runs: RunStore) -> None:
        """Take `claim`, which is released by whoever gives it, among all `runs`."""
        self.record = claim.record
        self._claim = claim
        self._runs = runs
        self._changing = threading.Condition()
        self._asked = 0
        self._given: Mapping[str, str] = {}
        self._wrote: dict[tuple[str, str], float] = {}
        self._drawing = Drawing()
        self._generator: Generator | None = None
        self._spent = Usage()
        self._has_solution = False
        self._leaving = False

    def perform(self, generator: Generator) -> None:
        """Solve it, from here to its end. A service that is leaving lets it be gone on with by the next."""
        from tdgen.client import Handed

        with self._changing:
            if self.record.has_ended:
                return
            starts = self.record.starts + 1
            self._change(state="running", started=self.record.started or now(), starts=starts, questions=())
        self.tell(RunStarted(start=self.record.starts, model=generator.settings.model))
        try:
            options = self.record.order.options
            self._generator = generator.under(
                on_event=self._hear, on_question=self._ask, run=self.record.id, **changes(options, generator.settings)
            )
            if self._is_stopping:
                raise BudgetSpent(_CANCELLED)
            order = self.record.order
            followed = kept_solution(self._generator, self._runs, order.follow) if order.follow else ""
            solution = self._generator.solve(order.instruction, Handed(tests=order.options.tests, follow=followed))
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
        """End it before it begins."""
        self._change(stopping=True)
        self._end("cancelled", _CANCELLED)

    def heed(self) -> None:
        """Do what was said to it from outside: answers are taken, and where it is to end no model is asked any more."""
        if self._claim.is_lost:
            self.leave()
            return
        said = self._runs.said(self.record.id)
        with self._changing:
            self._given = said.answers
            is_new = said.stopping and not self.record.stopping and not self.record.has_ended
            if is_new:
                self._change(stopping=True)
            self._changing.notify_all()
        if is_new:
            self._stop()

    def leave(self) -> None:
        """The service ends, or another took the run over: what goes on is cut off, and resumed by the next one."""
        self._leaving = True
        self._stop()

    def drop(self, error: Exception) -> None:
        """End it where even its end could not be kept, as on a full disk: as well as can be."""
        ended = self.record.model_copy(update={"state": "failed", "error": str(error), "ended": now()})
        with suppress(StoreError):
            self._claim.save(ended)

    def tell(self, event: Event) -> None:
        """Keep an event for whoever looks on."""
        if not self._leaving:
            self._claim.append(event.to_dict())

    def _deliver(self, solution: Solution) -> None:
        if self._leaving:
            return
        for event in retold(solution) if solution.cached else concluded(solution):
            self._hear(event)
        if solution.cached:
            self._spent = Usage()
        self._claim.deliver(solution)
        self._has_solution = True
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
            end = RunEnded(state=state, error=error, advice=further, key=self.record.key, package=self._has_solution)
            self.tell(end)
            book_end(self.record.model_copy(update={"state": state}), self._spent, self._runs)
            self._change(state=state, error=error, advice=further, ended=now(), stopping=False, questions=())
        self._generator = None

    def _salvage(self, why: str) -> None:
        """Keep what there is of a run that came to no solution."""
        if self._has_solution or self._generator is None:
            return
        trust = self._generator.settings.trust
        with suppress(ValueError, KeyError, TdgenError):
            partial = PartialSolution(events_of(self._runs.reader(self.record.id)))
            best = partial.solution("", self.record.order.instruction, trust, why)
            if best is not None:
                self._claim.deliver(best)
                self._has_solution = True
                for event in concluded(best):
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
        if isinstance(event, ModelWrote):
            writer, moment = (event.purpose, event.subject), time.monotonic()
            if moment - self._wrote.get(writer, -WRITING_EVERY_S) < WRITING_EVERY_S:
                return  # too soon to tell again how far an answer is
            self._wrote[writer] = moment
        if isinstance(event, BudgetTold):
            self._spent = event.usage
        if isinstance(event, PlanMade):
            names = tuple(spec.name for spec in event.plan.functions)
            self._change(module=event.plan.module, functions=len(names), names=names)
        self.tell(event)
        if (graph := self._drawing.after(event)) is not None:
            self.tell(graph)

    def _ask(self, question: Asked) -> str:
        """Put a question to whoever looks on, and wait; "" where nobody answers in time."""
        known = question_key(question)
        with self._changing:
            if known in self.record.answers:
                return self.record.answers[known]
            self._asked += 1
            number = self._asked
            self._change(questions=(*self.record.questions, OpenQuestion(number=number, question=question)))
        self.tell(QuestionAsked(number=number, question=question))
        with self._changing:
            self._changing.wait_for(lambda: known in self._given or self._is_stopping, ANSWER_WITHIN_S)
            answer = self._given.get(known, "")
            if not self._is_stopping:
                left = tuple(one for one in self.record.questions if one.number != number)
                self._change(answers={**self.record.answers, known: answer}, questions=left)
        self.tell(QuestionAnswered(number=number, answer=answer))
        return answer

    def _change(self, **changed: Any) -> None:
        with self._changing:
            self.record = self.record.model_copy(update=changed)
            self._claim.save(self.record)


def kept_solution(generator: Generator, runs: RunStore, key: str) -> Solution:
    """The kept solution of that key; where it is a whole one, the team's, or what came of a run with it.

    NoSuchRun where there is none, or several.
    """
    try:
        return generator.find(key)
    except InputError as error:
        if (shared := generator.find_shared(key)) is not None:
            return shared
        solved = (runs.solution(record.id) for record in runs.records() if record.key == key)
        if (solution := next(filter(None, solved), None)) is not None:
            return solution
        raise NoSuchRun(str(error)) from None


def now() -> str:
    """This moment, ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
