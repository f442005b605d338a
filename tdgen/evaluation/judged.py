"""What hidden tests say of one piece of code."""

from __future__ import annotations

from typing import Final, Protocol

from tdgen.types import Frozen

MOST_FAULTS: Final = 5


class Judged(Frozen):
    """What hidden tests said of one piece of code: how many they are, how many it fails, and the first few, told.

    `forgeable` where they ran in one process with the code.
    """

    tests: int
    failed: int
    faults: tuple[str, ...] = ()
    forgeable: bool = False

    @property
    def right(self) -> bool:
        """Whether the code passes them all."""
        return self.tests > 0 and not self.failed


class Judge(Protocol):
    """Judges one problem by what is hidden."""

    def judge(self, source: str) -> Judged:
        """What is said of a module's source, or of a text where a refusal is right."""
