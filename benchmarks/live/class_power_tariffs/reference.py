"""Electricity tariffs."""

from abc import ABC, abstractmethod


class Tariff(ABC):
    """What all tariffs have in common."""

    minimum = 300

    def __init__(self, name, standing):
        self.name = name
        self.standing = standing

    @abstractmethod
    def energy(self, readings):
        """Cents for the energy alone."""

    def bill(self, readings):
        """Cents for everything."""
        for hour, kwh in readings:
            if not 0 <= hour <= 23 or kwh < 0:
                raise ValueError(f"bad reading: ({hour}, {kwh})")
        if not any(kwh for _, kwh in readings):
            return self.standing
        return max(self.minimum, self.standing + self.energy(readings))


class Flat(Tariff):
    """One price for every kWh."""

    def __init__(self, name, standing, rate):
        super().__init__(name, standing)
        self.rate = rate

    def energy(self, readings):
        return self.rate * sum(kwh for _, kwh in readings)


class Steps(Tariff):
    """Prices that change with the amount."""

    def __init__(self, name, standing, steps):
        super().__init__(name, standing)
        self.steps = list(steps)

    def energy(self, readings):
        total = sum(kwh for _, kwh in readings)
        cents = below = 0
        for upto, rate in self.steps:
            end = total if upto is None else min(upto, total)
            cents += rate * (end - below)
            below = end
        return cents


class DayNight(Tariff):
    """Another price at night."""

    def __init__(self, name, standing, day, night):
        super().__init__(name, standing)
        self.day = day
        self.night = night

    def energy(self, readings):
        return sum(kwh * (self.night if hour >= 22 or hour <= 5 else self.day) for hour, kwh in readings)


def cheapest(tariffs, readings):
    """The tariff with the lowest bill."""
    if not tariffs:
        raise ValueError("no tariffs")
    return min(tariffs, key=lambda tariff: (tariff.bill(readings), tariff.name))
