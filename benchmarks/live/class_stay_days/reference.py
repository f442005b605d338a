"""Stays in a guest house."""

import re
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, order=True)
class Stay:
    """The nights from arrival to the day before departure."""

    arrival: date
    departure: date

    def __post_init__(self):
        if self.departure <= self.arrival:
            raise ValueError("departure must be after arrival")

    @classmethod
    def parse(cls, text):
        """Read what str() writes."""
        found = re.fullmatch(r"([0-9]{4}-[0-9]{2}-[0-9]{2})\.\.([0-9]{4}-[0-9]{2}-[0-9]{2})", text.strip())
        if not found:
            raise ValueError(f"no stay: {text}")
        return cls(date.fromisoformat(found[1]), date.fromisoformat(found[2]))

    @classmethod
    def of_nights(cls, arrival, nights):
        """A stay of so many nights."""
        return cls(arrival, arrival + timedelta(days=nights))

    def __len__(self):
        return (self.departure - self.arrival).days

    def __contains__(self, day):
        return isinstance(day, date) and self.arrival <= day < self.departure

    def __getitem__(self, index):
        nights = [self.arrival + timedelta(days=number) for number in range(len(self))]
        return nights[index]

    def __and__(self, other):
        arrival = max(self.arrival, other.arrival)
        departure = min(self.departure, other.departure)
        return Stay(arrival, departure) if arrival < departure else None

    def __or__(self, other):
        if max(self.arrival, other.arrival) > min(self.departure, other.departure):
            raise ValueError("stays are apart")
        return Stay(min(self.arrival, other.arrival), max(self.departure, other.departure))

    def __str__(self):
        return f"{self.arrival}..{self.departure}"


def merge_stays(stays):
    """Join all that can be joined."""
    merged = []
    for stay in sorted(stays):
        if merged and stay.arrival <= merged[-1].departure:
            merged[-1] |= stay
        else:
            merged.append(stay)
    return merged
