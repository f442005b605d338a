"""What is spent: the arithmetic of a budget, and tokens guessed from a text.

What a model's words cost is known to who asks it (`tdgen.models.endpoint`), or to nobody: then they are told in tokens.

A text's tokens are guessed from its length: a fair guess for accounts, a high one for limits. No tokenizer is asked:
each model has its own, and a limit must hold before any of them answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, Protocol

from tdgen.errors import BudgetSpent, InputError
from tdgen.models.retrying import Debt
from tdgen.protocols import ROLES, Purpose, Request
from tdgen.settings import Budget, Settings
from tdgen.types import Spent, Usage

PLACES: Final = 10  # decimals of a dollar that are kept: the cheapest tokens cost some 0.00000001


class Price(Protocol):
    """What one model's calls cost, in US dollars."""

    def cost(self, prompt_tokens: int, answer_tokens: int, cached_tokens: int = 0) -> float:
        """Dollars for one call of so many tokens in and out; of the prompt's, `cached_tokens` were cached."""

    def room(self, dollars: float, prompt_tokens: int, most: int) -> int:
        """How long an answer `dollars` pay for, in tokens, `most` at most; -1 where they don't pay for the prompt."""


Prices = Callable[[Purpose], Price | None]
"""The price of the model that answers for a purpose; None where nobody knows it."""


def unpriced(purpose: Purpose) -> Price | None:
    """No price is known: of recorded answers, and of a model that was handed in."""
    return None


def check_priced(settings: Settings, prices: Prices) -> None:
    """InputError where a limit of money can't hold, as a model has no known price: before any work."""
    if settings.budget.money is None:
        return
    for purpose in ROLES:
        if prices(purpose) is None:
            model = settings.model_for(purpose)
            raise InputError(
                f"no price is known for the model {model}, so a limit of money can't hold: "
                "limit its tokens in place of it (--budget tokens=200k,money=none)"
            )


LEAST_ROOM = 256  # tokens: no useful answer is shorter


@dataclass(frozen=True)
class Reservation:
    """What is set aside for one call: the request as it may be made, and the tokens and dollars it may cost at most.

    `pays` is the debt that it pays: see `tdgen.models.retrying`.
    """

    request: Request
    tokens: int
    cost: float = 0.0
    pays: Debt | None = None


@dataclass(frozen=True)
class Left:
    """What may still be spent where all that is under way costs its worst; None where there is no limit."""

    calls: int | None
    tokens: int | None
    money: float | None


@dataclass(eq=False)
class Account:
    """What was spent, in `total` all of it, and what is under way.

    Its owner sees to it that one thread at a time is here.
    """

    _budget: Budget
    _prices: Prices
    _open: list[Reservation] = field(default_factory=list)
    _spent: dict[tuple[Purpose, str], Usage] = field(default_factory=dict)
    total: Usage = field(default_factory=Usage)

    def spent(self) -> tuple[Spent, ...]:
        """What was spent for each purpose and function: purposes in the order of the way, functions by name."""
        way = list(ROLES)
        keys = sorted(self._spent, key=lambda key: (way.index(key[0]), key[1]))
        return tuple(Spent(purpose=key[0], function=key[1], usage=self._spent[key]) for key in keys)

    def left(self) -> Left:
        """What is left."""
        limits, spent = self._budget, self.total
        tokens = spent.tokens + sum(other.tokens for other in self._open)
        money = (spent.cost or 0.0) + sum(other.cost for other in self._open)
        return Left(
            calls=None if limits.calls is None else max(0, limits.calls - spent.calls - len(self._open)),
            tokens=None if limits.tokens is None else max(0, limits.tokens - tokens),
            money=None if limits.money is None else max(0.0, round(limits.money - money, PLACES)),
        )

    def fit(self, request: Request, owed: int) -> Reservation | None:
        """The request's worst case, beside so many calls that are `owed`, each of the usual size.

        None where it may fit once what is under way has settled, BudgetSpent where it never will.
        """
        left = self.left()
        if left.calls is not None and left.calls <= owed:
            raise _spent(_count(self._budget.calls, "model call"), "calls=N", owed if left.calls else 0)
        prompt = most_prompt_tokens(request)
        by_tokens, by_money = self._rooms(request, prompt, left, owed)
        room = min(by_tokens, by_money, request.max_tokens)
        if room < request.max_tokens and self._open:
            return None
        least = min(LEAST_ROOM, request.max_tokens)
        if room < least:
            owed = owed if min(self._rooms(request, prompt, left, 0)) >= least else 0
            if by_tokens <= by_money:
                raise _spent(_count(self._budget.tokens, "token"), "tokens=N", owed)
            raise _spent(f"${self._budget.money:g}", "money=N", owed)
        price = self._prices(request.purpose)
        return Reservation(
            request if room == request.max_tokens else request.model_copy(update={"max_tokens": room}),
            prompt + room,
            price.cost(prompt, room) if price is not None else 0.0,
        )

    def open(self, reservation: Reservation) -> None:
        """A call is under way."""
        self._open.append(reservation)

    def settle(self, reservation: Reservation, usage: Usage) -> Usage:
        """A call is over; what it did cost, with its price."""
        self._open.remove(reservation)
        if usage == Usage():
            return usage
        purpose, subject = reservation.request.purpose, reservation.request.subject
        if (price := self._prices(purpose)) is not None:
            cost = price.cost(usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens)
            usage = usage.model_copy(update={"cost": cost})
        self._spent[purpose, subject] = self._spent.get((purpose, subject), Usage()) + usage
        self.total += usage
        return usage

    def charge(self, spent: Iterable[Spent]) -> None:
        """Add what was spent elsewhere for the same work."""
        purposes = {str(purpose): purpose for purpose in ROLES}
        for part in spent:
            key = purposes[part.purpose], part.function
            self._spent[key] = self._spent.get(key, Usage()) + part.usage
            self.total += part.usage

    def can_pay(self, calls: int) -> bool:
        """Whether the tokens and the money left are enough for so many calls of the usual size."""
        left, (tokens, money) = self.left(), self._usual()
        enough = left.tokens is None or left.tokens >= calls * max(tokens, LEAST_ROOM)
        return enough and (left.money is None or left.money >= calls * money)

    def _rooms(self, request: Request, prompt: int, left: Left, owed: int) -> tuple[int, int]:
        """How long the answer may be as the tokens have it, and as the money has it."""
        tokens, money = self._usual()
        by_tokens = by_money = request.max_tokens
        if left.tokens is not None:
            by_tokens = left.tokens - owed * tokens - prompt
        if left.money is not None and (price := self._prices(request.purpose)) is not None:
            by_money = price.room(left.money - owed * money, prompt, request.max_tokens)
        return by_tokens, by_money

    def _usual(self) -> tuple[int, float]:
        """What a call has cost so far on average: tokens, rounded up, and dollars."""
        calls = max(1, self.total.calls)
        return -(-self.total.tokens // calls), (self.total.cost or 0.0) / calls


def _count(number: int | None, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _spent(limit: str, raised: str, owed: int) -> BudgetSpent:
    if owed:
        limit_left = f"what is left of the budget of {limit} is owed to functions that have nothing yet"
        return BudgetSpent(f"{limit_left}: raise --budget {raised}")
    return BudgetSpent(f"the budget of {limit} is spent: raise --budget {raised}")


CHARACTERS_A_TOKEN = 4  # the rule of thumb for English text
WORST_BYTES_A_TOKEN = 3  # a judgement: limits must hold for code and other scripts, too
WORST_TOKENS_A_MESSAGE = 8  # what chat templates put around a message, rounded up; a judgement


def estimated_tokens(text: str) -> int:
    """About how many tokens `text` is: one for four characters, rounded up."""
    return -(-len(text) // CHARACTERS_A_TOKEN)


def estimated_usage(request: Request, text: str, seconds: float = 0.0) -> Usage:
    """What a call that was answered with `text` cost, where the endpoint doesn't say."""
    prompt = sum(estimated_tokens(message.content) for message in request.messages)
    return Usage(calls=1, prompt_tokens=prompt, completion_tokens=estimated_tokens(text), seconds=seconds)


def most_prompt_tokens(request: Request) -> int:
    """How many tokens the prompt is at most: one for three bytes of UTF-8 (a character of Chinese is one token)."""
    schema = json.dumps(request.json_schema) if request.json_schema else ""
    texts = [schema, *(message.content for message in request.messages)]
    size = sum(len(text.encode("utf-8", "replace")) for text in texts)
    return -(-size // WORST_BYTES_A_TOKEN) + WORST_TOKENS_A_MESSAGE * len(request.messages)
