"""Slots of a warehouse."""

import re
from dataclasses import dataclass

BAYS = 40
LEVELS = 6


class BadSlot(ValueError):
    """There is no such slot."""

    def __init__(self, given):
        super().__init__(f"bad slot: {given!r}")
        self.given = given


@dataclass(frozen=True, order=True)
class Slot:
    """Aisle, bay and level."""

    aisle: str
    bay: int
    level: int

    def __post_init__(self):
        if not (re.fullmatch("[A-Z]", self.aisle) and 1 <= self.bay <= BAYS and 1 <= self.level <= LEVELS):
            raise BadSlot((self.aisle, self.bay, self.level))

    def __str__(self):
        return f"{self.aisle}-{self.bay:02}-{self.level}"

    @classmethod
    def parse(cls, text):
        """Read a slot's text."""
        found = isinstance(text, str) and re.fullmatch("([A-Za-z])-([0-9]{1,2})-([0-9])", text.strip())
        if not found:
            raise BadSlot(text)
        return cls(found[1].upper(), int(found[2]), int(found[3]))

    @staticmethod
    def is_valid(text):
        """Whether a text is a slot's."""
        try:
            Slot.parse(text)
        except BadSlot:
            return False
        return True

    @property
    def number(self):
        """Where it stands among all slots."""
        return ((ord(self.aisle) - ord("A")) * BAYS + self.bay - 1) * LEVELS + self.level - 1

    @classmethod
    def from_number(cls, number):
        """The slot with this number."""
        if not 0 <= number < 26 * BAYS * LEVELS:
            raise BadSlot(number)
        rest, level = divmod(number, LEVELS)
        aisle, bay = divmod(rest, BAYS)
        return cls(chr(ord("A") + aisle), bay + 1, level + 1)

    def next(self):
        """The following slot."""
        last = self.number + 1 == 26 * BAYS * LEVELS
        return None if last else self.from_number(self.number + 1)

    @classmethod
    def block(cls, first, last):
        """All slots from one to another."""
        numbers = range(cls.parse(first).number, cls.parse(last).number + 1)
        return [cls.from_number(number) for number in numbers]
