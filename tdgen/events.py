"""What happens while an instruction is solved, as values that faces turn into text and services into streams."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from tdgen.types import Attempt, Frozen, FunctionSpec, Plan, Revision, Suite, Usage

FORMAT: Final = 1
"""The version of what `to_dict` gives. Keys and kinds may be added under it; what takes one away raises it."""


class Event(Frozen):
    """Something that happened; `kind` names it in `to_dict`."""

    kind: ClassVar[str] = "event"

    def to_dict(self) -> dict[str, Any]:
        """The event as plain JSON data, with its kind; each by itself says its format, as who resumes sees no first."""
        return {"event": self.kind, "format": FORMAT, **self.model_dump(mode="json")}


class StageStarted(Event):
    """A stage of the pipeline began."""

    kind = "stage_started"
    stage: str


class StageFinished(Event):
    """A stage ended after so many seconds."""

    kind = "stage_finished"
    stage: str
    seconds: float


class PlanMade(Event):
    """The plan stands; `generations` lists its functions, dependencies first."""

    kind = "plan_made"
    plan: Plan
    generations: tuple[tuple[str, ...], ...]


class SuiteWritten(Event):
    """A function's cases are written and can be evaluated."""

    kind = "suite_written"
    suite: Suite


class RedSeen(Event):
    """A function's cases were run on a stub; `red` of them failed for the right reason."""

    kind = "red_seen"
    function: str
    red: int
    cases: int


class AttemptStarted(Event):
    """An implementation is being asked for."""

    kind = "attempt_started"
    function: str
    number: int


class AttemptJudged(Event):
    """An attempt was run and judged."""

    kind = "attempt_judged"
    attempt: Attempt


class FunctionEnded(Event):
    """A function ended: green, red, blocked or undecided; `reused` where a kept one was taken over."""

    kind = "function_ended"
    function: str
    outcome: str
    reason: str = ""
    reused: bool = False


class FunctionDivided(Event):
    """A function resists and is divided: `spec` is its contract now, with the `helpers` among its dependencies.

    Of the helpers all is told that is told of a planned function.
    """

    kind = "function_divided"
    spec: FunctionSpec
    helpers: tuple[FunctionSpec, ...]


class HelpersDropped(Event):
    """Helpers of a function are not kept: they did not heal it, or it does without them. `spec` is its contract now."""

    kind = "helpers_dropped"
    spec: FunctionSpec
    helpers: tuple[str, ...]


class CaseRevised(Event):
    """A case was promoted, set aside or changed."""

    kind = "case_revised"
    revision: Revision


class ModelAsked(Event):
    """A model is being asked."""

    kind = "model_asked"
    purpose: str
    subject: str
    attempt: int


class ModelWrote(Event):
    """A piece of an answer arrived; `characters` counts all so far."""

    kind = "model_wrote"
    purpose: str
    subject: str
    characters: int


class ModelAnswered(Event):
    """An answer is complete; `replayed` where it was paid for by an earlier, unfinished run."""

    kind = "model_answered"
    purpose: str
    subject: str
    attempt: int
    usage: Usage
    seconds: float
    replayed: bool = False


class ModelFailed(Event):
    """A model gave no answer: `error` is the kind of what went wrong, such as ModelError or BudgetSpent."""

    kind = "model_failed"
    purpose: str
    subject: str
    attempt: int
    error: str


class BudgetTold(Event):
    """A call was paid for: all that was spent so far, and what is left where there is a limit.

    What is under way counts at its worst, so that less may be left for a moment than in the end.
    """

    kind = "budget_told"
    usage: Usage
    calls_left: int | None = None
    tokens_left: int | None = None
    money_left: float | None = None
    seconds_left: float | None = None


class Noted(Event):
    """Something a person may want to know."""

    kind = "noted"
    text: str
