"""Parcels and their stages."""

from dataclasses import dataclass, field
from enum import Enum

ATTEMPTS = 3


class Stage(Enum):
    """Where a parcel is."""

    CREATED = "created"
    SORTED = "sorted"
    OUT = "out"
    DELIVERED = "delivered"
    RETURNED = "returned"
    LOST = "lost"

    @classmethod
    def read(cls, text):
        """The stage of a text."""
        try:
            return cls(text.strip().lower())
        except ValueError:
            raise ValueError(f"no such stage: {text}") from None

    @property
    def is_final(self):
        """Whether nothing follows."""
        return self in (Stage.DELIVERED, Stage.RETURNED, Stage.LOST)

    def can_become(self, other):
        """Whether another stage may follow."""
        if other is Stage.LOST:
            return self is not Stage.LOST
        return other in FOLLOWING.get(self, ())


FOLLOWING = {
    Stage.CREATED: (Stage.SORTED,),
    Stage.SORTED: (Stage.OUT, Stage.RETURNED),
    Stage.OUT: (Stage.DELIVERED, Stage.SORTED),
}


class WrongMove(ValueError):
    """A parcel can not go there."""

    def __init__(self, number, old, new):
        super().__init__(f"{number}: {old.value} -> {new.value}")
        self.number = number
        self.old = old
        self.new = new


@dataclass
class Parcel:
    """A parcel and its way so far."""

    number: str
    stage: Stage = Stage.CREATED
    history: list = field(default_factory=list)

    @property
    def attempts(self):
        """How often it has gone out."""
        return sum(stage is Stage.OUT for stage, _ in self.history)

    def move(self, stage, minute):
        """Go to another stage."""
        if not self.stage.can_become(stage) or (stage is Stage.OUT and self.attempts >= ATTEMPTS):
            raise WrongMove(self.number, self.stage, stage)
        if self.history and minute < self.history[-1][1]:
            raise ValueError("minute goes back")
        self.stage = stage
        self.history.append((stage, minute))


def overview(parcels):
    """How many parcels are at each stage."""
    parcels = list(parcels)
    return {stage: sum(parcel.stage is stage for parcel in parcels) for stage in Stage}
