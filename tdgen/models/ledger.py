"""The ledger of a solve: what was spent and what is owed, and a model that asks it first.

It is one account for all that an instruction may cost: calls, tokens, money and seconds. Every call reserves the worst
it may cost before it is made, and settles what it did cost, so that parallel callers can't exceed a limit together. A
caller whose worst case doesn't fit waits for the others' calls to settle; where nothing is under way, its answer's room
is made smaller, and where too little is left, the budget is spent. No call takes what is owed to functions that nothing
was written for yet.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from tdgen.errors import BudgetSpent, Cancelled, TdgenError
from tdgen.events import BudgetTold
from tdgen.models.costs import Account, Prices, Reservation, estimated_usage, unpriced
from tdgen.models.retrying import CutShort, Quotas, TryAgain, Wake
from tdgen.protocols import Answer, Emit, Model, Purpose, Request
from tdgen.settings import Budget
from tdgen.types import Spent, Usage


class Ledger:
    """What one instruction may cost, what is set aside, and what was spent. Time runs from its making.

    Safe to use from several threads.
    """

    def __init__(
        self, budget: Budget, clock: Callable[[], float] = time.monotonic, *, prices: Prices = unpriced
    ) -> None:
        """`prices` are those of the models that are asked; what has none costs no money."""
        self._budget = budget
        self._clock = clock
        self._started = clock()
        self._pauses = 0
        self._paused_at = 0.0
        self._paused_seconds = 0.0
        self._changed = threading.Condition()
        self._telling = threading.Lock()
        self._account = Account(budget, prices)
        self._shares = Quotas()
        self._asking = 0
        self._closed = False
        self._over = False
        self.is_cancelled = False  # whether the run was ended at once
        self._wakers: list[Wake] = []

    def reserve(self, request: Request) -> Reservation:
        """Set one call's worst case aside; the reservation's request may have less room for its answer.

        BudgetSpent where calls, tokens, money or seconds don't allow it, where what is left is owed to others, and
        where the run has ended; Cancelled where that was at once.
        """
        with self._changed:
            while True:
                if self._closed:
                    raise self._ended()
                self.check_time()
                reservation = self._account.fit(request, self._owed_beside(request.purpose, request.subject))
                if reservation is not None:
                    break
                self._changed.wait(self.remaining_seconds())  # one may fit once other calls have settled
            reservation = replace(reservation, pays=self._shares.begin(request.purpose, request.subject))
            self._account.open(reservation)
        return reservation

    def settle(self, reservation: Reservation, usage: Usage, *, answered: bool = True) -> Usage:
        """Put what a call did cost in place of its reservation, and give it with its price.

        Nothing at all (`Usage()`) is possible too. What was not `answered` is owed again.
        """
        with self._changed:
            usage = self._account.settle(reservation, usage)
            if not answered:
                self._shares.fail(reservation.request.subject, reservation.pays, usage.calls)
            self._changed.notify_all()
        return usage

    def charge(self, spent: Iterable[Spent]) -> None:
        """Add what a part of the work spent that had a ledger of its own."""
        with self._changed:
            self._account.charge(spent)
            self._changed.notify_all()

    def rest(self) -> Budget:
        """What is left, as the budget for a part of the work that has a ledger of its own."""
        with self._changed:
            left = self._account.left()
        limits = {"calls": left.calls, "tokens": left.tokens, "money": left.money}
        return self._budget.model_copy(update={**limits, "seconds": self.remaining_seconds()})

    def usage(self) -> Usage:
        """All that was spent so far."""
        with self._changed:
            return self._account.total

    def spent(self) -> tuple[Spent, ...]:
        """What was spent so far for each purpose and function."""
        with self._changed:
            return self._account.spent()

    def tell(self, emit: Emit) -> None:
        """Emit what was spent and what is left; of two that tell at once, the later one knows more."""
        with self._telling:
            with self._changed:
                left, usage = self._account.left(), self._account.total
            seconds = self.remaining_seconds()
            emit(
                BudgetTold(
                    usage=usage,
                    calls_left=left.calls,
                    tokens_left=left.tokens,
                    money_left=left.money,
                    seconds_left=seconds,
                )
            )

    def remaining_calls(self) -> int | None:
        """How many calls may still be made beside those under way; None where there is no such limit."""
        with self._changed:
            return self._account.left().calls

    def remaining_seconds(self) -> float | None:
        """How many seconds are left, never below 0; None where there is no such limit. 0 where the run has ended."""
        return 0.0 if self._over else self._left_seconds()

    def _left_seconds(self) -> float | None:
        """The same, whether or not the run has ended."""
        if self._budget.seconds is None:
            return None
        with self._changed:
            now = self._paused_at if self._pauses else self._clock()
            return max(0.0, self._budget.seconds - (now - self._started - self._paused_seconds))

    @contextmanager
    def paused(self) -> Iterator[None]:
        """The user is being asked: the seconds until all pauses have ended don't count."""
        with self._changed:
            if not self._pauses:
                self._paused_at = self._clock()
            self._pauses += 1
        try:
            yield
        finally:
            with self._changed:
                self._pauses -= 1
                if not self._pauses:
                    self._paused_seconds += self._clock() - self._paused_at

    def check_time(self) -> None:
        """BudgetSpent where the seconds are used up, or the run has ended: for work between calls.

        Cancelled where it was ended at once.
        """
        if self._over:
            raise self._ended()
        if self.remaining_seconds() == 0.0:
            raise BudgetSpent(f"the budget of {self._budget.seconds:g} seconds is spent: raise --budget seconds=N")

    def plan_shares(self, weights: Mapping[str, int], cases: Collection[str] = (), *, code: bool = True) -> None:
        """From now on each of these functions is owed its first implementation, and those of `cases` their cases.

        Without `code` no implementation is owed, as nobody will ask for one.
        The calls beyond that are divided by weight. Called again with more functions (helpers of a finer
        decomposition), it takes them in and divides anew what is left.
        """
        with self._changed:
            self._shares.plan(weights, cases, self._account.left().calls, code=code)

    def end(self, function: str) -> None:
        """The function has ended: what it was owed, and what it did not use, is there for the others."""
        with self._changed:
            self._shares.end(function)
            self._changed.notify_all()

    def may_spend(self, purpose: Purpose, subject: str, *, optional: bool = False, calls: int = 1) -> bool:
        """Whether so many calls could be made now without touching what is owed to others.

        `optional` calls (arbitrations, more cases, properties) must fit into the function's share, too. The
        answer is about this moment: callers that come together are told apart by `reserve`, which never gives away
        what is owed. Cancelled where the run was ended at once: what needs no model is not wanted either.
        """
        with self._changed:
            self.check_cancelled()
            if self._closed or self.remaining_seconds() == 0.0:
                return False
            owed = self._owed_beside(purpose, subject)
            left = self._account.left().calls
            if left is not None:
                pays = self._shares.debt(purpose, subject) is not None
                spare = self._shares.spare(subject, left) + pays if optional else left - owed
                if calls > spare:
                    return False
            return self._account.can_pay(calls + owed)

    @contextmanager
    def asking(self, purpose: Purpose, subject: str) -> Iterator[None]:
        """An answer is asked for, and kept before this ends; it may have been paid for by an unfinished run.

        BudgetSpent where the run has ended; Cancelled where that was at once, also while the answer was on its way.
        """
        with self._changed:
            if self._closed:
                raise self._ended()
            self._asking += 1
        try:
            yield
            with self._changed:
                self._shares.pay(purpose, subject)
                self._changed.notify_all()
        except TdgenError as error:
            # Who waits for a turn, or is answered, as the run ends hears that no seconds are left.
            is_cut = isinstance(error, BudgetSpent) and self._over and self._left_seconds() != 0.0
            if self.is_cancelled or is_cut:
                raise self._ended() from None
            raise
        finally:
            with self._changed:
                self._asking -= 1
                self._changed.notify_all()

    def close(self, patience: float = 0.0) -> None:
        """The run has ended: nobody asks any more. What is being answered is waited for, `patience` seconds at most.

        Whoever waits for room is told at once; calls that outlast the patience are cut. Closing twice is allowed.
        """
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._asking, patience)
        self._stop()

    def cancel(self) -> None:
        """The run ends at once: whoever asks, waits or sleeps in it hears `Cancelled`, and who reads is hung up on."""
        self.is_cancelled = True
        self._stop()

    def _stop(self) -> None:
        with self._changed:
            self._closed = self._over = True
            self._changed.notify_all()
            wakers = tuple(self._wakers)
        for wake in wakers:  # each takes a lock of its own, under which it may ask for the seconds that remain
            wake()

    def check_cancelled(self) -> None:
        """Cancelled where the run was ended at once."""
        if self.is_cancelled:
            raise self._ended()

    @contextmanager
    def woken_by(self, wake: Wake) -> Iterator[None]:
        """Have `wake` called where the run ends meanwhile, from another thread; at once where it has already."""
        with self._changed:
            self._wakers.append(wake)
        try:
            if self._over:
                wake()
            yield
        finally:
            with self._changed:
                self._wakers.remove(wake)

    def sleep(self, seconds: float) -> None:
        """Wait so many seconds; BudgetSpent, or Cancelled, as soon as the run has ended."""
        with self._changed:
            if self._changed.wait_for(lambda: self._closed, seconds):
                raise self._ended()

    def _ended(self) -> TdgenError:
        return Cancelled() if self.is_cancelled else BudgetSpent("the run has ended")

    def _owed_beside(self, purpose: Purpose, subject: str) -> int:
        """How many calls such a call must leave: what is itself owed comes first among equals."""
        return 0 if self._shares.debt(purpose, subject) is not None else self._shares.owed


@dataclass(eq=False)
class BudgetedModel:
    """A model that is asked only within a ledger's budget; `emit` is told what was spent after every call that cost."""

    inner: Model
    ledger: Ledger
    emit: Emit = lambda event: None

    def ask(self, request: Request) -> Answer:
        """Ask, within the budget; the answer's usage has its price. A failed call is charged what was lost with it."""
        reservation = self.ledger.reserve(request)
        paid, answered = Usage(), False
        try:
            answer = self.inner.ask(reservation.request)
            answered = True
            paid = answer.usage.model_copy(update={"calls": max(1, answer.usage.calls)})
            if not paid.tokens:  # nothing is said of them: they are guessed
                paid = estimated_usage(reservation.request, answer.text, paid.seconds)
        except (TryAgain, CutShort) as error:
            paid = error.lost
            raise
        finally:
            paid = self.ledger.settle(reservation, paid, answered=answered)
            if paid != Usage():
                self.ledger.tell(self.emit)
        return answer.model_copy(update={"usage": paid})
