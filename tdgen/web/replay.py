"""A solution as events: what no event of its run told, and, where it comes from the cache, the whole way."""

from __future__ import annotations

from collections.abc import Iterator

from tdgen.depgraph import Dependencies
from tdgen.events import AttemptJudged, BudgetTold, CaseRevised, Event, FunctionEnded, PlanMade
from tdgen.solution import Solution
from tdgen.types import Frozen, Question, Spent, Strength, Suite, Usage, file_of_tests


class Place(Frozen):
    """Which attempt it is: attempts of different lines of thought may have one number."""

    number: int
    line: int


class FunctionTold(Event):
    """How a function stands in the end: its suite as it became, its tests' file, and which attempt is its best."""

    kind = "function_told"
    function: str
    suite: Suite
    strength: Strength | None = None
    tests: str = ""
    best: Place | None = None


class SolutionTold(Event):
    """What is to be said of a solution as a whole."""

    kind = "solution_told"
    instruction: str = ""
    questions: tuple[Question, ...] = ()
    usage: Usage = Usage()
    spent: tuple[Spent, ...] = ()
    seconds: float = 0.0
    trust: str = ""
    model: str = ""
    sandbox: str = ""
    notes: tuple[str, ...] = ()
    follows: str = ""


def concluded(solution: Solution) -> Iterator[Event]:
    """What a run's own events leave unsaid."""
    for result in solution.results:
        best = Place(number=result.best.number, line=result.best.line) if result.best else None
        yield FunctionTold(
            function=result.function,
            suite=result.suite,
            strength=result.strength,
            tests=solution.test_files.get(file_of_tests(result.function), ""),
            best=best,
        )
    told = SolutionTold.model_fields.keys()
    yield SolutionTold(**{name: getattr(solution, name) for name in told})


def retold(solution: Solution) -> Iterator[Event]:
    """All of a solution, in the order of a run."""
    yield PlanMade(plan=solution.plan, generations=Dependencies(solution.plan).names)
    for revision in solution.revisions:
        yield CaseRevised(revision=revision)
    for result in solution.results:
        for attempt in result.history:
            yield AttemptJudged(attempt=attempt)
        yield FunctionEnded(function=result.function, outcome=result.outcome, reason=result.reason)
    yield BudgetTold(usage=solution.usage)
    yield from concluded(solution)
