"""Late fees of a library."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

FREE_DAYS = 2
_DAY = timedelta(days=1)
_CENT = Decimal("0.01")


@dataclass(frozen=True)
class Closures:
    weekdays: frozenset[int]
    dates: frozenset[date]


@dataclass(frozen=True)
class Loan:
    title: str
    borrowed: date
    returned: date | None


def is_open(day, closures):
    return day.weekday() not in closures.weekdays and day not in closures.dates


def due_date(borrowed, days, closures):
    due = borrowed + timedelta(days=days)
    while not is_open(due, closures):
        due += _DAY
    return due


def overdue_days(due, returned, closures):
    late = (returned - due).days
    return sum(is_open(due + timedelta(days=n), closures) for n in range(1, late + 1))


def fine(due, returned, closures, rate, cap):
    days = overdue_days(due, returned, closures)
    if days <= FREE_DAYS:
        return Decimal("0.00")
    return min(days * rate, cap).quantize(_CENT, ROUND_HALF_UP)


def statement(loans, days, closures, rate, cap, today):
    owed = []
    for loan in loans:
        due = due_date(loan.borrowed, days, closures)
        returned = today if loan.returned is None else loan.returned
        amount = fine(due, returned, closures, rate, cap)
        if amount > 0:
            owed.append((loan.title, amount))
    owed.sort(key=lambda pair: pair[1])
    owed.reverse()
    total = sum((amount for _, amount in owed), Decimal("0.00"))
    return "\n".join(f"{title}: {amount}" for title, amount in [*owed, ("total", total)])
