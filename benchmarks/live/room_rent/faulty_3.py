"""The rent of a shared house, month by month."""

from calendar import monthrange
from datetime import date
from decimal import Decimal
from fractions import Fraction

_QUARTER = Fraction(1, 4)


def rent_due(monthly, move_in, move_out):
    if move_out < move_in:
        raise ValueError("the move out is before the move in")
    due = []
    year, month = move_in.year, move_in.month
    while date(year, month, 1) < move_out:
        size = monthrange(year, month)[1]
        first = date(year, month, 1).toordinal()
        paid = min(move_out.toordinal(), first + size) - max(move_in.toordinal(), first)
        if paid > 0:
            share = Fraction(1) if paid == size else max(Fraction(paid, size), _QUARTER)
            due.append((f"{year:04}-{month:02}", _amount(monthly, share)))
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    return due


def _amount(monthly, share):
    exact = monthly * share.numerator / share.denominator
    return exact.quantize(Decimal("0.01"))
