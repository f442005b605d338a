"""Read and check the books of a club."""

import re
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal


class LedgerError(ValueError):
    """Books that can't be."""


@dataclass(frozen=True)
class Posting:
    account: str
    amount: Decimal | None


@dataclass(frozen=True)
class Transaction:
    day: date
    description: str
    postings: tuple[Posting, ...]


_HEAD = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}) (\S.*)")
_POSTING = re.compile(r" +(\S+)(?: +(-?[0-9]+\.[0-9]{2}))? *")


def parse_journal(text):
    found = []
    for line in text.splitlines():
        if not line.strip():
            continue
        head, posting = _HEAD.fullmatch(line), _POSTING.fullmatch(line)
        if head is not None:
            try:
                day = date.fromisoformat(head[1])
            except ValueError as error:
                raise LedgerError(f"impossible date: {line!r}") from error
            found.append((day, head[2].strip(), []))
        elif posting is not None and found:
            amount = None if posting[2] is None else Decimal(posting[2])
            found[-1][2].append(Posting(posting[1], amount))
        else:
            raise LedgerError(f"misplaced: {line!r}")
    return [Transaction(day, description, tuple(postings)) for day, description, postings in found]


def complete(transaction):
    postings = transaction.postings
    missing = [posting for posting in postings if posting.amount is None]
    total = sum((posting.amount for posting in postings if posting.amount is not None), Decimal("0.00"))
    if len(postings) < 2 or len(missing) > 1 or (not missing and total != 0):
        raise LedgerError(f"not balanced: {transaction}")
    filled = tuple(
        replace(posting, amount=Decimal("0.00") - total) if posting.amount is None else posting for posting in postings
    )
    return replace(transaction, postings=filled)


def balances(text, until):
    found = {}
    for transaction in parse_journal(text):
        if transaction.day <= until:
            transaction = complete(transaction)
            for account, amount in _sums(transaction).items():
                found[account] = found.get(account, Decimal("0.00")) + amount
    return {account: found[account] for account in sorted(found) if found[account] != 0}


def register(text, account):
    transactions = [complete(transaction) for transaction in parse_journal(text)]
    lines = []
    balance = Decimal("0.00")
    for transaction in sorted(transactions, key=lambda one: one.day):
        sums = _sums(transaction)
        if account in sums:
            balance += sums[account]
            lines.append(f"{transaction.day} {transaction.description} {sums[account]} {balance}")
    return lines


def _sums(transaction):
    sums = {}
    for posting in transaction.postings:
        sums[posting.account] = sums.get(posting.account, Decimal("0.00")) + posting.amount
    return sums
