"""Requests in their time: tried again, cut off at a deadline, given a turn, and shared out by quota.

A model says by raising `TryAgain` that the next time may work: a busy endpoint, a dropped connection, a stream that was
cut. The wrapper waits and asks again, each try a call of its own below it (so that budget and rate limits count it).
Anything else passes through. A call that outlasts the budget's time is cut at the limit, and what it had cost by then
is not forgotten.

Each planned function is owed the calls without which nothing comes of it: one for its cases where they are still to be
written, one for its first implementation. What is left beyond them is divided by the specs' complexity
(`tdgen.settings.base.WEIGHTS`), so that one function can't eat what others need. What an ended function leaves goes to
those that have not ended.
"""

from __future__ import annotations

import copy
import random
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Final

from tdgen.errors import BudgetSpent, ModelError
from tdgen.protocols import Answer, Model, Purpose, Request
from tdgen.types import Usage

FIRST_WAIT = 0.5  # seconds, twice as long each time; judgements, as the next two are
LONGEST_WAIT = 20.0
LONGEST_RETRY_AFTER = 60.0


class TryAgain(ModelError):
    """A failure that may pass: what happened, what a user can do, when to try again, and what was lost with it.

    `retry_after` is the endpoint's own word in seconds, where it gave one; `lost` is what was paid for in vain.
    """

    def __init__(self, what: str, advice: str, retry_after: float | None = None, lost: Usage | None = None) -> None:
        super().__init__(f"{what}: {advice}")
        self.what = what
        self.advice = advice
        self.retry_after = retry_after
        self.lost = lost or Usage()


class RetryingModel:
    """A model that is asked again, at most `retries` times, where it says that this may help.

    `remaining` gives the seconds that are left for all work: no wait is begun that would outlast them. `note` is told
    of each wait in words for people.
    """

    def __init__(
        self,
        inner: Model,
        retries: int,
        *,
        remaining: Callable[[], float | None] = lambda: None,
        note: Callable[[str], None] = lambda text: None,
        sleep: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._inner = inner
        self._retries = retries
        self._remaining = remaining
        self._note = note
        self._sleep = sleep
        self._chance = chance

    def ask(self, request: Request) -> Answer:
        """Ask until answered; ModelError with the last failure where the tries or the time run out."""
        tries = 0
        while True:
            tries += 1
            try:
                return self._inner.ask(request)
            except TryAgain as error:
                failure = error
            # as the endpoint says, else doubling, with up to a quarter of chance on top
            wait = min(FIRST_WAIT * 2.0 ** (tries - 1), LONGEST_WAIT) * (1 + self._chance() / 4)
            if failure.retry_after is not None:
                wait = min(max(0.0, failure.retry_after), LONGEST_RETRY_AFTER)
            left = self._remaining()
            if tries > self._retries or (left is not None and wait >= left):
                times = f" ({tries} tries)" if tries > 1 else ""
                raise ModelError(f"{failure.what}{times}: {failure.advice}") from None
            self._note(f"{failure.what}; trying again in {wait:.1f} s")
            self._sleep(wait)


Wake = Callable[[], None]
WokenBy = Callable[[Wake], AbstractContextManager[None]]
"""Has a function called where the run ends meanwhile; see `Ledger.woken_by`."""


def never_woken(wake: Wake) -> AbstractContextManager[None]:
    """There is no run that could end."""
    return nullcontext()


class CutShort(BudgetSpent):
    """The time was over while a model was answering; `lost` is what was paid for in vain."""

    def __init__(self, lost: Usage) -> None:
        super().__init__("the budget's time was spent while the model was answering: raise --budget seconds=N")
        self.lost = lost


MINUTE = 60.0


@dataclass(eq=False)
class _Places:
    """So many that may ask at once."""

    _free: int
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def take(self, remaining: Callable[[], float | None], woken_by: WokenBy) -> bool:
        """Take a place, within the seconds that remain; whether there was one."""
        with woken_by(self._wake), self._changed:
            self._changed.wait_for(lambda: self._free or remaining() == 0.0, remaining())
            if not self._free or remaining() == 0.0:
                return False
            self._free -= 1
            return True

    def give_back(self) -> None:
        with self._changed:
            self._free += 1
            self._changed.notify()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()


Book = Callable[[float | None], float | None]
"""Books the next start among all hosts, within so many seconds; gives the seconds until it.

Less than 0 where none comes within them; None where the others can't be heard.
"""


class Throttle:
    """Hands out turns: no more than `rpm` begin in any minute, no more than `concurrency` are taken at once.

    `remaining` gives the seconds that are left for all work: BudgetSpent where no turn comes within them. `woken_by`
    and `sleep` are those of a run that can be cancelled. Where other hosts ask too, `book` holds `rpm` over all.
    """

    def __init__(
        self,
        rpm: int | None = None,
        concurrency: int | None = None,
        *,
        remaining: Callable[[], float | None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        book: Book | None = None,
    ) -> None:
        self._book = book
        self._remaining = remaining
        self._clock = clock
        self._sleep = sleep
        self._woken_by: WokenBy = never_woken
        self._places = _Places(concurrency) if concurrency else None
        self._lock = threading.Lock()
        self._starts: deque[float] | None = deque(maxlen=rpm) if rpm else None

    def within(
        self,
        remaining: Callable[[], float | None],
        *,
        sleep: Callable[[float], None] | None = None,
        woken_by: WokenBy | None = None,
    ) -> Throttle:
        """The same turns, for a run that has so many seconds left: whoever holds either counts in both."""
        other = copy.copy(self)
        run = {"_remaining": remaining, "_sleep": sleep or self._sleep, "_woken_by": woken_by or self._woken_by}
        vars(other).update(run)
        return other

    def __enter__(self) -> None:
        if self._places and not self._places.take(self._remaining, self._woken_by):
            raise BudgetSpent("the budget's time was spent while others were asking: raise --budget seconds=N")
        try:
            self._sleep_until_turn()
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_: object) -> None:
        if self._places:
            self._places.give_back()

    def _sleep_until_turn(self) -> None:
        """Book the next free start, a minute after the one that many turns ago, and wait for it."""
        if self._starts is None:
            return
        wait = self._book(self._remaining()) if self._book else None
        if wait is None:
            wait = self._book_here(self._starts, self._remaining())
        if wait < 0:
            raise BudgetSpent("the budget's time ends before the next turn: raise --rpm or --budget seconds=N")
        if wait:
            self._sleep(wait)

    def _book_here(self, starts: deque[float], left: float | None) -> float:
        """As a `Book` does, among the threads of this process."""
        with self._lock:
            now = self._clock()
            wait = max(0.0, starts[0] + MINUTE - now) if len(starts) == starts.maxlen else 0.0
            if left is not None and wait >= left:
                return -1.0
            starts.append(now + wait)
            return wait


@dataclass(eq=False)
class ThrottledModel:
    """A model that is asked only when it is this request's turn."""

    _inner: Model
    _throttle: Throttle

    def ask(self, request: Request) -> Answer:
        """Wait for a turn, and ask; BudgetSpent where none comes in time."""
        with self._throttle:
            return self._inner.ask(request)


Debt = tuple[Purpose, str]

PAYS: Final[Mapping[Purpose, Purpose]] = {"cases": "cases", "implement": "implement", "repair": "implement"}
"""The debt that a call for a purpose pays: a function whose kept code is repaired is not implemented anew."""


@dataclass(eq=False)
class Quotas:
    """Debts and parts, counted in calls. Its owner sees to it that one thread at a time is here."""

    _weights: dict[str, int] = field(default_factory=dict)
    _debts: set[Debt] = field(default_factory=set)
    _parts: dict[str, int] = field(default_factory=dict)
    _beyond: Counter[str] = field(default_factory=Counter)
    _ended: set[str] = field(default_factory=set)

    def plan(self, weights: Mapping[str, int], cases: Collection[str], left: int | None, *, code: bool = True) -> None:
        """Take these functions in, those of `cases` without cases yet, and divide the `left` calls anew."""
        self._weights |= weights
        self._ended -= weights.keys()
        self._debts |= {("implement", name) for name in weights if code}
        self._debts |= {("cases", name) for name in weights if name in cases}
        self._beyond.clear()
        open_weights = {name: weight for name, weight in self._weights.items() if name not in self._ended}
        self._parts = {} if left is None else divided(max(0, left - self.owed), open_weights)

    @property
    def owed(self) -> int:
        """How many calls are owed."""
        return len(self._debts)

    def debt(self, purpose: Purpose, subject: str) -> Debt | None:
        """The debt that such a call would pay; None where it would pay none."""
        debt = PAYS.get(purpose, purpose), subject
        return debt if debt in self._debts else None

    def begin(self, purpose: Purpose, subject: str) -> Debt | None:
        """A call is about to be made; the debt that it pays, where it pays one."""
        debt = self.debt(purpose, subject)
        if debt is not None:
            self._debts.remove(debt)
        else:
            self._beyond[subject] += 1
        return debt

    def pay(self, purpose: Purpose, subject: str) -> None:
        """It was answered: by a call that was begun, or by what an unfinished run left."""
        self._debts.discard((PAYS.get(purpose, purpose), subject))

    def fail(self, subject: str, debt: Debt | None, calls: int) -> None:
        """A call that was begun brought no answer, and cost so many calls all the same."""
        self._beyond[subject] += calls if debt is not None else calls - 1
        if debt is not None and subject not in self._ended:
            self._debts.add(debt)

    def end(self, subject: str) -> None:
        """The function has ended: nothing is owed to it any more, and what it left is for the others."""
        self._ended.add(subject)
        self._debts = {debt for debt in self._debts if debt[1] != subject}

    def spare(self, subject: str, left: int) -> int:
        """How many of the `left` calls the function may make beyond what is owed to anybody: never below 0."""
        others = self._parts.keys() - self._ended - {subject}
        kept = sum(max(0, self._parts[name] - max(0, self._beyond[name])) for name in others)
        return max(0, left - self.owed - kept)


def divided(whole: int, weights: Mapping[str, int]) -> dict[str, int]:
    """Whole parts of `whole` by weight, nothing left over; of equal claims to the rest, the first is served."""
    total = sum(weights.values())
    if not total:
        return dict.fromkeys(weights, 0)
    parts = {name: whole * weight // total for name, weight in weights.items()}
    by_rest = sorted(weights, key=lambda name: -(whole * weights[name] % total))
    for name in by_rest[: whole - sum(parts.values())]:
        parts[name] += 1
    return parts
