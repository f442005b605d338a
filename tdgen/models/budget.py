"""A model that is asked only within a ledger's budget, and whose every cost is on it."""

from __future__ import annotations

from tdgen.events import Event
from tdgen.models.deadline import CutShort
from tdgen.models.ledger import Ledger
from tdgen.models.retrying import TryAgain
from tdgen.models.tokens import estimated_usage
from tdgen.protocols import Answer, Emit, Model, Request
from tdgen.types import Usage


def _silently(event: Event) -> None:
    del event


class BudgetedModel:
    """A model that is asked only within a ledger's budget; `emit` is told what was spent after every call that cost."""

    def __init__(self, inner: Model, ledger: Ledger, emit: Emit = _silently) -> None:
        self._inner = inner
        self._ledger = ledger
        self._emit = emit

    def ask(self, request: Request) -> Answer:
        """Ask, within the budget; the answer's usage has its price. A failed call is charged what was lost with it."""
        reservation = self._ledger.reserve(request)
        paid, answered = Usage(), False
        try:
            answer = self._inner.ask(reservation.request)
            paid, answered = _paid(answer, reservation.request), True
        except (TryAgain, CutShort) as error:
            paid = error.lost
            raise
        finally:
            paid = self._ledger.settle(reservation, paid, answered=answered)
            if paid != Usage():
                self._ledger.tell(self._emit)
        return answer.model_copy(update={"usage": paid})


def _paid(answer: Answer, request: Request) -> Usage:
    """What the answer says it cost, one call at the least; guessed where it says nothing."""
    if not answer.usage.tokens:
        return estimated_usage(request, answer.text, answer.usage.seconds)
    return answer.usage.model_copy(update={"calls": max(1, answer.usage.calls)})
