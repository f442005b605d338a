"""Chores in a shared flat."""

from dataclasses import dataclass
from datetime import date, timedelta


class UnknownChore(LookupError):
    """No chore has this name."""

    def __init__(self, name):
        super().__init__(f"unknown chore: {name}")
        self.name = name


@dataclass
class Chore:
    """Something to do every so many days."""

    name: str
    every: int
    minutes: int
    last: date | None = None

    @property
    def due_on(self):
        """When it is to be done again."""
        return None if self.last is None else self.last + timedelta(days=self.every)

    def is_due(self, today):
        """Whether it is to be done."""
        return self.last is None or self.due_on <= today

    def days_late(self, today):
        """For how many days it has been due."""
        return 0 if self.last is None else max(0, (today - self.due_on).days)

    def check(self, day):
        """Complain of a day before the last one."""
        if self.last is not None and day < self.last:
            raise ValueError(f"{self.name}: done on {self.last} already")

    def done(self, day):
        """Note that it was done."""
        self.check(day)
        self.last = day


def due_list(chores, today):
    """What is due, the most urgent first."""
    due = [chore for chore in chores if chore.is_due(today)]
    return sorted(due, key=lambda chore: (-chore.days_late(today), -chore.minutes, chore.name))


def share_out(chores, people, today):
    """Who does what."""
    due = due_list(chores, today)
    if due and not people:
        raise ValueError("nobody there")
    shares = {person: [] for person in people}
    minutes = dict.fromkeys(people, 0)
    for chore in due:
        person = min(people, key=lambda person: minutes[person])
        shares[person].append(chore.name)
        minutes[person] += chore.minutes
    return shares


def tick_off(chores, names, day):
    """Mark chores as done, all or none."""
    by_name = {chore.name: chore for chore in chores}
    names = list(dict.fromkeys(names))
    for name in names:
        if name not in by_name:
            raise UnknownChore(name)
    for name in names:
        by_name[name].done(day)
    return len(names)
