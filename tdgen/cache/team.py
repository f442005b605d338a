"""What a solve asks of a store that a team shares.

Such a store is a back end, found by the entry point of its address' scheme and imported where one is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from typing import Protocol

from tdgen.cache.solutions import Row
from tdgen.language import Language
from tdgen.protocols import Answers, Emit, Sandbox, Store
from tdgen.settings import Settings
from tdgen.solution import Solution
from tdgen.types import Instruction


class Judging(Protocol):
    """What a solution is judged by."""

    @property
    def sandbox(self) -> Sandbox:
        """Where candidates run."""

    @property
    def oracle(self) -> Sandbox:
        """Where expected values are evaluated."""

    @property
    def language(self) -> Language:
        """What code is written in."""

    @property
    def executor(self) -> Executor:
        """Threads for what can be done at once."""

    @property
    def has_project(self) -> bool:
        """Whether the sandboxes show a project."""


class SharedAnswers(Answers, Protocol):
    """What models answered to an unfinished run, for whichever host goes on with it.

    LostLock from `put` and `delete` where another host took the run over.
    """

    def delete(self, key: str) -> None:
        """Forget an answer."""


class Team(Protocol):
    """The team's alone. Where its server fails, nothing is done, and `notes` gives what is to be told."""

    address: str
    """Where it is, without a password."""

    def notes(self) -> list[str]:
        """What is to be told since the last time."""

    def check(self) -> list[str]:
        """Write, read and forget an entry; what went wrong with that."""

    def book(self, name: str, in_a_minute: int, left_s: float | None) -> float | None:
        """The seconds until a turn that is booked among all hosts', so many in any minute; None where that can't be.

        Less than 0 where it would not come within `left_s`.
        """

    def answers(self, run: str) -> SharedAnswers:
        """The answers of the run of that key, written under the locks that this thread holds now."""


class TeamSolutions(Protocol):
    """The solutions that a team keeps, as one solve's settings see them."""

    def judged(self, asked: Mapping[str, Instruction]) -> list[Solution]:
        """Those of instructions, by their keys, that hold when they are judged again; what does not is told."""

    def get(self, key: str) -> Solution | None:
        """The one of just that key, which nobody has judged; None where there is none."""

    def rows(self) -> list[Row]:
        """All of them in a few words each."""

    def put(self, solution: Solution) -> None:
        """Keep one where it is for the team; that it can't be is told."""


class TeamStore(Store, Protocol):
    """This machine's store and the team's: what is asked for is looked for here first, what is written goes to both."""

    @property
    def team(self) -> Team:
        """The team's alone."""

    def solutions(self, tools: Judging, settings: Settings, emit: Emit) -> TeamSolutions:
        """The team's solutions."""
