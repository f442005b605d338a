"""Notice periods of leases."""

from datetime import date, timedelta

SUNDAY = 6


def month_end(day, months):
    """The last day of the month that lies so many months after that of the day."""
    year, month = divmod(day.year * 12 + day.month + months, 12)
    return date(year, month + 1, 1) - timedelta(days=1)


def third_workday(year, month, holidays):
    """The third workday of a month."""
    day = date(year, month, 1)
    count = 0
    while True:
        if day.weekday() != SUNDAY and day not in holidays:
            count += 1
        if count == 3:
            return day
        day += timedelta(days=1)


def lease_end(received, months, holidays):
    """When the lease ends if the notice arrives on that day."""
    _check(months)
    late = received > third_workday(received.year, received.month, holidays)
    return month_end(received, months if late else months - 1)


def last_notice_day(end, months, holidays):
    """The latest day for a notice."""
    _check(months)
    if end != month_end(end, 0):
        raise ValueError(f"{end} is not the end of a month")
    first = month_end(end, 1 - months)
    return third_workday(first.year, first.month, holidays)


def days_left(today, end, months, holidays):
    """How many days are left for the notice."""
    days = (last_notice_day(end, months, holidays) - today).days
    return None if days < 0 else days


def _check(months):
    if months < 1:
        raise ValueError("a period has at least one month")
