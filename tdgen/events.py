"""What happens while an instruction is solved, as values that faces turn into text and services into streams."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from tdgen.types import Attempt, Frozen, FunctionSpec, Plan, Revision, Suite, Usage
from tdgen.types.interface import module_case

FORMAT: Final = 1
"""The version of what `to_dict` gives. Keys and kinds may be added under it; what takes one away raises it."""


class Event(Frozen):
    """Something that happened; `kind` names it in `to_dict`, by its class's name: of `PlanMade` that is `plan_made`."""

    kind: ClassVar[str] = "event"

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        cls.kind = module_case(cls.__name__)

    def to_dict(self) -> dict[str, Any]:
        """The event as plain JSON data, with its kind; each by itself says its format, as who resumes sees no first."""
        return {"event": self.kind, "format": FORMAT, **self.model_dump(mode="json")}


class StageStarted(Event):
    """A stage of the pipeline began."""

    stage: str


class StageFinished(Event):
    """A stage ended after so many seconds."""

    stage: str
    seconds: float


class PlanMade(Event):
    """The plan stands; `generations` lists its functions, dependencies first."""

    plan: Plan
    generations: tuple[tuple[str, ...], ...]


class SuiteWritten(Event):
    """A function's cases are written and can be evaluated."""

    suite: Suite


class RedSeen(Event):
    """A function's cases were run on a stub; `red` of them failed for the right reason."""

    function: str
    red: int
    cases: int


class AttemptStarted(Event):
    """An implementation is being asked for."""

    function: str
    number: int


class AttemptJudged(Event):
    """An attempt was run and judged."""

    attempt: Attempt


class FunctionEnded(Event):
    """A function ended: green, red, blocked or undecided; `reused` where a kept one was taken over."""

    function: str
    outcome: str
    reason: str = ""
    reused: bool = False


class FunctionDivided(Event):
    """A function resists and is divided: `spec` is its contract now, with the `helpers` among its dependencies.

    Of the helpers all is told that is told of a planned function.
    """

    spec: FunctionSpec
    helpers: tuple[FunctionSpec, ...]


class HelpersDropped(Event):
    """Helpers of a function are not kept: they did not heal it, or it does without them. `spec` is its contract now."""

    spec: FunctionSpec
    helpers: tuple[str, ...]


class CaseRevised(Event):
    """A case was promoted, set aside or changed."""

    revision: Revision


class ModelAsked(Event):
    """A model is being asked."""

    purpose: str
    subject: str
    attempt: int


class ModelWrote(Event):
    """A piece of an answer arrived; `characters` counts all so far."""

    purpose: str
    subject: str
    characters: int


class ModelAnswered(Event):
    """An answer is complete; `replayed` where it was paid for by an earlier, unfinished run."""

    purpose: str
    subject: str
    attempt: int
    usage: Usage
    seconds: float
    replayed: bool = False


class ModelFailed(Event):
    """A model gave no answer: `error` is the kind of what went wrong, such as ModelError or BudgetSpent."""

    purpose: str
    subject: str
    attempt: int
    error: str


class BudgetTold(Event):
    """A call was paid for: all that was spent so far, and what is left where there is a limit.

    What is under way counts at its worst, so that less may be left for a moment than in the end.
    """

    usage: Usage
    calls_left: int | None = None
    tokens_left: int | None = None
    money_left: float | None = None
    seconds_left: float | None = None


class Noted(Event):
    """Something a person may want to know."""

    text: str
