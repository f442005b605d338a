"""The queue: so many runs at once, so many waiting, and what was left unfinished gone on with."""

from __future__ import annotations

import secrets
import threading
from contextlib import ExitStack, nullcontext
from typing import TYPE_CHECKING, Final

from tdgen.settings.base import parse_budget
from tdgen.web.accounts import Reserved, left_today
from tdgen.web.callers import ANYBODY, Caller, budget_text, least, within
from tdgen.web.orders import Conflict, Full, NoSuchRun, Options, Order, RunRecord, changes
from tdgen.web.run import Run, kept_solution, now
from tdgen.web.run_store import Claim, News, RunStore, question_key

if TYPE_CHECKING:
    from tdgen.client import Generator

LEAVE_WITHIN_S: Final = 6.0
LOOK_S: Final = 1.0
"""How often runs are looked for that nobody works on any more: none tells of them."""


class RunQueue:
    """Takes orders and has them solved by `generator`, closed by whoever made it. Safe to use from several threads."""

    def __init__(self, generator: Generator, runs: RunStore, *, at_once: int = 2, waiting: int = 32) -> None:
        """Begin to work on `runs`, at once on what was left; they are closed with the queue."""
        self.runs = runs
        self._generator = generator
        self._waiting = waiting
        self._changed = threading.Condition()
        self._going: dict[str, Run] = {}
        self._news = 0
        self._leaving = False
        self._opened = ExitStack()
        self._opened.callback(runs.close)
        self._opened.enter_context(runs.listening(self._heard))
        # A run whose host died waits for no free place: as many more may go on as were begun.
        self._workers = [
            threading.Thread(target=self._work, args=[orphaned], name=f"tdgen-run-{n}", daemon=True)
            for orphaned in (False, True)
            for n in range(at_once)
        ]
        for worker in self._workers:
            worker.start()

    def take(self, order: Order, caller: Caller = ANYBODY) -> RunRecord:
        """Queue an order; Full where as many wait as may, or it is more than a caller may ask for now.

        InputError where it can't be used.
        """
        from tdgen.client import Handed

        # what can be told at once need not be told by a run that fails
        followed = kept_solution(self._generator, self.runs, order.follow) if order.follow else ""
        under = self._generator.under(**changes(order.options, self._generator.settings))
        under.kept(order.instruction, Handed(tests=order.options.tests, follow=followed))
        with self.runs.alone(caller.name) if caller.daily else nullcontext():
            options = self.admitted(order.options, caller)
            limited = order.model_copy(update={"options": options})
            record = RunRecord(id=secrets.token_hex(8), by=caller.name, order=limited, created=now())
            self.runs.add(record, self._waiting)
        return record

    def admitted(self, options: Options, caller: Caller) -> Options:
        """The options of something that a caller asks for, within what it may spend; a turn of its rate is taken.

        Full where there is none now, or nothing is left of the day; InputError where it asks for more than it may.
        """
        most, asked = self._generator.settings.budget, parse_budget(options.budget) if options.budget else {}
        limits = within(most, asked, caller.budget)
        if caller.daily:
            left = left_today(caller, self.runs, most)
            limits |= {name: least(limits.get(name, getattr(most, name)), rest) for name, rest in left.items()}
        if caller.rpm and not self.runs.book(caller.name, caller.rpm):
            raise Full(f"{caller.name} may ask for {caller.rpm} instructions a minute", 60 // caller.rpm + 1)
        return options.model_copy(update={"budget": budget_text(limits)})

    def reserved(self, options: Options, caller: Caller) -> tuple[Options, Reserved]:
        """As `admitted`, of work that is no run; what it may spend of the caller's day is the second."""
        with self.runs.alone(caller.name) if caller.daily else nullcontext():
            options = self.admitted(options, caller)
            return options, Reserved(caller, options.budget, self.runs)

    def record(self, identity: str) -> RunRecord:
        """How the run of that id stands; NoSuchRun where there is none."""
        record = self.runs.record(identity)
        if record is None:
            raise NoSuchRun(f"there is no run {identity[:40]!r}")
        return record

    def cancel(self, identity: str) -> RunRecord:
        """End a run, waiting or going on; Conflict where it has ended."""
        record = self.record(identity)
        if record.has_ended:
            raise Conflict(f"the run {identity} has ended ({record.state}): there is nothing to cancel")
        claim = self.runs.claim(identity)
        if claim is None:
            self.runs.stop(identity)
        else:
            Run(claim, self.runs).cancel()
            claim.release()
        return self.record(identity)

    def answer(self, identity: str, number: int, answer: str) -> None:
        """The user's word on an open question of a run; Conflict where it is not open."""
        asked = {one.number: one.question for one in self.record(identity).questions}.get(number)
        if asked is None or not self.runs.answer(identity, question_key(asked), answer):
            raise Conflict(f"question {number} is not open")

    def close(self) -> None:
        """Take no more orders, and leave what goes on to the next service. Closing twice is allowed."""
        with self._changed:
            self._leaving = True
            self._changed.notify_all()
            going = list(self._going.values())
        for run in going:
            run.leave()
        for worker in self._workers:
            worker.join(LEAVE_WITHIN_S / len(self._workers))
        self._opened.close()

    def _heard(self, news: News) -> None:
        """Where a run may be had, a worker looks for it; one that goes on here does what it was told."""
        if news.kind == "queued":
            with self._changed:
                self._news += 1
                self._changed.notify_all()
        elif news.kind == "said":
            with self._changed:
                going = [self._going[one] for one in self._going if news.identity in ("", one)]
            for run in going:
                run.heed()

    def _work(self, orphaned: bool) -> None:  # noqa: FBT001 - a thread's argument
        """One worker: a run after the other, or those alone that are `orphaned`."""
        while (claim := self._next(orphaned=orphaned)) is not None:
            run = Run(claim, self.runs)
            with self._changed:
                self._going[claim.record.id] = run
                is_late = self._leaving
            try:
                if is_late:
                    run.leave()
                run.heed()
                run.perform(self._generator)
            except Exception as error:  # noqa: BLE001 - a run that can't even be ended must not take its worker along
                run.drop(error)
            with self._changed:
                if self._going.get(claim.record.id) is run:  # where it was lost, another of these workers may have it
                    del self._going[claim.record.id]
            claim.release()

    def _next(self, *, orphaned: bool) -> Claim | None:
        """A run to work on, waited for; None where the service ends."""
        while True:
            with self._changed:
                heard = self._news
                if self._leaving:
                    return None
            if (claim := self.runs.claim(orphaned=orphaned)) is not None:
                return claim
            with self._changed:
                if self._news == heard and not self._leaving:
                    self._changed.wait(LOOK_S)
