"""The plan by which a loan is paid back."""

import calendar
from datetime import date
from fractions import Fraction


def _due(first, months):
    """The due date so many months after the first."""
    year, month = divmod(first.year * 12 + first.month - 1 + months, 12)
    return date(year, month + 1, min(first.day, calendar.monthrange(year, month + 1)[1]))


def repayment_plan(amount, rate, instalment, first, extra=None):
    """For each due date the interest, what is paid and what is owed afterwards."""
    extra = dict(extra or {})
    rate = Fraction(rate)
    if amount < 0 or rate < 0 or any(cents <= 0 for cents in extra.values()):
        raise ValueError("a payment that makes no sense")
    plan = []
    previous = None
    while amount:
        due = _due(previous, 1) if previous else first
        interest = int(amount * rate / 1200 + Fraction(1, 2))
        if instalment <= interest:
            raise ValueError("the instalment is too small")
        owed = amount + interest
        special = sum(cents for day, cents in extra.items() if day <= due and (previous is None or day > previous))
        paid = min(instalment + special, owed)
        amount = owed - paid
        plan.append((due, interest, paid, amount))
        previous = due
    return plan
