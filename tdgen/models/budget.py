"""Limits that hold: every call reserves the worst it may cost before it is made, and settles what it did cost.

So parallel callers can't exceed a limit together. A caller whose worst case doesn't fit waits for the others' calls
to settle; where nothing is under way, its answer's room is made smaller, and where too little is left, the budget is
spent.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from tdgen.errors import BudgetSpent
from tdgen.models.retrying import TryAgain
from tdgen.models.tokens import estimated_usage, most_prompt_tokens
from tdgen.protocols import Answer, Model, Request
from tdgen.settings import Budget
from tdgen.types import Usage

LEAST_ROOM = 256  # tokens: no useful answer is shorter


@dataclass(frozen=True)
class Reservation:
    """What is set aside for one call: the request as it may be made, and the tokens it may cost at most."""

    request: Request
    tokens: int


class Ledger:
    """What one instruction may cost, what is set aside, and what was spent. Time runs from its making."""

    def __init__(self, budget: Budget, clock: Callable[[], float] = time.monotonic) -> None:
        self._budget = budget
        self._clock = clock
        self._started = clock()
        self._changed = threading.Condition()
        self._open: list[Reservation] = []
        self._spent: dict[tuple[str, str], Usage] = {}

    def reserve(self, request: Request) -> Reservation:
        """Set one call's worst case aside; the reservation's request may have less room for its answer.

        BudgetSpent where calls, tokens or seconds don't allow it.
        """
        with self._changed:
            while (reservation := self._fitting(request)) is None:
                self._changed.wait(self.remaining_seconds())
            self._open.append(reservation)
        return reservation

    def settle(self, reservation: Reservation, usage: Usage) -> None:
        """Put what a call did cost in place of its reservation; nothing at all (`Usage()`) is possible too."""
        key = (reservation.request.purpose, reservation.request.subject)
        with self._changed:
            self._open.remove(reservation)
            if usage != Usage():
                self._spent[key] = self._spent.get(key, Usage()) + usage
            self._changed.notify_all()

    def usage(self) -> Usage:
        """All that was spent so far."""
        with self._changed:
            return sum(self._spent.values(), Usage())

    def spent_by(self) -> dict[tuple[str, str], Usage]:
        """What was spent for each purpose and subject."""
        with self._changed:
            return dict(self._spent)

    def remaining_calls(self) -> int | None:
        """How many calls may still be made; None where there is no such limit."""
        if self._budget.calls is None:
            return None
        return max(0, self._budget.calls - self.usage().calls)

    def remaining_seconds(self) -> float | None:
        """How many seconds are left, never below 0; None where there is no such limit."""
        if self._budget.seconds is None:
            return None
        return max(0.0, self._budget.seconds - (self._clock() - self._started))

    def check_time(self) -> None:
        """BudgetSpent where the seconds are used up: for work between calls."""
        if self.remaining_seconds() == 0.0:
            raise BudgetSpent(f"the budget of {self._budget.seconds:g} seconds is spent: raise --budget seconds=N")

    def _fitting(self, request: Request) -> Reservation | None:
        """A reservation that fits; None where one may fit once other calls have settled."""
        self.check_time()
        spent = sum(self._spent.values(), Usage())
        if self._budget.calls is not None and spent.calls + len(self._open) >= self._budget.calls:
            raise BudgetSpent(f"the budget of {self._budget.calls} model calls is spent: raise --budget calls=N")
        prompt = most_prompt_tokens(request)
        if self._budget.tokens is None:
            return Reservation(request, prompt + request.max_tokens)
        room = self._budget.tokens - spent.tokens - sum(other.tokens for other in self._open) - prompt
        if room >= request.max_tokens:
            return Reservation(request, prompt + request.max_tokens)
        if self._open:
            return None
        if room < LEAST_ROOM:
            raise BudgetSpent(f"the budget of {self._budget.tokens} tokens is spent: raise --budget tokens=N")
        return Reservation(request.model_copy(update={"max_tokens": room}), prompt + room)


class BudgetedModel:
    """A model that is asked only within a ledger's budget."""

    def __init__(self, inner: Model, ledger: Ledger) -> None:
        self._inner = inner
        self._ledger = ledger

    def ask(self, request: Request) -> Answer:
        """Ask, within the budget; a call that failed is charged only what was lost with it."""
        reservation = self._ledger.reserve(request)
        usage = Usage()
        try:
            answer = self._inner.ask(reservation.request)
            usage = _paid(answer, reservation.request)
            return answer
        except TryAgain as error:
            usage = error.lost
            raise
        finally:
            self._ledger.settle(reservation, usage)


def _paid(answer: Answer, request: Request) -> Usage:
    """What the answer says it cost, one call at the least; guessed where it says nothing."""
    if not answer.usage.tokens:
        return estimated_usage(request, answer.text, answer.usage.seconds)
    return answer.usage.model_copy(update={"calls": max(1, answer.usage.calls)})
