"""Who has birthday soon."""

from datetime import date


def next_birthdays(people, today, days):
    if days < 0:
        raise ValueError("days must not be negative")
    found = []
    for name, born in people:
        if born > today:
            continue
        day = _birthday(born, today.year)
        if day < today:
            day = _birthday(born, today.year + 1)
        if (day - today).days <= days:
            found.append((day, name, born))
    found.sort(key=lambda one: (one[0], one[1].casefold()))
    return [(day, name, day.year - born.year) for day, name, born in found]


def _birthday(born, year):
    """The day in a year on which a birthday is celebrated."""
    try:
        return born.replace(year=year)
    except ValueError:
        return date(year, 3, 1)
